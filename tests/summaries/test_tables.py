"""Summary tables: CSV that reads back to the bit, Markdown and the screen for people."""

from __future__ import annotations

import csv
import re
from operator import itemgetter
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from rich.console import Console

from pipeline.grammar.findings import pivot
from pipeline.summary.tables import SummaryTable
from pipeline.summary.verdicts import Verdict

TABLE = SummaryTable(
    "sample",
    "A sample",
    ("name", "n", "mean", "verdict"),
    [("w_sum/gini", 40000, 0.1383021234567, Verdict.AGREES), ("=1+1|x", -3, None, None)],
    "n = 2.",
)


def test_csv_is_exact_and_holds_back_formulas() -> None:
    assert TABLE.as_csv().splitlines() == [
        "name,n,mean,verdict",
        "w_sum/gini,40000,0.1383021234567,agrees",
        "'=1+1|x,-3,,",
    ]


@given(st.lists(st.floats(allow_nan=False), max_size=5))
def test_floats_read_back(values: list[float]) -> None:
    text = SummaryTable("t", "T", ("x",), [(value,) for value in values], "").as_csv()
    assert [float(row["x"]) for row in csv.DictReader(text.splitlines())] == values


@pytest.mark.parametrize("start", ["=", "+", "-", "@"])
def test_only_text_is_held_back(start: str) -> None:
    table = SummaryTable("t", "T", ("a", "b", "c"), [(f"{start}x", -1.5, f"x{start}")], "")
    assert table.as_csv().splitlines()[1] == f"'{start}x,-1.5,x{start}"


def test_markdown_is_rounded_under_title_and_over_note() -> None:
    assert TABLE.as_markdown().splitlines() == [
        "# A sample",
        "",
        "| name | n | mean | verdict |",
        "| --- | ---: | ---: | --- |",
        "| w_sum/gini | 40000 | 0.1383 | agrees |",
        r"| =1+1\|x | -3 |  |  |",
        "",
        "n = 2.",
    ]


def test_all_forms_show_the_same_digits() -> None:
    rows = [("a", 94.03, 94.0), ("b", 71.25, 71.3), ("c", 6.5, 6.1)]
    table = SummaryTable("t", "T", ("set", "accuracy", "printed"), rows, "")
    for text in (table.as_markdown(), table.as_latex()):
        lines = [re.findall(r"[0-9]+\.[0-9]+", line) for line in text.splitlines()]
        assert [line for line in lines if line] == [["94.03", "94.0"], ["71.25", "71.3"], ["6.50", "6.1"]]


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ((0.005, 8.2 / 10, 12.64), ["0.005", "0.820", "12.640"]),
        ((0.0051234, 0.82, 12.64), ["0.01", "0.82", "12.64"]),
        ((4.0, 250.0), ["4", "250"]),
    ],
)
def test_short_decimals_are_shown_in_full(values: tuple[float, ...], shown: list[str]) -> None:
    text = SummaryTable("t", "T", ("tolerance",), [(value,) for value in values], "").as_markdown()
    assert re.findall(r"^\| ([0-9.]+) \|$", text, re.MULTILINE) == shown


MARKS = st.sampled_from(["|", "\\", "\\|", "\n", "\r", "\x85", "`", "](", "![", "[", "]:", "<b>", "&", "*", " ", "x"])


def split_cells(line: str) -> list[str]:
    """The cells of a line of a table as GitHub reads them: a backslash with what follows it is one sign."""
    return re.findall(r"\|((?:[^|\\]|\\.)*)(?=\|)", line)


@given(st.lists(st.text(st.characters()) | st.lists(MARKS, max_size=6).map("".join), min_size=2, max_size=2))
@example(["x\\|y", "x\\\\|y"])
@example(["a\\", "|"])
def test_markdown_keeps_its_columns_and_makes_no_markup_of_names(row: list[str]) -> None:
    text = SummaryTable("t", row[0], row, [row], row[1]).as_markdown()
    lines = [line for line in text.split("\n") if line.startswith("|")]
    assert [len(split_cells(line)) for line in lines] == [2, 2, 2]
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    kinds = [token.type for token in tokens]
    assert (kinds.count("th_open"), kinds.count("td_open")) == (2, 2)
    inline = {child.type for token in tokens for child in token.children or []}
    assert not inline & {"html_inline", "link_open", "image"}
    assert "html_block" not in kinds


@pytest.mark.parametrize("text", ["x\\|y", "a\\", "|", "\\|\\", "a|b|c", "&amp; <b>", "C:\\new"])
def test_a_reader_of_markdown_sees_the_text(text: str) -> None:
    parsed = MarkdownIt("commonmark").enable("table").parse(SummaryTable("t", "T", ["a"], [[text]], "n").as_markdown())
    *_, cell, _ = (token for token in parsed if token.type == "inline")
    assert "".join(child.content for child in cell.children or []) == text


def test_write_leaves_three_whole_files_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    assert TABLE.write(folder) == tuple(folder / f"sample.{form}" for form in ("csv", "md", "tex"))
    TABLE.write(folder)
    assert sorted(path.name for path in folder.iterdir()) == ["sample.csv", "sample.md", "sample.tex"]
    assert (folder / "sample.csv").read_bytes() == TABLE.as_csv().encode()


def test_rows_must_fill_the_columns() -> None:
    with pytest.raises(ValueError, match="row 2 of table t has 1 values for 2 columns"):
        SummaryTable("t", "T", ("a", "b"), [(1, 2), (1,)], "")


def test_the_screen_takes_text_literally() -> None:
    console = Console(width=80)
    with console.capture() as shown:
        console.print(SummaryTable("t", "T", ("a",), [("[bold]x[/bold]",)], "a note of some words").as_rich())
    assert "[bold]x[/bold]" in shown.get()
    assert "a note of some words" in shown.get()


def test_a_heading_is_folded_where_the_screen_is_too_narrow() -> None:
    names = [f"a_rather_long_heading_{number}" for number in range(6)]
    console = Console(width=60)
    with console.capture() as shown:
        console.print(SummaryTable("t", "T", names, [["text"] * 6], "").as_rich())
        pivoted = [{"line": "iris", "column": name} for name in names]
        console.print(
            pivot(pivoted, line=itemgetter("line"), column=itemgetter("column"), cell=lambda _: "1.25", title="")
        )
    assert "…" not in shown.get()


def test_characters_outside_utf8_are_escaped_or_a_question_mark(tmp_path: Path) -> None:
    files = SummaryTable("t", "T\ud800", ("na\udfffme",), [("a\udcffb",)], "\ud800").write(tmp_path)
    csv_text, markdown, latex = (file.read_text(encoding="utf-8") for file in files)
    assert csv_text == "'na\\udfffme\n'a\\udcffb\n"
    assert "| a?b |" in markdown
    assert "DCFF" in latex
