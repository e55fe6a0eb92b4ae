"""Tables for LaTeX: booktabs, escaped text, and no wider than a page of `article`."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

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
PIECE = re.compile(r"[^_/-]{1,9}[_/-]{0,3}|[_/-]{1,12}")
"""What stays on a line of a word that is broken."""
NARROW = frozenset("ijl.,:;'!|frst()[]/-I` ")

MOST_LINES = 36  # of a float; a longer table goes on over the next page
NOTE_LINE = 80  # characters
POWER = 4  # characters that a number has more whose e is set as a power of ten

LIGATURE = re.compile(r"([-',])(?=\1)")
NUMBER = re.compile(r"(-?)([0-9.]+)(?:e([+-])0*([0-9]+))?")


def escaped(text: str) -> str:
    """A text in LaTeX, in one line: commands, comments and formulas in it become the signs that they are written with.

    What is neither a letter nor known here, such as controls and emoji, is written as its Unicode number.
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


class Setting(NamedTuple):
    """A size of letters on an upright or a turned page of `article`.

    size   : the commands that set it
    digit  : points that a digit is wide
    gap    : points on either side of a column
    readable : digits that a line of a broken text has room for at least
    turned : whether the page lies on its side
    heading : characters of a line of a heading, where the cells are no longer
    """

    size: str
    digit: float
    gap: float
    readable: float
    turned: bool = False
    heading: int = 0

    def room(self, columns: int) -> float:
        """What so many columns share of a line, in digits."""
        return ((550 if self.turned else 345) - 2 * self.gap * columns) / self.digit


SMALL, TINY = r"\scriptsize\setlength{\tabcolsep}{2pt}", r"\tiny\setlength{\tabcolsep}{1.5pt}"
SETTINGS = (
    Setting("", 5.0, 6.0, math.inf, heading=13),
    Setting(SMALL, 3.98, 2.0, 20),
    Setting(SMALL, 3.98, 2.0, 20, turned=True),
    Setting(TINY, 3.4, 1.5, 12, turned=True),
)
"""A table has the first in which it fits, or else the last; in all but the first, long texts may be broken."""


def table(
    name: str, title: str, columns: Sequence[str], numeric: Sequence[bool], rows: Sequence[Sequence[str]], note: str
) -> str:
    """A table with its caption above and its note below, numbers to the right, that fits a page of `article`.

    The first line names the packages that it needs. It is a float; one that is longer than a page goes on over the
    next. A wide one is set smaller, its long texts in several lines, and the widest on pages that lie on their side.

    rows : what the cells show; they and all other texts are escaped here
    """
    setting, headings, widths = _fitted(columns, numeric, rows)
    broken = [width is not None for width in widths]
    kinds = "".join(
        rf">{{\raggedright\arraybackslash}}p{{{width * setting.digit:.0f}pt}}" if width else "r" if right else "l"
        for right, width in zip(numeric, widths, strict=True)
    )
    head = [r"\toprule", _row(map(_heading, headings, numeric, broken)), r"\midrule"]
    body = [_row(map(_cell, row, numeric, broken)) for row in rows]
    size = [setting.size] if setting.size else []
    caption, label = rf"\caption{{{escaped(title)}}}", rf"\label{{tab:{name}}}"
    told = rf"\parbox{{\linewidth}}{{\footnotesize\raggedright {escaped(note)}}}"
    packages = [*["array"] * any(broken), "booktabs"]
    if not setting.turned and _lines(rows, widths) + len(note) // NOTE_LINE <= MOST_LINES:
        lines = [
            *(r"\begin{table}", r"\centering", caption, label, r"\par\smallskip", *size),
            *(rf"\begin{{tabular}}{{{kinds}}}", *head, *body, r"\bottomrule", r"\end{tabular}"),
            *(rf"\par\smallskip{told}", r"\end{table}"),
        ]
    else:
        packages += ["longtable", *["pdflscape"] * setting.turned]
        begin, end = (r"\begin{landscape}", r"\end{landscape}") if setting.turned else (r"\begingroup", r"\endgroup")
        lines = [
            *(begin, *size, rf"\begin{{longtable}}{{{kinds}}}"),
            *(caption, rf"{label} \\", *head, r"\endhead", r"\bottomrule", r"\endfoot", *body),
            *(r"\end{longtable}", rf"\noindent{told}", rf"\par{end}"),
        ]
    return "\n".join([f"% \\usepackage{{{','.join(packages)}}}", *lines, ""])


def _fitted(
    columns: Sequence[str], numeric: Sequence[bool], rows: Sequence[Sequence[str]]
) -> tuple[Setting, list[list[str]], list[float | None]]:
    """The setting of a table, the lines of its headings, and of columns whose texts are broken the width in digits."""
    longest = [max((len(row[place]) for row in rows), default=0) for place in range(len(columns))]
    cells = [
        max((_digits(text) for text in {row[place] for row in rows}), default=0.0) for place in range(len(columns))
    ]
    for setting in SETTINGS:
        headings = [_broken(column, max(setting.heading, most)) for column, most in zip(columns, longest, strict=True)]
        whole = [max(width, *map(_digits, lines)) for width, lines in zip(cells, headings, strict=True)]
        least = [width if right else min(width, setting.readable) for width, right in zip(whole, numeric, strict=True)]
        room = setting.room(len(columns))
        if sum(least) <= room:
            break

    def narrowed(most: float) -> list[float]:
        """The widths where no column has more than that, unless it needs it."""
        return [max(narrow, min(wide, most)) for wide, narrow in zip(whole, least, strict=True)]

    most = max(whole)
    while most > setting.readable and sum(narrowed(most)) > room:
        most -= 1
    widths = [None if width >= wide else width for wide, width in zip(whole, narrowed(most), strict=True)]
    return setting, headings, widths


def _lines(rows: Sequence[Sequence[str]], widths: Sequence[float | None]) -> int:
    """About how many lines the rows take."""
    return sum(
        max(math.ceil(_digits(cell) / width) if width else 1 for cell, width in zip(row, widths, strict=True))
        for row in rows
    )


def _digits(text: str) -> float:
    """About how wide a text is in one line, in digits of Computer Modern."""
    wide = (0.8 if sign in NARROW else 1.0 if _is_plain(sign) else 2.0 for sign in text)
    number = NUMBER.fullmatch(text)
    return sum(wide) + POWER * bool(number and number[4])


def _is_plain(sign: str) -> bool:
    """Whether a sign is about as wide as a digit."""
    return sign == "_" or (sign.isascii() and (sign.islower() or sign.isdigit()) and sign not in "mw")


def _cell(text: str, numeric: bool, broken: bool) -> str:
    return _in_pieces(text) if broken else cell(text, numeric)


def _in_pieces(text: str) -> str:
    """A text that may be broken within its words too."""
    return " ".join(r"\allowbreak{}".join(map(escaped, PIECE.findall(word))) for word in text.split())


def _broken(column: str, longest: int) -> list[str]:
    """The lines of a heading, each of some words of a name."""
    lines = [""]
    for word in WORD.findall(column):
        if lines[-1] and len(lines[-1]) + len(word) > longest:
            lines.append("")
        lines[-1] += word
    return lines


def _heading(lines: Sequence[str], numeric: bool, broken: bool) -> str:
    """A heading that stands as the cells of its column do."""
    if broken:
        return _in_pieces("".join(lines))
    one, *others = map(escaped, lines)
    return rf"\shortstack[{'r' if numeric else 'l'}]{{" + r" \\ ".join([one, *others]) + "}" if others else one


def _row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _written(sign: str) -> str:
    if sign in WRITTEN:
        return WRITTEN[sign]
    if (sign.isascii() and sign.isprintable()) or unicodedata.category(sign)[0] in LETTERS:
        return sign
    return f"{{[}}U+{ord(sign):04X}{{]}}"
