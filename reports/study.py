"""A study: a file of questions, each a command with its options, and one folder of answers."""

import contextlib
import dataclasses
import hashlib
import io
import json
import re
import sys
import tomllib
from pathlib import Path

from sim.errors import UsageError, unknown

READY = Path(__file__).parent / "studies"
HEADER = re.compile(r"\s*\[{1,2}\s*((?:study|question)[\w.\s-]*?)\s*\]{1,2}\s*(?:#.*)?$")
KEY = re.compile(r"\s*([\w-]+(?:\s*\.\s*[\w-]+)*)\s*=")
OWN_KEYS = ("ask", "title", "quick")
NOT_ASKED = ("out", "jobs", "json")  # of a command: the study says them for all
WHO = ("a", "b", "strategy", "strategies")  # keys whose values are strategies


@dataclasses.dataclass(frozen=True)
class Question:
    """One question, found to be right.

    Attributes
    ----------
    title : str
    ask : str
        The command that answers it.
    words : list of str
        Its command line.
    request : dict
        All that decides the answer: the manifest of its results.
    folder : str
        The name of its folder; another request has another folder.
    """

    title: str
    ask: str
    words: list[str]
    request: dict
    folder: str


@dataclasses.dataclass(frozen=True)
class Study:
    """A file of questions.

    Attributes
    ----------
    title : str
    seed : int
    quick : bool
        Whether the questions are asked with their `quick` options.
    questions : list of Question
    """

    title: str
    seed: int
    quick: bool
    questions: list[Question]


def find(name: str) -> Path:
    """The file of a study, or the ready one of that name.

    Raises
    ------
    UsageError
        If there is neither, with what there is.
    """
    path, ready = Path(name), {p.stem: p for p in sorted(READY.glob("*.toml"))}
    if path.is_file():
        return path
    if name in ready:
        return ready[name]
    raise unknown("study", name, [*map(str, sorted(Path().glob("*.toml"))), *ready])


def askable() -> dict:
    """The commands that can be asked: those that write a folder."""
    import typer

    from reports.cli import app  # with all commands

    commands = typer.main.get_command(app).commands
    names = {name: [key_of(p) for p in command.params] for name, command in commands.items()}
    return {n: commands[n] for n, keys in names.items() if {"out", "json", "seed"} <= set(keys)}


def key_of(parameter) -> str:
    """A parameter of a command as a key of a study."""
    return max(parameter.opts, key=len).lstrip("-")


def lines_of(text: str) -> dict[tuple, int]:
    """On which line each table and key of a study stands, from 1.

    Returns
    -------
    dict
        ``("question", 0, "set", "tie")`` and the like to a line.
    """
    found, section, questions, within = {}, (), 0, None
    for number, line in enumerate(text.splitlines(), 1):
        if within is None:
            header, key = HEADER.match(line), KEY.match(line)
            if header:
                section = tuple(part.strip() for part in header[1].split("."))
                if section[0] == "question":
                    questions += len(section) == 1
                    section = ("question", questions - 1, *section[1:])
                found.setdefault(section, number)
            elif key:
                path = section
                for part in key[1].split("."):
                    path += (part.strip(),)
                    found.setdefault(path, number)
        for mark in ('"""', "'''"):
            if within in (None, mark) and line.count(mark) % 2:
                within = mark if within is None else None
    return found


def read(path: Path, quick: bool) -> Study:
    """A study, with every question checked by the command that is to answer it; nothing is played.

    Parameters
    ----------
    path : Path
    quick : bool
        Whether to ask with the questions' `quick` options.

    Raises
    ------
    UsageError
        With all that is wrong, each with its line.
    """
    try:
        text = path.read_text(encoding="utf-8")
        content = tomllib.loads(text)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is no TOML: {error}") from None
    lines, faults, questions = lines_of(text), [], []

    def fault(where: tuple, problem) -> None:
        while where and where not in lines:
            where = where[:-1]
        faults.append((lines.get(where, 1), str(problem)))

    for key in content:
        if key not in ("study", "question"):
            fault((key,), unknown("table", key, ("study", "question")))
    head = content.get("study", {})
    if not isinstance(head, dict):
        fault(("study",), "study must be a table: [study]")
        head = {}
    for key in head:
        if key not in ("title", "seed"):
            fault(("study", key), unknown("key of study", key, ("title", "seed")))
    title, seed = head.get("title", path.stem), head.get("seed", 1)
    if not isinstance(title, str):
        fault(("study", "title"), f"title must be text, not {title!r}")
    if not isinstance(seed, int) or isinstance(seed, bool):
        fault(("study", "seed"), f"seed must be a whole number, not {seed!r}")
    asked = content.get("question", [])
    if not isinstance(asked, list) or not all(isinstance(one, dict) for one in asked):
        fault(("question",), "questions are tables in a list: [[question]]")
        asked = []
    elif not asked:
        fault((), "a study needs at least one [[question]]")
    commands, titles = askable(), set()
    for number, keys in enumerate(asked):
        place = ("question", number)
        before = len(faults)
        name = keys.get("title")
        if not isinstance(name, str) or not name.strip():
            fault((*place, "title"), "a question needs a title, as text")
        elif name in titles:
            fault((*place, "title"), f"the title {name!r} stands twice")
        else:
            titles.add(name)
        command = keys.get("ask")
        if not isinstance(command, str) or command not in commands:
            fault((*place, "ask"), unknown("command to ask", command, commands))
            continue
        options = {key: value for key, value in keys.items() if key not in OWN_KEYS}
        for where, problem in faults_of(commands[command], options):
            fault(place + where, problem)
        changes = keys.get("quick", {})
        if not isinstance(changes, dict):
            fault((*place, "quick"), "quick must be a table of options: quick = {games = 1000}")
            changes = {}
        for where, problem in faults_of(commands[command], options | changes):
            if where and where[0] in changes:
                fault((*place, "quick", *where), problem)
        if len(faults) > before:
            continue
        chosen = {}
        for now in (False, True):  # both are checked, whichever is asked for
            words = words_of(commands[command], {"seed": seed} | options | (changes if now else {}))
            try:
                chosen[now] = words, request_of(words)
            except Exception as error:
                if not isinstance(error, UsageError) and not hasattr(error, "format_message"):
                    raise
                problem = error if isinstance(error, UsageError) else error.format_message()
                near = [key for key in keys if re.search(rf"--{re.escape(key)}\b", str(problem))]
                fault(place + (("quick",) if now else ()) + tuple(near[:1]), problem)
                break
        else:
            words, request = chosen[quick]
            questions.append(Question(name, command, words, request, folder_of(name, request)))
    if faults:
        faults = sorted(set(faults))
        listed = "\n".join(f"  line {line}: {problem}" for line, problem in faults)
        count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        raise UsageError(f"{path} has {count}:\n{listed}")
    return Study(title, seed, quick, questions)


def faults_of(command, options: dict):
    """What is wrong with the options of a question, as far as each can be told by itself.

    Yields
    ------
    (tuple, problem)
        Where, as keys below the question.
    """
    from reports.app import split_specs
    from sim.game import load_game
    from strategies.registry import load

    known = {key_of(p): p for p in command.params if key_of(p) not in NOT_ASKED}
    for key in options:
        if key not in known:
            yield (key,), unknown(f"key of {command.name}", key, [*OWN_KEYS, *known])
    for key, parameter in known.items():
        if parameter.required and key not in options:
            yield (), f"{command.name} needs the key {key}"
    for key, value in options.items():
        if key in ("set", "vary") and key in known and not isinstance(value, dict):
            yield (key,), f'{key} must be a table: {key} = {{option = "value"}}'
        elif key not in ("set", "vary") and isinstance(value, dict):
            yield (key,), f"{key} must be a value, not a table"
    if "game" not in options:
        return
    try:
        module = load_game(options["game"])
    except UsageError as error:
        yield ("game",), error
        return
    for table in ("set", "vary"):
        given = options.get(table)
        for name, values in given.items() if isinstance(given, dict) else ():
            for value in values if isinstance(values, list) else [values]:
                try:
                    module.Rules.parse({name: str(value)})
                except UsageError as error:
                    # What options forbid each other is for the command, which knows them all.
                    if str(error).startswith((f"option {name} ", "unknown")):
                        yield (table, name), error
    for key in WHO:
        named = options.get(key, []) if key in known else []
        for spec in named if isinstance(named, list) else [named]:
            try:
                for one in split_specs(str(spec)):
                    load(options["game"], one)
            except UsageError as error:
                yield (key,), error


def words_of(command, options: dict) -> list[str]:
    """The command line of a question's options."""
    words, last = [command.name], []
    for parameter in command.params:
        key = key_of(parameter)
        if key not in options:
            continue
        value = options[key]
        if isinstance(value, dict):
            values = [f"{name}={joined(v)}" for name, v in value.items()]
        elif isinstance(value, list) and (parameter.multiple or parameter.nargs == -1):
            values = [joined(v) for v in value]
        else:
            values = [joined(value)]
        if parameter.param_type_name == "argument":
            last += values
        elif getattr(parameter, "is_flag", False):
            words += [f"--{key}"] if value else []
        else:
            words += [f"--{key}={v}" for v in values]
    return [*words, "--", *last] if last else words


def joined(value) -> str:
    """A value as the command line says it: those of a list with commas."""
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def run(words: list[str]) -> int:
    """Run one command, errors and all, without its words on stdout."""
    import typer

    from reports.cli import app  # with all commands

    with contextlib.redirect_stdout(io.StringIO()):
        return typer.main.get_command(app).main(args=words, standalone_mode=False)


def request_of(words: list[str]) -> dict:
    """What a command would play: its manifest, as the command itself comes to it.

    Raises
    ------
    UsageError
        As the command does.
    """
    from reports.run import Checked, only_check
    from sim.store import versions

    token = only_check.set(True)
    try:
        run(words)
    except Checked as checked:
        return checked.manifest | {"made_with": versions()}
    finally:
        only_check.reset(token)
    raise AssertionError(f"{words[0]} plays nothing, so it cannot be asked")


def folder_of(title: str, request: dict) -> str:
    """A name for the folder of a question: what it asks, and what decides the answer."""
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:40].strip("-") or "question"
    return f"{slug}-{hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()[:8]}"


def answer(study: Study, out: Path, jobs: int) -> int:
    """Play what is not there yet; the index is brought up to date after each question.

    Parameters
    ----------
    study : Study
    out : Path
    jobs : int
        Workers.

    Returns
    -------
    int
        The exit status: 130 if it was interrupted, else 0.

    Raises
    ------
    UsageError
        If the folder holds other things.
    """
    from reports.index import report_of, write_index
    from sim.store import make_folder

    make_folder(out)
    if any(out.iterdir()) and not (out / "study.json").is_file():
        raise UsageError(f"--out {out} holds other files: nothing written; name a new folder")
    write_index(study, out)
    for number, question in enumerate(study.questions, 1):
        folder = out / question.folder
        kept = report_of(folder) is not None
        place = f"{number} of {len(study.questions)}: {question.title}"
        print(place + (" (kept)" if kept else ""), file=sys.stderr)
        if kept:
            continue
        status = run(
            [question.words[0], f"--out={folder}", f"--jobs={jobs}", "--json"] + question.words[1:]
        )
        if status:
            return status
        write_index(study, out)
    return 0
