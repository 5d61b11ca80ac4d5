"""Studies as a user meets them: a file is checked, answered, taken up again."""

import json

import pandas as pd
import pytest

from reports import study
from sim.errors import UsageError
from tests.reports.test_cli import evendeal, files_of

TWO = """
[study]
title = "Two"
seed = 3

[[question]]
ask = "advantage"
title = "First move"
game = "fart"
strategy = "random"
games = 200

[[question]]
ask = "match"
title = "Dump or not"
game = "fart"
a = "dump"
b = "random"
set = { refill = 4 }
games = 200
quick = { games = 100 }
"""


def test_the_example_is_a_study_that_runs_and_says_all(tmp_path):
    status, said, _ = evendeal("new-study", "mine.toml", cwd=tmp_path)
    assert status == 0 and "mine.toml" in said
    before = (tmp_path / "mine.toml").read_bytes()
    status, _, err = evendeal("new-study", "mine.toml", cwd=tmp_path)
    assert status == 2 and "there already" in err
    assert (tmp_path / "mine.toml").read_bytes() == before
    status, said, err = evendeal("study", "mine.toml", "--quick", "--json", cwd=tmp_path)
    assert status == 0, err
    found = json.loads(said)
    folder = tmp_path / "mine_quick"
    assert json.loads((folder / "study.json").read_text()) == found
    assert found["answered"] == len(found["questions"]) == 3
    page = (folder / "index.html").read_text()
    table = pd.read_csv(folder / "estimates.csv")
    for question in found["questions"]:
        assert f'href="{question["folder"]}/report.html"' in page
        assert (folder / question["folder"] / "report.html").is_file()
        report = question["report"]
        assert report["answer"].split(",")[0] in page and report["games"] > 0
        assert (table["question"] == question["title"]).sum() >= len(report["estimates"]) > 0
    assert found["questions"][1]["report"]["rules"]["refill"] == 4
    # The example says 100,000 games; --quick asked for 4,000.
    assert found["questions"][0]["report"]["games"] == 4000
    files = files_of(folder)
    status, _, err = evendeal("study", "mine.toml", "--quick", cwd=tmp_path)
    assert status == 0 and err.count("(kept)") == 3
    assert files_of(folder) == files


@pytest.mark.parametrize("quick", [False, True])
@pytest.mark.parametrize("path", sorted(study.READY.glob("*.toml")), ids=lambda p: p.stem)
def test_ready_studies_are_right(path, quick):
    assert study.find(path.stem) == path
    found = study.read(path, quick)
    assert len(found.questions) >= 4
    assert len({q.folder for q in found.questions}) == len(found.questions)


def test_all_faults_come_at_once_with_their_lines(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text(
        """[study]
titel = "Bad"

[[question]]
ask = "advantage"
title = "One"
game = "fart"
gmaes = 100
strategy = "dmup"

[[question]]
ask = "mach"
title = "Two"

[[question]]
ask = "sweep"
title = "One"
game = "phalanx"
[question.vary]
tie = ["return", "viod"]
aec = ["1", "4"]

[[question]]
ask = "match"
title = "Four"
game = "fart"
a = "dump"
b = "random"
games = 3

[[question]]
ask = "match"
title = "Five"
game = "frat"
a = "dump"
quick = { game = 1 }
"""
    )
    status, out, err = evendeal("study", "bad.toml", cwd=tmp_path)
    assert status == 2 and out == ""
    hints = {
        2: "did you mean title",
        8: "did you mean games",
        9: "did you mean dump",
        12: "did you mean match",
        17: "stands twice",
        20: "did you mean void",
        21: "did you mean ace",
        29: "multiple of 2",
        31: "needs the key b",
        34: "did you mean fart",
        36: "unknown game",
    }
    lines = err.splitlines()
    assert "11 faults" in lines[0], err
    for line, hint in hints.items():
        assert any(f" line {line}: " in one and hint in one for one in lines), (line, err)
    assert [p.name for p in tmp_path.iterdir()] == ["bad.toml"]


@pytest.mark.parametrize(
    "text, hint",
    [
        ("[study\n", "line 1"),
        ("[study]\n", "at least one"),
        ("[[questoin]]\n", "did you mean question"),
        ("question = 3\n", "[[question]]"),
        (TWO.replace("{ refill = 4 }", '"refill=4"'), "line 19: set must be a table"),
        (TWO.replace("{ games = 100 }", "{ games = 101 }"), "line 21: --games 101"),
        (TWO.replace('"random"\ngames', '"random"\nout = "x"\ngames'), "line 11: unknown key"),
    ],
)
def test_what_is_no_study(tmp_path, text, hint):
    path = tmp_path / "s.toml"
    path.write_text(text)
    with pytest.raises(UsageError) as error:
        study.read(path, False)
    assert hint in str(error.value)


def test_lines_are_those_of_tables_and_keys():
    lines = study.lines_of(
        '[study]\ntitle = """\nseed = 1\n"""\nseed = 2\n[[question]]\nset.tie = 1'
    )
    assert lines["study", "seed"] == 5
    assert lines["question", 0] == 6 and lines["question", 0, "set", "tie"] == 7


def test_only_what_changed_is_played_again(tmp_path, capsys):
    path, out = tmp_path / "s.toml", tmp_path / "out"
    path.write_text(TWO)
    assert study.answer(study.read(path, False), out, 1) == 0
    capsys.readouterr()
    first = json.loads((out / "study.json").read_text())["questions"]
    path.write_text(TWO.replace("refill = 4", "refill = 6"))
    assert study.answer(study.read(path, False), out, 1) == 0
    said = capsys.readouterr().err
    assert "First move (kept)" in said and "Dump or not (kept)" not in said
    second = json.loads((out / "study.json").read_text())["questions"]
    assert second[0] == first[0] and second[1]["folder"] != first[1]["folder"]
    assert second[1]["report"]["rules"]["refill"] == 6
    again = tmp_path / "again"
    assert study.answer(study.read(path, False), again, 2) == 0
    for question in second:
        page = f"{question['folder']}/report.html"
        assert (again / page).read_bytes() == (out / page).read_bytes()
    assert (again / "index.html").read_bytes() == (out / "index.html").read_bytes()


def test_an_interrupted_study_goes_on(tmp_path, monkeypatch, capsys):
    path, out = tmp_path / "s.toml", tmp_path / "out"
    path.write_text(TWO)
    found, run = study.read(path, False), study.run
    monkeypatch.setattr(study, "run", lambda words: 130 if words[0] == "match" else run(words))
    assert study.answer(found, out, 1) == 130
    assert "1 of 2 questions are answered" in (out / "index.html").read_text()
    monkeypatch.undo()
    assert study.answer(found, out, 1) == 0
    assert "First move (kept)" in capsys.readouterr().err
    assert json.loads((out / "study.json").read_text())["answered"] == 2


def test_a_folder_of_other_files_is_left_alone(tmp_path):
    (tmp_path / "s.toml").write_text(TWO)
    with pytest.raises(UsageError, match="other files"):
        study.answer(study.read(tmp_path / "s.toml", False), tmp_path, 1)
    assert [p.name for p in tmp_path.iterdir()] == ["s.toml"]


def test_a_study_that_is_not_there(tmp_path):
    status, _, err = evendeal("study", "fart_psh", cwd=tmp_path)
    assert status == 2 and "did you mean fart_push" in err
