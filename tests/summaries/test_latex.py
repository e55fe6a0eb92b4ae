"""Tables in LaTeX: hostile names as the signs they are, and a document that pdfTeX sets without a word of error."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.summary import latex
from pipeline.summary.tables import SummaryTable
from pipeline.summary.verdicts import Verdict
from tests.pipeline.grids.every_grid import CASES, grid_named
from tests.pipeline.questions import computed_run, summarised
from tests.summaries.typeset import check_fits, set_by_latex

HOSTILE = (
    *("<script>alert(1)</script>", "'; drop table results; --", "=cmd()|' /C calc'!A0", r"\input{/etc/passwd}"),
    *("$x_1$ & % #", r"\end{tabular}\end{document}", r"\write18{touch owned}", "^^5cinput", "[1cm]", "*", "~^`''\"--"),
    *("a\nb\tc", "\x1b[2J\u202ewiped\0", "é š ć ß", "± × ≤ ≥ ≠ – — …", "😀", "}{", "\\", "%", r"\\", "``,,?`!`"),
)
COMMANDS = {
    *("textbackslash", "textasciicircum", "textasciitilde", "textless", "textgreater", "textbar", "symbol"),
    *("ldots", "textendash", "textemdash", "pm", "times", "le", "ge", "ne", "cdot"),
}
TEXT = "no unpruned tree for all 1,234 rows is below 4.112 on average; print is of other rows, or of a misprint " * 4
TOKEN = re.compile(r"\\([A-Za-z]+|.)|([{}$&#%_^~])|.", re.DOTALL)


def table(names: tuple[str, ...]) -> SummaryTable:
    rows = [(name, -index, -1.25e-7 * index, Verdict.AGREES) for index, name in enumerate(names)]
    return SummaryTable("hostile", " ".join(names), ("name", "n_%", *names[:1], "verdict"), rows, " ".join(names))


def check_tokens(text: str) -> None:
    """A strict reading of text in LaTeX: known commands only, braces in pairs, TeX's own signs by their commands."""
    depth, formula = 0, False
    for match in TOKEN.finditer(text):
        command, special = match.groups()
        if command is not None:
            assert command in COMMANDS or command in "{}$&#%_", match[0]
        elif special in {"{", "}"}:
            depth += 1 if special == "{" else -1
            assert depth >= 0, text
        elif special == "$":
            formula = not formula
        elif special == "^":
            assert formula, text
        else:
            assert special in {None, "~"}, text
            assert match[0].isprintable(), text
    assert depth == 0
    assert not formula


@given(st.text())
def test_no_text_is_a_command(text: str) -> None:
    check_tokens(latex.escaped(text))
    assert "\n" not in latex.escaped(text)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_no_commands(text: str) -> None:
    check_tokens(latex.escaped(text))


def test_the_form_is_booktabs() -> None:
    shown = SummaryTable(
        "best_two", "The best, p < 0.05", ("cost_function", "mean"), [("nodes", -0.1383021), (None, 2e-9)], "n = 2."
    )
    assert shown.as_latex().splitlines() == [
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        r"\caption{The best, p \textless{} 0.05}",
        r"\label{tab:best_two}",
        r"\par\smallskip",
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"cost\_function & mean \\",
        r"\midrule",
        r"nodes & $-$0.1383 \\",
        r" & $2 \cdot 10^{-9}$ \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\par\smallskip\parbox{\linewidth}{\footnotesize\raggedright n = 2.}",
        r"\end{table}",
    ]


def test_a_long_heading_is_broken_after_its_underscores() -> None:
    shown = SummaryTable("t", "T", ("cost_function", "mean_relative_difference"), [("nodes", 0.25)], "n = 2.")
    assert r"cost\_function & \shortstack[r]{mean\_ \\ relative\_ \\ difference} \\" in shown.as_latex().splitlines()


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ("0.1383", "0.1383"),
        ("-3", "$-$3"),
        ("1e-05", r"$1 \cdot 10^{-5}$"),
        ("-1.2e+17", r"$-1.2 \cdot 10^{17}$"),
        ("nan", "nan"),
    ],
)
def test_numbers_are_set_as_they_are_printed(number: str, shown: str) -> None:
    assert latex.cell(number, numeric=True) == shown
    assert latex.cell(number, numeric=False) == number


def test_a_label_has_no_sign_that_ends_it() -> None:
    lines = replace(table([]), name="50 % of {a}_b#").as_latex().splitlines()
    assert r"\label{tab:50  of a_b}" in lines


def test_no_cell_breaks_a_row() -> None:
    lines = table(HOSTILE).as_latex().splitlines()
    body = lines[lines.index(r"\midrule") + 1 : lines.index(r"\bottomrule")]
    assert len(body) == len(HOSTILE)
    for line in body:
        assert len(re.findall(r"(?<!\\)&", line)) == 3
        assert line.endswith(r" \\")
        assert not line.startswith(("[", "*"))


def test_a_real_latex_sets_it(tmp_path: Path) -> None:
    set_by_latex([table(HOSTILE)], tmp_path)
    assert not (tmp_path / "owned").exists()


def test_a_long_and_wide_table_is_on_the_paper_whole(tmp_path: Path) -> None:
    names = ("impurity_type", "cost_function", "mean_relative_difference", "standard_error", "low", "high", "printed")
    rows = [("w_sum", "nonterminal_nodes", *[0.1234] * 5)] * 200
    log = set_by_latex([SummaryTable("wide", "Wide", names, rows, "n = 200.")], tmp_path)
    check_fits(log)
    assert "(1 page" not in log


@pytest.mark.parametrize(
    "grid", [name if name == "greedy_vs_dp" else pytest.param(name, marks=pytest.mark.long) for name in CASES]
)
def test_every_table_of_every_grid_fits_the_page(grid: str, tmp_path: Path) -> None:
    made = grid_named(grid, *CASES[grid])
    run = computed_run(made, [((0, made.items), made.work(0, made.items))], tmp_path)
    check_fits(set_by_latex(summarised(run, tmp_path / "summaries").documents, tmp_path))


WIDE: tuple[tuple[str | float, ...], ...] = (
    (TEXT[:60], "ok", 0.25),
    (TEXT, "uci/house-votes-84/third-answer", 0.25),
    (TEXT, TEXT, TEXT, TEXT),
    (*[-0.1234] * 16, "uci/house-votes-84/third-answer"),
    ("0123456789abcdef" * 4, *[-1.234e-17] * 7),
    ("MW" * 30, "é–×" * 30, "_" * 60),
)


@pytest.mark.parametrize("rows", [1, 200])
def test_wide_tables_fit_the_page(rows: int, tmp_path: Path) -> None:
    tables = []
    for index, row in enumerate(WIDE):
        columns = [f"greatest_low_{column}" for column in range(len(row))]
        tables.append(SummaryTable(f"wide_{index}", "Wide", columns, [row] * rows, TEXT))
    check_fits(set_by_latex(tables, tmp_path))
