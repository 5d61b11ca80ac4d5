"""Every kind of page in a browser, as wide as a phone and as a desk."""

import json
import re
import shutil
import subprocess

import pytest

from reports import study

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
WIDTHS = (360, 1280)
PAGES = """
[[question]]
ask = "advantage"
title = "Who moves first"
game = "fart"
strategy = "random"
games = 200

[[question]]
ask = "match"
title = "Two strategies with a test"
game = "fart"
a = "dump"
b = "random"
sprt = [0, 300]
games = 2000

[[question]]
ask = "tournament"
title = "All strategies of a game against all"
game = "fart"
strategies = ["dump", "random", "starve"]
games = 300

[[question]]
ask = "sweep"
title = "Rules"
game = "fart"
strategy = ["random", "dump"]
vary = { refill = [4, 5], special_reach = ["both_banks", "own_bank"] }
games = 100

[[question]]
ask = "plan"
title = "How many games"
game = "fart"
strategies = ["dump", "random"]
detect = 0.02
games = 200

[[question]]
ask = "mobility"
title = "Ranks"
strategies = ["random", "lowest_first"]
hands = 6
games = 40
"""
# A page tells the page around it how it came out.
PROBE = """<script>
addEventListener("load", () => parent.postMessage({
  name: NAME,
  wide: document.documentElement.scrollWidth - innerWidth,
  heading: document.querySelectorAll("h1").length,
  figures: [...document.querySelectorAll("figure")].map(f => {
    const box = f.querySelector("svg, img").getBoundingClientRect();
    return [box.width, box.height];
  }),
  unnamed: [...document.querySelectorAll("img, figure[role=img]")].filter(
    e => !(e.alt || e.getAttribute("aria-label"))).length,
}, "*"));
</script>"""
AROUND = """<!doctype html><meta charset="utf-8"><pre id="said"></pre><script>
const said = [];
addEventListener("message", event => {
  said.push(event.data);
  document.getElementById("said").textContent = JSON.stringify(said);
});
</script>"""


def visit(pages: dict, folder):
    """What each page says of itself at each width, and what the browser's console said."""
    frames = ""
    for name, text in pages.items():
        for width in WIDTHS:
            file = folder / f"{len(frames)}.html"
            probe = PROBE.replace("NAME", json.dumps([name, width]))
            file.write_text(text.replace("</body>", probe + "</body>"))
            frames += f'<iframe src="{file.name}" style="width:{width}px;height:800px"></iframe>'
    (folder / "around.html").write_text(AROUND + frames)
    words = "--headless --no-sandbox --disable-gpu --enable-logging=stderr --dump-dom".split()
    done = subprocess.run(
        [CHROMIUM, *words, f"--user-data-dir={folder / 'profile'}"]
        + ["--virtual-time-budget=20000", (folder / "around.html").as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
    )
    said = re.search(r'<pre id="said">(.*?)</pre>', done.stdout, re.DOTALL)
    assert said, done.stderr
    seen = {tuple(one["name"]): one for one in json.loads(said[1] or "[]")}
    return seen, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium")
def test_every_kind_of_page_fits_and_shows_its_figures(tmp_path):
    (tmp_path / "s.toml").write_text(PAGES)
    found, out = study.read(tmp_path / "s.toml", False), tmp_path / "out"
    assert {q.ask for q in found.questions} == set(study.askable()), "a kind of page is missing"
    assert study.answer(found, out, 2) == 0
    pages = {"index": (out / "index.html").read_text()}
    figures = {"index": len(found.questions)}
    for question in found.questions:
        folder = out / question.folder
        pages[question.ask] = (folder / "report.html").read_text()
        figures[question.ask] = len(json.loads((folder / "report.json").read_text())["figures"])
    (tmp_path / "web").mkdir()
    # The browser itself is asked first: it must see what is wrong.
    wrong = "<body><h1>x</h1><figure><svg width=0></svg></figure><p style='width:99rem'>x"
    pages["wrong"] = wrong + "</p></body><script>console.error('heard')</script>"
    seen, console = visit(pages, tmp_path / "web")
    assert len(console) == len(WIDTHS) and all("heard" in line for line in console), console
    assert seen["wrong", 360]["wide"] > 0 and seen["wrong", 360]["figures"][0][0] == 0
    for name, count in figures.items():
        for width in WIDTHS:
            page = seen[name, width]
            assert page["wide"] <= 0, (name, width, page)
            assert len(page["figures"]) == count > 0
            assert all(w > 100 and h > 30 for w, h in page["figures"]), (name, width, page)
            assert page["heading"] == 1 and page["unnamed"] == 0
