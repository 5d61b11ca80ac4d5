"""What goes wrong, told apart by whose move it is to put it right."""

import difflib


class UsageError(ValueError):
    """The request was wrong; the message says what would be right (exit status 2)."""


class RunError(RuntimeError):
    """A run failed; the message says how to reproduce it (exit status 1).

    Attributes
    ----------
    details : dict
        What is needed to reproduce the failure, for JSON.
    """

    def __init__(self, message: str, **details):
        super().__init__(message)
        self.details = details

    def __reduce__(self):
        # With its details, so that a worker process can hand it over.
        return rebuild, (str(self), self.details)


def rebuild(message: str, details: dict) -> RunError:
    """A `RunError` that comes from another process."""
    return RunError(message, **details)


def unknown(kind: str, name: object, valid) -> UsageError:
    """The error for a name that is none of the valid ones, with the nearest of them."""
    valid = [str(v) for v in valid]
    near = difflib.get_close_matches(str(name), valid, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    return UsageError(f"unknown {kind} {name!r}: {hint}valid: {', '.join(valid)}")
