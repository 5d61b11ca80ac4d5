"""The engine: plays games, knows no strategy, no statistics, no picture."""

__version__ = "0.1.0"


def __getattr__(name):
    # Loaded on demand: reading a card's name must not cost the start of the engine.
    if name in ("simulate", "run", "make_plan", "Plan", "to_table"):
        from sim import runner

        return getattr(runner, name)
    raise AttributeError(f"module 'sim' has no attribute {name!r}")
