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

WORD = re.compile(r"[^_]*_+|[^_]+")
HEADING = 13
"""Characters of a line of a heading, which is broken after the underscores of a name."""

PAGE_ROWS, PAGE_SIGNS = 45, 70
"""Rows, and characters of a row, that a page in the size of its text has room for."""

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
    """A table with its caption above and its note below; numbers stand to the right, and a wide one is set smaller.

    It is a float, which needs the package booktabs; one that is longer than a page goes on over the next, and needs
    longtable as well.

    rows : what the cells show; they and all other texts are escaped here
    """
    kinds = "".join("r" if number else "l" for number in numeric)
    headings = [_broken(column) for column in columns]
    size = [r"\scriptsize\setlength{\tabcolsep}{2pt}"] if _signs(headings, rows) > PAGE_SIGNS else []
    head = [r"\toprule", _row(map(_heading, headings, kinds)), r"\midrule"]
    body = [_row(map(cell, row, numeric)) for row in rows]
    caption, label = rf"\caption{{{escaped(title)}}}", rf"\label{{tab:{name}}}"
    told = rf"\parbox{{\linewidth}}{{\footnotesize {escaped(note)}}}"
    if len(rows) > PAGE_ROWS:
        lines = [
            *("% \\usepackage{booktabs,longtable}", r"\begingroup", *size, rf"\begin{{longtable}}{{{kinds}}}"),
            *(caption, rf"{label} \\", *head, r"\endhead", r"\bottomrule", r"\endfoot", *body),
            *(r"\end{longtable}", rf"\noindent{told}", r"\par\endgroup"),
        ]
    else:
        lines = [
            *("% \\usepackage{booktabs}", r"\begin{table}", r"\centering", caption, label, r"\par\smallskip", *size),
            *(rf"\begin{{tabular}}{{{kinds}}}", *head, *body, r"\bottomrule", r"\end{tabular}"),
            *(rf"\par\smallskip{told}", r"\end{table}"),
        ]
    return "\n".join([*lines, ""])


def _broken(column: str) -> list[str]:
    """The lines of a heading, each of some words of a name."""
    lines = [""]
    for word in WORD.findall(column):
        if lines[-1] and len(lines[-1]) + len(word) > HEADING:
            lines.append("")
        lines[-1] += word
    return lines


def _heading(lines: Sequence[str], kind: str) -> str:
    """A heading that stands as the cells of its column do."""
    one, *others = map(escaped, lines)
    return rf"\shortstack[{kind}]{{" + r" \\ ".join([one, *others]) + "}" if others else one


def _signs(headings: Sequence[Sequence[str]], rows: Sequence[Sequence[str]]) -> int:
    """About how many characters wide a table is."""
    return sum(1 + max(map(len, (*heading, *cells))) for heading, *cells in zip(headings, *rows, strict=True))


def _row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _written(sign: str) -> str:
    if sign in WRITTEN:
        return WRITTEN[sign]
    if (sign.isascii() and sign.isprintable()) or unicodedata.category(sign)[0] in LETTERS:
        return sign
    return f"{{[}}U+{ord(sign):04X}{{]}}"
