"""The page of a run and its figures."""

import io
from pathlib import Path

from sim import __version__
from sim.store import write_bytes


def option_rows(rules) -> list[dict]:
    """The options of a rule set for a page."""
    defaults = type(rules)().as_dict()
    return [
        {
            "name": name,
            "value": getattr(rules, name),
            "default": defaults[name],
            "changed": getattr(rules, name) != defaults[name],
            "rule": field.metadata["rule"],
            "doc": field.metadata["doc"],
        }
        for name, field in type(rules).options().items()
    ]


def template(name: str):
    """A page's template."""
    import jinja2

    loader = jinja2.FileSystemLoader(Path(__file__).parent / "templates")
    return jinja2.Environment(loader=loader, autoescape=True).get_template(name)


def write_page(folder: Path, figures: dict, report: dict, rules, **content) -> None:
    """Write ``report.html`` and each figure as PNG and SVG.

    Parameters
    ----------
    folder : Path
    figures : dict
        Name to (figure, caption).
    report : dict
        Of the run: its games, those unfinished, its seed.
    rules : RuleSet
    **content
        What else the template shows: question, answer, notes, estimates, command.
    """
    import matplotlib.pyplot as plt

    from reports.figures import STYLE

    shown = []
    for name, (figure, caption) in figures.items():
        svg, png = io.BytesIO(), io.BytesIO()
        with plt.rc_context(STYLE):  # which makes the ids in an SVG the same every time
            figure.savefig(svg, format="svg", metadata={"Date": None})
            figure.savefig(png, format="png", dpi=150, metadata={"Software": None})
        plt.close(figure)
        write_bytes(folder / f"{name}.svg", svg.getvalue())
        write_bytes(folder / f"{name}.png", png.getvalue())
        text = svg.getvalue().decode()
        # Ids are per picture; several pictures share one page.
        text = text[text.index("<svg") :].replace('id="', f'id="{name}-')
        text = text.replace('xlink:href="#', f'xlink:href="#{name}-').replace(
            "url(#", f"url(#{name}-"
        )
        shown.append({"svg": text, "caption": caption, "alt": caption})
    write_data(folder, report | {"figures": list(figures)}, content["estimates"])
    page = template("report.html").render(
        figures=shown,
        version=__version__,
        options=option_rows(rules),
        games=f"{report['games']:,}",
        unfinished=f"{report['unfinished']:,}",
        seed=report["seed"],
        level=95,
        **content,
    )
    write_bytes(folder / "report.html", page.encode())


TIMES = ("elapsed_s", "games_per_s", "seconds_needed")  # of a report: they are the machine's


def write_data(folder: Path, report: dict, estimates) -> None:
    """Write ``report.json``, all but how long it took, and ``estimates.csv``."""
    import json

    import pandas as pd

    from reports.app import finite

    kept = {k: v for k, v in report.items() if k not in TIMES}
    write_bytes(folder / "report.json", (json.dumps(finite(kept), indent=1) + "\n").encode())
    rows = pd.DataFrame([e if isinstance(e, dict) else e.as_dict() for e in estimates])
    columns = [c for c in ("name", "value", "low", "high", "level", "n", "definition") if c in rows]
    write_bytes(folder / "estimates.csv", rows[columns].to_csv(index=False).encode())
