"""What a player may be kept from doing, to see what that is worth; a file a game.

Each restriction is one function ``forbidden(view, move)`` of a move that is legal. Where all moves
are forbidden the player is forced, and any of them will do.
"""
