"""A run's results on disk: parts that are whole or not there, so that a killed run goes on.

A folder holds ``plan.json``, all that decides the results, and ``results.parquet``, a folder of
parts that pandas, Arrow and DuckDB read as one table. Part n of a plan holds the same games however
they were played; its name ends in the hash of its bytes, and it names its plan within. What is not
yet a whole part is kept beside them in a journal (its name starts with a dot, so that readers pass
it by), a record a chunk.
"""

import contextlib
import hashlib
import io
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from sim.errors import RunError, UsageError
from sim.game import load_game

MANIFEST = "plan.json"
PARTS = "results.parquet"
PART_ROWS = 100_000
PART_NAME = re.compile(r"part-(\d{4,})-(\d{6,})\.([0-9a-f]{16})\.parquet")
HASH_BYTES = 32


def digest(data: bytes) -> str:
    """The hash of some bytes, as part names show it."""
    return hashlib.sha256(data).hexdigest()[:16]


def write_bytes(path: Path, data: bytes) -> None:
    """Write a whole file or nothing, and have it on the disk before it gets its name."""
    part = path.with_name(f".{path.name}.writing")
    try:
        with open(part, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def make_folder(folder: Path) -> None:
    """Make a folder for results if it is missing.

    Raises
    ------
    UsageError
        If it cannot be.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"--out {folder} is a file, not a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--out {folder} cannot be made: {error.strerror}") from None


def plan_hash(manifest: dict) -> str:
    """What tells one plan's parts from another's."""
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()


def read_manifest(folder: Path) -> dict:
    """The manifest of a folder.

    Raises
    ------
    UsageError
        If it has none that can be read.
    """
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise UsageError(f"{folder} holds no {MANIFEST} of evendeal's that can be read")
    return found


class Store:
    """A folder of results, held by one process at a time.

    Parameters
    ----------
    folder : path
        Made if missing. A folder that holds another plan, or other files, is refused.
    manifest : dict
        All that decides the results, as plain data; with the command that makes the folder.

    Raises
    ------
    UsageError
        If the folder is not this plan's, or another process is at work in it.
    """

    def __init__(self, folder, manifest: dict):
        self.folder = folder = Path(folder)
        make_folder(folder)
        for path in folder.glob(".*.writing"):
            path.unlink()  # of a process that was killed
        if any(name != PARTS for name in os.listdir(folder)):
            self.check(manifest)
        make_folder(folder / PARTS)
        self.lock = lock(folder)
        self.plan = plan_hash(manifest)
        try:
            self.refuse_foreign()
            if not (folder / MANIFEST).exists():
                text = json.dumps(manifest | {"made_with": versions()}, indent=2) + "\n"
                with self.writing():
                    write_bytes(folder / MANIFEST, text.encode())
        except BaseException:
            self.close()
            raise

    def check(self, manifest: dict) -> None:
        """Refuse a folder that holds something else."""
        try:
            there = read_manifest(self.folder)
        except UsageError:
            raise UsageError(
                f"--out {self.folder} holds other files and no plan of evendeal's: nothing "
                "written; name an empty or a new folder"
            ) from None
        differs = [key for key in manifest if manifest[key] != there.get(key)]
        if differs:
            raise UsageError(
                f"--out {self.folder} holds another plan (different: {', '.join(differs)}): "
                "nothing written; name another folder"
            )

    def refuse_foreign(self) -> None:
        """Refuse files among the parts that are no parts, and parts of another plan."""
        for path in sorted((self.folder / PARTS).iterdir()):
            if path.name.endswith(".writing"):
                path.unlink()  # of a process that was killed
            elif path.name.startswith("."):
                continue
            elif not PART_NAME.fullmatch(path.name):
                raise UsageError(f"{path} is no part of these results: nothing written; remove it")
            elif owner(path) not in (None, self.plan):
                raise UsageError(
                    f"{path} is a part of another plan's results: nothing written; remove it"
                )

    def stream(self, plan, number: int = 0, labels: dict | None = None) -> "Stream":
        """The results of one of the folder's plans.

        Parameters
        ----------
        plan : Plan
        number : int
            Its place in the manifest.
        labels : dict, optional
            Columns that its tables get on the disk, with their one value.
        """
        return Stream(self, plan, number, labels or {})

    @contextlib.contextmanager
    def writing(self):
        """Turn what the disk says while it is written to into an error with what is safe."""
        try:
            yield
        except OSError as error:
            try:
                safe = sum(plan["done"] for plan in status(self.folder)["plans"])
            except UsageError:
                safe = 0  # not even the plan could be written
            raise RunError(
                f"cannot write to {self.folder}: {error.strerror or error}; {safe:,} games are "
                "safe there, and the same command goes on from them",
                safe_games=safe,
            ) from error

    def close(self) -> None:
        """Let others at the folder."""
        os.close(self.lock)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()


class Stream:
    """One plan's results in a store; see `Store.stream`."""

    def __init__(self, store: Store, plan, number: int, labels: dict):
        self.store, self.plan, self.number, self.labels = store, plan, number, labels
        self.hands = load_game(plan.game).hands(plan.rules)
        deal = plan.games_per_deal
        self.part_games = max(1, PART_ROWS // (deal * self.hands)) * deal
        self.folder = store.folder / PARTS
        self.paths = {}
        for path in sorted(self.folder.iterdir()):
            name = PART_NAME.fullmatch(path.name)
            if name and int(name[1]) == number:
                self.paths.setdefault(int(name[2]), []).append(path)
        self.written = {}  # by part: how many rows it has on the disk
        self.games = 0  # that `add` has taken
        self.waiting, self.rows = [], 0  # tables of the part that is not yet full, and their rows
        self.journalled = 0  # how many of these tables the journal has

    def tables(self, jobs: int) -> Iterator:
        """All results in game order: from the disk where they are there, else played.

        Parameters
        ----------
        jobs : int

        Yields
        ------
        pandas.DataFrame
        """
        from sim.runner import run, to_table

        at = 0
        while at < self.plan.games:
            table = self.read(at // self.part_games)
            if table is not None:
                yield table
                at += len(table) // self.hands
                if at == self.plan.games or at % self.part_games == 0:
                    continue
            end = at - at % self.part_games + self.part_games
            while end < self.plan.games and end // self.part_games not in self.paths:
                end += self.part_games
            end = min(end, self.plan.games)
            chunks = run(self.plan, jobs, first=at, end=end)
            try:
                for rows in chunks:
                    yield to_table(rows, self.plan.n_seats)
            finally:
                chunks.close()
            at = end

    def read(self, part: int):
        """A part's table, or the start of it that is there; None if nothing of it is."""
        import pandas as pd

        found = []
        for path in self.paths.get(part, []):
            data = path.read_bytes()
            if digest(data) != PART_NAME.fullmatch(path.name)[3]:
                print(f"{path} is damaged: its games are played again", file=sys.stderr)
                path.unlink()
                continue
            table = pd.read_parquet(io.BytesIO(data)).drop(columns=list(self.labels))
            found.append((table, path))
        found.sort(key=lambda pair: -len(pair[0]))
        self.paths[part] = [path for _, path in found]
        self.written[part] = len(found[0][0]) if found else 0
        journal = read_journal(self.journal(part), self.store.plan)
        if journal is not None and len(journal) > self.written[part]:
            return journal
        return found[0][0] if found else None

    # --- writing ----------------------------------------------------------------------------------

    def add(self, table) -> None:
        """Take the next results, in game order, and have them on the disk."""
        start = 0
        while start < len(table):
            left = self.rows_of(self.part) - self.rows
            piece = table[start : start + left]
            self.waiting.append(piece)
            self.rows += len(piece)
            start += len(piece)
            self.games += len(piece) // self.hands
            with self.store.writing():
                if self.rows == self.rows_of(self.part):
                    self.finish_part()
                elif self.written.get(self.part, 0) < self.rows:
                    self.append_journal()

    @property
    def part(self) -> int:
        """The number of the part that the next results belong to."""
        return (self.games - self.rows // self.hands) // self.part_games

    def rows_of(self, part: int) -> int:
        """How many rows a part has when it is full."""
        return min(self.part_games, self.plan.games - part * self.part_games) * self.hands

    def finish_part(self) -> None:
        """Write the rows in hand as a part, unless they are there, and begin the next."""
        part, paths = self.part, self.paths.get(self.part, [])
        if self.written.get(part, 0) < self.rows:
            paths = [self.write_part(part), *paths]
        for old in paths[1:]:
            old.unlink(missing_ok=True)
        self.journal(part).unlink(missing_ok=True)
        self.waiting, self.rows, self.journalled = [], 0, 0

    def write_part(self, part: int) -> Path:
        """Write the rows in hand under their own name."""
        import pandas as pd
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pd.concat(self.waiting, ignore_index=True)
        for place, (name, value) in enumerate(self.labels.items()):
            table.insert(place, name, value)
        arrow = pa.Table.from_pandas(table, preserve_index=False)
        arrow = arrow.replace_schema_metadata(
            (arrow.schema.metadata or {}) | {b"evendeal_plan": self.store.plan.encode()}
        )
        data = io.BytesIO()
        pq.write_table(arrow, data, compression="zstd")
        data = data.getvalue()
        path = self.folder / f"part-{self.number:04}-{part:06}.{digest(data)}.parquet"
        write_bytes(path, data)
        return path

    def journal(self, part: int) -> Path:
        """Where the chunks of a part wait until it is whole."""
        return self.folder / f".journal-{self.number:04}-{part:06}"

    def append_journal(self) -> None:
        """Add the rows that the journal does not yet have."""
        import pandas as pd
        import pyarrow as pa

        table = pd.concat(self.waiting[self.journalled :], ignore_index=True)
        arrow = pa.Table.from_pandas(table, preserve_index=False)
        sink = pa.BufferOutputStream()
        options = pa.ipc.IpcWriteOptions(compression="zstd")
        with pa.ipc.new_stream(sink, arrow.schema, options=options) as writer:
            writer.write_table(arrow)
        data = sink.getvalue().to_pybytes()
        path, record = self.journal(self.part), record_head(self.store.plan, data) + data
        if self.journalled:
            with open(path, "ab") as file:
                file.write(record)
        else:
            write_bytes(path, record)  # in place of a journal that was read
        self.journalled = len(self.waiting)

    def close(self) -> None:
        """Write what is left as a part that is not full; the next run completes it."""
        if self.rows:
            with self.store.writing():
                self.finish_part()


def record_head(plan: str, data: bytes) -> bytes:
    """The length of a journal's record and what proves it whole and of this plan."""
    proof = hashlib.sha256(plan.encode() + data).digest()
    return len(data).to_bytes(8, "little") + proof


def read_journal(path: Path, plan: str):
    """The rows of a journal up to its first record that is torn; None if there are none."""
    import pandas as pd
    import pyarrow as pa

    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    tables, at, head = [], 0, 8 + HASH_BYTES
    while at + head <= len(data):
        length = int.from_bytes(data[at : at + 8], "little")
        record = data[at + head : at + head + length]
        if data[at : at + head] != record_head(plan, record):
            break
        tables.append(pa.ipc.open_stream(record).read_pandas())
        at += head + length
    return pd.concat(tables, ignore_index=True) if tables else None


def owner(part) -> str | None:
    """The hash of the plan that a part, a path or a file, is of; None where it cannot be read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        metadata = pq.read_schema(part).metadata or {}
        return metadata[b"evendeal_plan"].decode()
    except (pa.ArrowException, OSError, KeyError, UnicodeDecodeError):
        return None


def status(folder) -> dict:
    """What a folder of results holds.

    Returns
    -------
    dict
        ``command`` that makes it; ``plans``, for each its game, the games ``planned`` at most and
        ``done``; ``damaged``, parts that are not as they were written.

    Raises
    ------
    UsageError
        If the folder has no plan of evendeal's.
    """
    import pyarrow.parquet as pq

    folder = Path(folder)
    manifest = read_manifest(folder)
    plain = {key: value for key, value in manifest.items() if key != "made_with"}
    plan, rows, damaged = plan_hash(plain), {}, []
    for path in sorted((folder / PARTS).glob("part-*")):
        name = PART_NAME.fullmatch(path.name)
        data = path.read_bytes()
        if not name or digest(data) != name[3] or owner(io.BytesIO(data)) != plan:
            damaged.append(path.name)
            continue
        key = int(name[1]), int(name[2])
        rows[key] = max(rows.get(key, 0), pq.read_metadata(io.BytesIO(data)).num_rows)
    for path in sorted((folder / PARTS).glob(".journal-*")):
        table = read_journal(path, plan)
        key = tuple(int(word) for word in path.name.split("-")[1:])
        rows[key] = max(rows.get(key, 0), 0 if table is None else len(table))
    plans = []
    for number, one in enumerate(plain.get("cells", [plain])):
        try:
            module = load_game(one["game"])
            hands = module.hands(module.Rules.parse(one["rules"]))
            planned = int(one["games"])
        except (KeyError, TypeError, ValueError, AttributeError, UsageError) as error:
            raise UsageError(f"{folder / MANIFEST} is no plan of evendeal's: {error}") from None
        done = sum(n for (of, _), n in rows.items() if of == number) // hands
        plans.append({"game": one["game"], "planned": planned, "done": done})
    return {"command": plain.get("command", ""), "plans": plans, "damaged": damaged}


def versions() -> dict:
    """What made a folder: parts are the same bytes where these are the same."""
    import platform
    from importlib.metadata import version

    packages = ("numpy", "numba", "pandas", "pyarrow")
    return {"python": platform.python_version()} | {name: version(name) for name in packages}


def lock(folder: Path) -> int:
    """Hold a folder until the process ends, however it ends.

    Raises
    ------
    UsageError
        If another process holds it.
    """
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise UsageError(
            f"another process is writing to {folder}: wait for it, or name another folder"
        ) from None
    return handle
