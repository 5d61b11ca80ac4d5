"""A run's folder: the page, the figures, the results."""

import io
import json
import os
from pathlib import Path

from sim import __version__
from sim.errors import UsageError

MANIFEST = "plan.json"
ROWS_PER_GROUP = 100_000


class Results:
    """Writes ``results.parquet`` as chunks come; the file's bytes do not depend on the chunks.

    Parameters
    ----------
    folder : path
        Made if missing. A folder that holds another plan, or other files, is refused.
    manifest : dict
        All that decides the results, as plain data; with the command that makes the folder.

    Raises
    ------
    UsageError
        If the folder is not this plan's.
    """

    def __init__(self, folder, manifest: dict):
        self.folder = Path(folder)
        if self.folder.exists() and not self.folder.is_dir():
            raise UsageError(f"--out {self.folder} is a file, not a folder")
        if self.folder.exists() and any(self.folder.iterdir()):
            try:
                there = json.loads((self.folder / MANIFEST).read_text(encoding="utf-8"))
            except (OSError, ValueError):
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
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"--out {self.folder} cannot be made: {error.strerror}") from None
        text = json.dumps(manifest, indent=2) + "\n"
        write_bytes(self.folder / MANIFEST, text.encode())
        self.waiting, self.rows, self.writer = [], 0, None
        self.part = self.folder / "results.parquet.part"

    def add(self, table) -> None:
        """Take a chunk; write full row groups."""
        import pandas as pd

        self.waiting.append(table)
        self.rows += len(table)
        while self.rows >= ROWS_PER_GROUP:
            table = pd.concat(self.waiting, ignore_index=True)
            self.write(table[:ROWS_PER_GROUP])
            self.waiting = [table[ROWS_PER_GROUP:]]
            self.rows = len(self.waiting[0])

    def write(self, table) -> None:
        """Write one row group."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        arrow = pa.Table.from_pandas(table, preserve_index=False)
        if self.writer is None:
            self.writer = pq.ParquetWriter(self.part, arrow.schema, compression="zstd")
        self.writer.write_table(arrow)

    def close(self) -> None:
        """Write what is left and give the file its name."""
        import pandas as pd

        if self.rows:
            self.write(pd.concat(self.waiting, ignore_index=True))
        if self.writer is not None:
            self.writer.close()
            self.part.replace(self.folder / "results.parquet")


def write_bytes(path: Path, data: bytes) -> None:
    """Write a whole file or nothing."""
    part = path.with_name(path.name + ".part")
    part.write_bytes(data)
    os.replace(part, path)


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
    import jinja2
    import matplotlib.pyplot as plt

    shown = []
    for name, (figure, caption) in figures.items():
        svg, png = io.BytesIO(), io.BytesIO()
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
    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True
    )
    page = templates.get_template("report.html").render(
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
