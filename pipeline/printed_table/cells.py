"""A cell of a printed table: its number, the standard deviation beside it, and marks around it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

MISSING = frozenset({"", "-", "--", "–", "—", "−", "?", ".", "na", "n/a", "n.a.", "nan", "none", "null"})
"""Texts of cells without a figure, in lower case."""

NUMBER = r"(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)"
CELL = re.compile(
    rf"(?P<below><=?|≤)?\s*(?P<number>{NUMBER})\s*%?\s*"
    rf"(?:(?:±|\+/?-)\s*(?P<beside>{NUMBER})|\(\s*(?:±|\+/?-)?\s*(?P<within>{NUMBER})\s*\))?\s*%?"
)
TYPE = re.compile(
    r"\\(?:text|math)?(?:bf|it|rm)\b|\\(?:underline|emph|small|footnotesize|scriptsize|tiny)\b|"
    r"\*\*|__|[{}$]|</?[a-z]+>"
)
"""Signs of bold and other type in Markdown, LaTeX and HTML."""
MARKS = re.compile(
    r"^[\s*_†‡§¶#^]+|"
    r"(?:[\s*_†‡§¶#^•◦∘○●⁺]|\^\s*[a-z*†‡§]+|[¹²³⁰-⁹ᵃ-ᵿ]|(?<=[0-9%)])\s*(?:\(?[a-zA-Z]\)?|\[\w+\]))+$"
)
"""Footnote marks, before the number and after it."""
THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?:[ .,'’][0-9]{3})+")
"""Matches a whole number whose thousands are separated."""
MOST_DIGITS = 15


class CellError(ValueError):
    """A cell has no readable number; the message says what to write."""


@dataclass(frozen=True)
class Cell:
    """A number as it is printed.

    text, value, digits, below, standard_deviation : as `PrintedFigure` has them
    marks : the footnote marks around the number
    """

    text: str
    value: Fraction
    digits: int
    below: bool
    standard_deviation: Fraction | None
    marks: str


def read_cell(written: str, *, commas: bool = False, marks: bool = True) -> Cell | None:
    """Read the number of a cell; None if the cell is empty or has a dash or the like.

    written : the text of the cell: `94.4`, `94.4 %`, `94.4 ± 1.2`, `94.4 (1.2)`, `< 0.05`, also in bold type or with a
              footnote mark, `**94.4**`, `94.4*`
    commas  : whether a comma is the decimal sign
    marks   : whether there may be marks around the number

    Raises CellError: the cell has no number, or it has an unexpected decimal comma or too many digits.
    """
    text = written.replace("\\%", "%").replace("\\pm", "±").strip()
    if marks:
        text = " ".join(TYPE.sub(" ", text).split())
    if text.lower() in MISSING:
        return None
    bare = MARKS.sub("", text).strip() if marks else text
    matched = CELL.fullmatch(bare)
    if matched is None:
        raise CellError(
            f"{written!r} is not a number of 0 or more: expected a number such as 94.4 or 94.4 ± 1.2, or an empty cell "
            "if there is no figure"
        )
    number, beside = matched["number"], matched["beside"] or matched["within"]
    for numeral in filter(None, (number, beside)):
        if "," in numeral and not commas:
            whole = f", or {bare.replace(',', '')} if it separates thousands" if THOUSANDS.fullmatch(numeral) else ""
            raise CellError(f"{written!r} has a decimal comma: write {bare.replace(',', '.')}{whole}")
        if len(numeral) > MOST_DIGITS:
            raise CellError(f"{written!r} has more than {MOST_DIGITS} digits: expected a figure as a paper prints it")
    value, digits = _number(number)
    before, _, after = text.partition(bare)
    around = f"{before}{after}".strip()
    return Cell(bare, value, digits, matched["below"] is not None, _number(beside)[0] if beside else None, around)


def _number(text: str) -> tuple[Fraction, int]:
    plain = text.replace(",", ".")
    return Fraction(plain if plain[-1] != "." else plain[:-1]), len(plain.partition(".")[2])
