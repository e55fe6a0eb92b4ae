"""Tables for LaTeX: booktabs, and text of which nothing is taken for a command."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

__all__ = ["cell", "escaped", "table"]

WRITTEN = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\symbol{34}",
    "`": r"\symbol{96}",
    "[": "{[}",  # after a row it would begin an argument of \\
    "]": "{]}",
    "*": "{*}",
    "…": r"\ldots{}",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "≠": r"$\ne$",
    "\N{NO-BREAK SPACE}": "~",
}
TRANSLATED = str.maketrans(WRITTEN)
LETTERS = ("L", "M", "N")
"""Categories of Unicode that are left as they are: what writes names, for whichever engine knows the script."""

LIGATURE = re.compile(r"([-',])(?=\1)")
NUMBER = re.compile(r"(-?)([0-9.]+)(?:e([+-])0*([0-9]+))?")


def escaped(text: str) -> str:
    """A text in LaTeX, in one line: commands, comments and formulas in it become the signs that they are written with.

    What is neither a letter nor known here, such as controls and emoji, is told by its number in Unicode.
    """
    line = " ".join(text.split())
    plain = line.isascii() and line.isprintable()  # as nearly all is, and this is quicker
    return LIGATURE.sub(r"\1{}", line.translate(TRANSLATED) if plain else "".join(map(_written, line)))


def cell(text: str, numeric: bool) -> str:
    """What a cell shows; a number with a minus and a power of ten as they are printed."""
    found = NUMBER.fullmatch(text) if numeric else None
    if found is None:
        return escaped(text)
    minus, digits, below, power = found.groups()
    if power:
        return rf"${minus}{digits} \cdot 10^{{{below.strip('+')}{power}}}$"
    return f"$-${digits}" if minus else digits


def table(
    name: str, title: str, columns: Sequence[str], numeric: Sequence[bool], rows: Sequence[Sequence[str]], note: str
) -> str:
    """A float with its caption above and its note below; numbers stand to the right. It needs the package booktabs.

    rows : what the cells show; they and all other texts are escaped here
    """
    kinds = "".join("r" if number else "l" for number in numeric)
    lines = [
        "% \\usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escaped(title)}}}",
        rf"\label{{tab:{name}}}",
        r"\par\smallskip",
        rf"\begin{{tabular}}{{{kinds}}}",
        r"\toprule",
        _row(map(escaped, columns)),
        r"\midrule",
        *(_row(map(cell, row, numeric)) for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
        rf"\par\smallskip\parbox{{\linewidth}}{{\footnotesize {escaped(note)}}}",
        r"\end{table}",
    ]
    return "\n".join([*lines, ""])


def _row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _written(sign: str) -> str:
    if sign in WRITTEN:
        return WRITTEN[sign]
    if (sign.isascii() and sign.isprintable()) or unicodedata.category(sign)[0] in LETTERS:
        return sign
    return f"{{[}}U+{ord(sign):04X}{{]}}"
