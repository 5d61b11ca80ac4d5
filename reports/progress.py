"""What a run shows and heeds while it lasts: its progress, Ctrl-C, and SIGTERM."""

import signal
import sys
import threading
import time

ENDING = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """Lets a first Ctrl-C wait for the chunk in hand, so that results are never half counted.

    Attributes
    ----------
    asked : bool
        Whether Ctrl-C was pressed, or the process was asked to end. A second time raises
        KeyboardInterrupt at once.
    """

    def __enter__(self):
        self.asked = False
        self.main = threading.current_thread() is threading.main_thread()
        if self.main:
            self.before = {s: signal.signal(s, self.heed) for s in ENDING}
        return self

    def heed(self, *signal_and_frame) -> None:
        """Note the first Ctrl-C; give way to the second."""
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True

    def __exit__(self, kind, error, traceback) -> bool:
        if self.main:
            for number, handler in self.before.items():
                signal.signal(number, handler)
        # Ctrl-C reaches worker processes too, and what they raise is no failure then.
        return self.asked and isinstance(error, Exception)


class progress:
    """A bar on stderr with games a second and time left; nothing where nobody watches."""

    def __init__(self, games: int):
        self.games, self.bar = games, None

    def __enter__(self):
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            self.bar = Progress(
                TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"),
                BarColumn(),
                TextColumn("{task.fields[rate]} games/s"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self.task = self.bar.add_task("", total=self.games, rate="")
            self.bar.start()
        self.start, self.done = time.perf_counter(), 0
        return self.advance

    def advance(self, games: int) -> None:
        """Count finished games."""
        self.done += games
        if self.bar:
            rate = self.done / max(1e-9, time.perf_counter() - self.start)
            self.bar.update(self.task, advance=games, rate=f"{rate:,.0f}")

    def __exit__(self, *error):
        if self.bar:
            self.bar.stop()
