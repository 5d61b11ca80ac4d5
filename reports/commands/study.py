"""``evendeal study`` and ``evendeal new-study``: questions in one file, answers in one folder."""

from pathlib import Path
from typing import Annotated

import typer

from reports.app import Jobs, Json, app, workers
from sim.errors import UsageError


@app.command()
def study(
    file: Annotated[
        str, typer.Argument(metavar="FILE.toml", help="A file, or the name of a ready study.")
    ],
    quick: Annotated[
        bool, typer.Option("--quick", help="Ask with the questions' quick options.")
    ] = False,
    jobs: Jobs = 0,
    out: Annotated[
        str | None,
        typer.Option(
            "--out", metavar="DIR", help="The study's folder.", show_default="the file's name"
        ),
    ] = None,
    json_: Json = False,
) -> int:
    """Answer all questions of a file: one folder with a page for each and one before them."""
    import json

    from reports.index import contents
    from reports.study import answer, find, read

    path = find(file)
    count = workers(jobs)
    found = read(path, quick)
    folder = Path(out or path.stem + ("_quick" if quick else ""))
    status = answer(found, folder, count)
    report = contents(found, folder)
    if json_:
        print(json.dumps(report))
        return status
    for question in report["questions"]:
        said = question["report"]["answer"] if question["report"] else "not answered yet"
        print(f"{question['title']}\n  {said}\n")
    if status:
        print("Interrupted: the same command goes on from here.")
    print(f"Page: {folder / 'index.html'}")
    return status


@app.command("new-study")
def new_study(
    file: Annotated[str, typer.Argument(metavar="[FILE.toml]")] = "study.toml",
) -> None:
    """Write an example of a study, with comments, to start one of your own from."""
    example = Path(__file__).parents[1] / "templates" / "study.toml"
    try:
        with open(file, "x", encoding="utf-8") as new:
            new.write(example.read_text(encoding="utf-8"))
    except FileExistsError:
        raise UsageError(f"{file} is there already: nothing written; name another file") from None
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}") from None
    print(f"Written: {file}. Change it, then: evendeal study {file} --quick")
