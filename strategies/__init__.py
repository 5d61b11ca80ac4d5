"""Strategies: functions that see one seat's view of a game and choose a move."""

from strategies.registry import load, names

__all__ = ["load", "names"]
