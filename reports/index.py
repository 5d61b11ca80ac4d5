"""The first page of a study, and all its estimates as JSON and CSV."""

import base64
import json
from pathlib import Path

from sim import __version__
from sim.store import write_bytes


def contents(study, out: Path) -> dict:
    """A study and the reports of its questions so far, as plain data."""
    questions = [
        {
            "title": q.title,
            "ask": q.ask,
            "folder": q.folder,
            "command": q.request["command"],
            "report": report_of(out / q.folder),
        }
        for q in study.questions
    ]
    return {
        "command": "study",
        "title": study.title,
        "seed": study.seed,
        "quick": study.quick,
        "evendeal": __version__,
        "answered": sum(q["report"] is not None for q in questions),
        "questions": questions,
    }


def report_of(folder: Path) -> dict | None:
    """The report of a question's folder; None where it is not all there."""
    try:
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    whole = (folder / "report.html").is_file() and not report["interrupted"]
    return report if whole else None


def write_index(study, out: Path) -> None:
    """Write ``index.html``, ``study.json`` and ``estimates.csv`` from the folders of the questions.

    Parameters
    ----------
    study : Study
    out : Path
        The folder of the study.
    """
    import pandas as pd

    from reports.page import template

    found = contents(study, out)
    shown, tables = [], []
    for question in found["questions"]:
        report, folder = question["report"], out / question["folder"]
        picture = None
        if report:
            tables.append(pd.read_csv(folder / "estimates.csv"))
            tables[-1].insert(0, "question", question["title"])
        if report and report["figures"]:
            data = (folder / f"{report['figures'][0]}.png").read_bytes()
            picture = "data:image/png;base64," + base64.b64encode(data).decode()
        shown.append(question | {"picture": picture})
    page = template("study.html").render(found | {"questions": shown})
    write_bytes(out / "study.json", (json.dumps(found, indent=1) + "\n").encode())
    if tables:
        text = pd.concat(tables, ignore_index=True).to_csv(index=False)
        write_bytes(out / "estimates.csv", text.encode())
    write_bytes(out / "index.html", page.encode())
