"""Tables for LaTeX: booktabs, text of which nothing is taken for a command, and no wider than a page of `article`."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

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
PIECE = re.compile(r"[^_/-]{1,20}[_/-]*|[_/-]+")
"""What stays on a line of a word that is broken."""

DIGITS = {
    **dict.fromkeys("ijl.,:;'!|", 0.56),
    **dict.fromkeys("frst()[]/-I` ", 0.79),
    **dict.fromkeys("bdhknpquvxy", 1.11),
    **dict.fromkeys("0123456789acegoz", 1.0),
    "w": 1.45,
    "m": 1.67,
    "_": 0.75,
}
"""Widths of Computer Modern's letters, in those of a digit; of all others `WIDE`."""

WIDE, WIDEST = 1.6, 2.1  # a capital, and what is told by its number or is no letter of Latin
MINUS, POWER = 0.8, 3.0  # what a number has more that is negative, or whose e is set as a power of ten
ROUGHLY = 1.04  # by which what is measured so may be too little

MOST_ROWS = 70  # of a page, however small they are set
CAPTION = 60.0
NOTE = 4.25, 9.5
"""Points that a caption and the rules take; the width of a digit of a note, and the height of a line of it."""

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


@dataclass(frozen=True)
class Setting:
    """A size of letters on an upright or a turned page of `article`; lengths in points.

    size          : the commands that set it
    digit, line   : the width of a digit, and from one line to the next
    gap           : on either side of a column
    width, height : of the text on the page
    heading       : characters of a line of a heading, where the cells are no longer
    readable      : digits that a line of a broken text has room for at least
    """

    size: str
    digit: float
    line: float
    gap: float
    width: float
    height: float
    heading: int
    readable: float

    @property
    def turned(self) -> bool:
        """Whether the page lies on its side."""
        return self.width > self.height


SMALL, TINY = r"\scriptsize\setlength{\tabcolsep}{2pt}", r"\tiny\setlength{\tabcolsep}{1.5pt}"
SETTINGS = (
    Setting("", 5.0, 12.0, 6.0, 345.0, 550.0, 13, math.inf),
    Setting(SMALL, 3.98, 8.0, 2.0, 345.0, 550.0, 0, 20),
    Setting(SMALL, 3.98, 8.0, 2.0, 550.0, 345.0, 0, 20),
    Setting(TINY, 3.4, 6.0, 1.5, 550.0, 345.0, 0, 0),
)
"""A table has the first in which it fits, or else the last."""


@dataclass(frozen=True)
class Column:
    """A column that is to be set; lengths in digits.

    signs     : characters of the longest of its cells
    width     : of its cells in one line
    narrowest : of the longest piece where it is broken, which numbers are not
    """

    heading: str
    numeric: bool
    signs: int
    width: float
    narrowest: float

    @staticmethod
    def of(heading: str, numeric: bool, cells: Collection[str]) -> Column:
        """The column of these cells, each of them once."""
        width = max(map(_digits, cells), default=0.0)
        pieces = () if numeric else {piece for text in (heading, *cells) for piece in _pieces(text)}
        narrowest = max(map(_digits, pieces), default=width)
        return Column(heading, numeric, max(map(len, cells), default=0), width, narrowest)

    def lines(self, setting: Setting) -> list[str]:
        """Its heading, broken after underscores as far as its cells are narrow."""
        return _broken(self.heading, max(setting.heading, self.signs))

    def whole(self, setting: Setting) -> float:
        """Its width where no text is broken."""
        return max(self.width, *map(_digits, self.lines(setting)))

    def least(self, setting: Setting) -> float:
        """Its width where texts are broken as far as they can be read."""
        whole = self.whole(setting)
        return whole if self.numeric else min(whole, max(self.narrowest, setting.readable))


def table(
    name: str, title: str, columns: Sequence[str], numeric: Sequence[bool], rows: Sequence[Sequence[str]], note: str
) -> str:
    """A table with its caption above and its note below, numbers to the right, that fits a page of `article`.

    The first line names the packages that it needs. It is a float; one that is longer than a page goes on over the
    next. A wide one is set smaller, its long texts in several lines, and the widest on pages that lie on their side.

    rows : what the cells show; they and all other texts are escaped here
    """
    cells = [{row[place] for row in rows} for place in range(len(columns))]
    every = [Column.of(*one) for one in zip(columns, numeric, cells, strict=True)]
    setting, widths = _fitted(every)
    broken = [width < column.whole(setting) for column, width in zip(every, widths, strict=True)]
    kinds = "".join(_kind(*one, setting) for one in zip(numeric, broken, widths, strict=True))
    head = [r"\toprule", _row(_heading(*one, setting) for one in zip(every, broken, strict=True)), r"\midrule"]
    body = [_row(map(_cell, row, numeric, broken)) for row in rows]
    size = [setting.size] if setting.size else []
    caption, label = rf"\caption{{{escaped(title)}}}", rf"\label{{tab:{name}}}"
    told = rf"\parbox{{\linewidth}}{{\footnotesize\raggedright {escaped(note)}}}"
    packages = [*["array"] * any(broken), "booktabs"]
    if not setting.turned and len(rows) <= MOST_ROWS and _height(rows, widths, note, setting) <= setting.height:
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


def _fitted(columns: Sequence[Column]) -> tuple[Setting, list[float]]:
    """The setting of a table, and the widths of its columns, in digits."""
    for setting in SETTINGS:
        least = [one.least(setting) for one in columns]
        if sum(least) <= _room(columns, setting):
            break
    return setting, _shared([one.whole(setting) for one in columns], least, _room(columns, setting))


def _room(columns: Sequence[Column], setting: Setting) -> float:
    """What columns share of a page's width, in digits."""
    return (setting.width - 2 * setting.gap * len(columns)) / setting.digit / ROUGHLY


def _shared(whole: Sequence[float], least: Sequence[float], room: float) -> list[float]:
    """The widths of columns: as they are whole, but none beyond what leaves room for all, unless that is its least."""
    for most in range(math.ceil(max(whole)), 0, -1):
        widths = [min(wide, max(narrow, most)) for wide, narrow in zip(whole, least, strict=True)]
        if sum(widths) <= room:
            return widths
    return list(least)


def _height(rows: Sequence[Sequence[str]], widths: Sequence[float], note: str, setting: Setting) -> float:
    """About how many points high a table is with its caption and note."""
    lines = sum(
        max(math.ceil(_digits(cell) / max(width, 1.0) - 0.01) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )
    digit, line = NOTE
    return CAPTION + lines * setting.line + math.ceil(_digits(note) * digit / setting.width) * line


def _digits(text: str) -> float:
    """About how wide a text is in one line, in digits."""
    found = NUMBER.fullmatch(text)
    more = MINUS * bool(found[1]) + POWER * bool(found[4]) if found else 0.0
    return more + sum(DIGITS.get(sign) or (WIDE if sign.isascii() else WIDEST) for sign in text)


def _kind(numeric: bool, broken: bool, width: float, setting: Setting) -> str:
    """How a column of so many digits is set."""
    if broken:
        return rf">{{\raggedright\arraybackslash}}p{{{ROUGHLY * width * setting.digit:.0f}pt}}"
    return "r" if numeric else "l"


def _cell(text: str, numeric: bool, broken: bool) -> str:
    return _in_pieces(text) if broken else cell(text, numeric)


def _in_pieces(text: str) -> str:
    """A text that may be broken within its words too."""
    return " ".join(r"\allowbreak{}".join(map(escaped, PIECE.findall(word))) for word in text.split())


def _pieces(text: str) -> Iterator[str]:
    """What of a text stays on a line."""
    return (piece for word in text.split() for piece in PIECE.findall(word))


def _broken(column: str, longest: int) -> list[str]:
    """The lines of a heading, each of some words of a name."""
    lines = [""]
    for word in WORD.findall(column):
        if lines[-1] and len(lines[-1]) + len(word) > longest:
            lines.append("")
        lines[-1] += word
    return lines


def _heading(column: Column, broken: bool, setting: Setting) -> str:
    """A heading that stands as the cells of its column do."""
    if broken:
        return _in_pieces(column.heading)
    one, *others = map(escaped, column.lines(setting))
    kind = "r" if column.numeric else "l"
    return rf"\shortstack[{kind}]{{" + r" \\ ".join([one, *others]) + "}" if others else one


def _row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _written(sign: str) -> str:
    if sign in WRITTEN:
        return WRITTEN[sign]
    if (sign.isascii() and sign.isprintable()) or unicodedata.category(sign)[0] in LETTERS:
        return sign
    return f"{{[}}U+{ord(sign):04X}{{]}}"
