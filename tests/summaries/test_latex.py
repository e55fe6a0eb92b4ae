"""Tables in LaTeX: hostile names as the signs they are, and a document that pdfTeX sets without a word of error."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.summaries import latex
from pipeline.summaries.tables import SummaryTable
from pipeline.summaries.verdicts import Verdict
from tests.oracles.beside import absent

HOSTILE = (
    *("<script>alert(1)</script>", "'; drop table results; --", "=cmd()|' /C calc'!A0", r"\input{/etc/passwd}"),
    *("$x_1$ & % #", r"\end{tabular}\end{document}", r"\write18{touch owned}", "^^5cinput", "[1cm]", "*", "~^`''\"--"),
    *("a\nb\tc", "\x1b[2J\u202ewiped\0", "é š ć ß", "± × ≤ ≥ ≠ – — …", "😀", "}{", "\\", "%", r"\\", "``,,?`!`"),
)
COMMANDS = {
    *("textbackslash", "textasciicircum", "textasciitilde", "textless", "textgreater", "textbar", "symbol"),
    *("ldots", "textendash", "textemdash", "pm", "times", "le", "ge", "ne", "cdot"),
}
TOKEN = re.compile(r"\\([A-Za-z]+|.)|([{}$&#%_^~])|.", re.DOTALL)


def table(names: tuple[str, ...]) -> SummaryTable:
    rows = [(name, -place, -1.25e-7 * place, Verdict.AGREES) for place, name in enumerate(names)]
    return SummaryTable("hostile", " ".join(names), ("name", "n_%", *names[:1], "verdict"), rows, " ".join(names))


def check_tokens(text: str) -> None:
    """A strict reading of text in LaTeX: known commands only, braces in pairs, TeX's own signs by their commands."""
    depth, formula = 0, False
    for found in TOKEN.finditer(text):
        command, special = found.groups()
        if command is not None:
            assert command in COMMANDS or command in "{}$&#%_", found[0]
        elif special in {"{", "}"}:
            depth += 1 if special == "{" else -1
            assert depth >= 0, text
        elif special == "$":
            formula = not formula
        elif special == "^":
            assert formula, text
        else:
            assert special in {None, "~"}, text
            assert found[0].isprintable(), text
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
        r"\par\smallskip\parbox{\linewidth}{\footnotesize n = 2.}",
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


def test_no_cell_breaks_a_row(tmp_path: Path) -> None:
    lines = table(HOSTILE).as_latex().splitlines()
    body = lines[lines.index(r"\midrule") + 1 : lines.index(r"\bottomrule")]
    assert len(body) == len(HOSTILE)
    for line in body:
        assert len(re.findall(r"(?<!\\)&", line)) == 3
        assert line.endswith(r" \\")
        assert not line.startswith(("[", "*"))


def test_a_real_latex_sets_it(tmp_path: Path) -> None:
    set_by_latex(table(HOSTILE), tmp_path)
    assert not (tmp_path / "owned").exists()


def test_a_long_and_wide_table_is_on_the_paper_whole(tmp_path: Path) -> None:
    names = ("impurity_type", "cost_function", "mean_relative_difference", "standard_error", "low", "high", "printed")
    rows = [("w_sum", "nonterminal_nodes", *[0.1234] * 5)] * 200
    said = set_by_latex(SummaryTable("wide", "Wide", names, rows, "n = 200."), tmp_path)
    assert "Overfull" not in said
    assert "too large" not in said
    assert "(1 page" not in said


def set_by_latex(shown: SummaryTable, folder: Path) -> str:
    """What pdfTeX says of a document that has a table."""
    program = shutil.which("pdflatex")
    if program is None:
        absent("there is no pdflatex (apt-get install texlive-latex-recommended)")
    (_, _, file) = shown.write(folder)
    packages = file.read_text().splitlines()[0].removeprefix("% ")
    document = r"\documentclass{article}PACKAGES\begin{document}\input{NAME}\end{document}"
    (folder / "document.tex").write_text(document.replace("PACKAGES", packages).replace("NAME", file.stem))
    done = subprocess.run(
        [program, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "document.tex"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert "root:" not in done.stdout
    assert (folder / "document.pdf").stat().st_size > 5_000
    return done.stdout
