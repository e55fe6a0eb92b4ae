"""D20: files, columns, labels and builders with hostile names: shown, stored and requested unchanged."""

from __future__ import annotations

import csv
import io
import os
import shlex
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pipeline.query.command import main as query
from pipeline.show.command import main as show
from pipeline.summary.tables import SummaryTable
from tests.pipeline.command_line import ROOT, run_orchard
from tests.pipeline.test_csv_text import true_value

FILE = "a'; DROP $\\oops$ <b> [red]x|y &.csv"
BUILDER = "=1+1 <i>[/bold]$\\q$'\""
COLUMNS = ["=1+1", "<img src=x onerror=alert(1)>", "@SUM(A1)\x1b]0;owned\x07", "$\\frac{$"]
LABELS = ["=cmd()|' /C calc'!A0", "<script>alert(1)</script>", "'; DROP TABLE results; --", "\x1b[2J\u202ewiped"]
VALUES = ["+x", "-y", "@z", "\x1b[31mred"]


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\").replace('"', '\\"') + '"'


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which two grids were run on a file of hostile names; their output is in `message`."""
    folder = tmp_path_factory.mktemp("hostile")
    with (folder / FILE).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*COLUMNS, "class"])
        for index in range(48):
            first, second, third = index % 4, index // 4 % 4, index // 16
            writer.writerow([VALUES[first], VALUES[second], VALUES[third], index, LABELS[(first + second) % 4]])
    message = ""
    for grid in (
        ["+grid=compare_builders", f"builders=[{{name: {quoted(BUILDER)}, builder: cart}},c45]", "protocol.folds=2"],
        ["+grid=uci_exact", "heuristics=[max/rt]"],
    ):
        done = run_orchard(*grid, f"source=[{quoted('./' + FILE)}]", "cluster=threads", cwd=folder, figures=True)
        assert done.returncode == 0, done.stderr
        message += done.stdout + done.stderr
    (folder / "said").write_text(message, encoding="utf-8")
    return folder


def test_a_terminal_gets_only_text(hostile: Path) -> None:
    text = (hostile / "said").read_text(encoding="utf-8")
    assert [sign for sign in ("\x1b", "\x07", "\u202e") if sign in text] == []
    assert "[red]x|y &.csv" in text
    assert "@SUM(A1)" in text


def test_names_are_stored_as_they_are(hostile: Path) -> None:
    (parts,) = hostile.glob("outputs/classes/grid=*/run=*")
    import pyarrow.parquet as pq

    result = pq.read_table(parts)
    assert set(result["class"].to_pylist()) == set(LABELS)
    assert set(result["source"].to_pylist()) == {"./" + FILE}
    assert BUILDER in set(result["builder"].to_pylist())


def test_cells_of_csv_are_no_formulas_and_those_of_markdown_no_html(hostile: Path) -> None:
    tables = list(hostile.glob("outputs/summaries/*/*/*.csv"))
    assert len(tables) >= 5
    held = set()
    for table in tables:
        for row in csv.reader(io.StringIO(table.read_text(encoding="utf-8"))):
            for cell in row:
                assert not cell.startswith(("=", "@", "\t", "\r"))
                assert not cell.startswith(("+", "-")) or float(cell) < 0
                held.add(true_value(cell))
    assert {LABELS[0], BUILDER} <= held
    for table in hostile.glob("outputs/summaries/*/*/*.md"):
        text = table.read_text(encoding="utf-8")
        assert "<script" not in text
        assert "<b>" not in text
        assert "<i>" not in text
        widths = {line.replace("\\|", "").count("|") for line in text.splitlines() if line.startswith("|")}
        assert len(widths) == 1


def test_figures_are_drawn_and_hold_no_markup_of_others(hostile: Path) -> None:
    figures = list(hostile.glob("outputs/summaries/*/*/*.svg"))
    assert figures
    for figure in figures:
        tags = {each.tag.rpartition("}")[2] for each in ElementTree.parse(figure).iter()}
        assert "path" in tags
        assert not tags & {"script", "img", "b", "i", "foreignObject", "a"}


def test_a_question_and_its_answer_are_safe(
    hostile: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(hostile)
    assert query(['select class, builder as "=2+2" from classes order by all', "--format", "csv"]) == 0
    out = capsys.readouterr().out
    rows = list(csv.reader(io.StringIO(out)))
    assert rows[0] == ["class", "'=2+2"]
    assert "\x1b" not in out
    assert {row[0] for row in rows[1:]} >= {LABELS[1], f"'{LABELS[0]}"}
    assert {true_value(row[0]) for row in rows[1:]} == set(LABELS)
    assert query(["select distinct class, '\x1b[2J' as \"\x1b]0;x\x07\" from classes"]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "wiped" in out
    assert query(['select "\x1b[2J" from classes']) == 2
    assert "\x1b" not in capsys.readouterr().err


def test_the_next_command_that_is_shown_works(hostile: Path) -> None:
    lines = (hostile / "said").read_text(encoding="utf-8").splitlines()
    shown = [line[10:].strip() for line in lines if "pipeline.show --source" in line]
    assert len(shown) == 2
    for command in shown:
        assert shlex.split(command)[4] == "./" + FILE
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=hostile,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "\x1b" not in done.stdout
        assert "red" in done.stdout


def test_an_error_shows_a_hostile_name_and_does_not_obey_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert show(["--output", "no\x1b[2J\nwhere"]) == 2
    assert "\x1b" not in capsys.readouterr().err


def test_markdown_makes_no_link_or_image_of_a_name() -> None:
    table = SummaryTable("t", "T", ["a"], [["![x](http://example.org/x.png)"]], "[y](javascript:alert(1))")
    assert "](" not in table.as_markdown()


def test_markdown_keeps_what_is_no_markup() -> None:
    table = SummaryTable("t", "p < 0.05 & more", ["a|b", "<x>"], [["1 < 2\r\n3", 4.0]], "no <b>")
    assert table.as_markdown() == (
        "# p &lt; 0.05 &amp; more\n\n| a\\|b | &lt;x> |\n| --- | ---: |\n| 1 &lt; 2 3 | 4 |\n\nno &lt;b>\n"
    )
