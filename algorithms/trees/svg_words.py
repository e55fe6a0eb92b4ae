"""Text in hand-written SVG: its width, shortened to fit, and escaped for XML."""

from __future__ import annotations

import unicodedata
from xml.sax.saxutils import escape, quoteattr

__all__ = ["as_attribute", "as_text", "cut", "width"]

ELLIPSIS = "…"
LONGEST = 300  # the most characters of an element, also of a tooltip
NARROW, WIDE = frozenset(" !'(),.:;I[]fijlrt|"), frozenset("%@MWmw—…≤")
CONTROLS = (*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F))
UNFIT = dict.fromkeys(
    (*CONTROLS, *range(0x2066, 0x206A), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF), "\N{REPLACEMENT CHARACTER}"
)
"""Characters that XML does not allow, and those that change the direction of writing."""


def width(words: str, size: float) -> float:
    """The approximate width of text at a font size, by wide sans-serif fonts, so rather too large."""
    return size * sum(map(_em, words))


def cut(words: str, most: float, size: float) -> str:
    """The text in one line, shortened with an ellipsis if it is wider than `most`."""
    line = " ".join(words[:LONGEST].split())
    if len(words) <= LONGEST and width(line, size) <= most:
        return line
    room = most - width(ELLIPSIS, size)
    taken = 0.0
    for place, sign in enumerate(line):
        taken += width(sign, size)
        if taken > room:
            return line[:place].rstrip() + ELLIPSIS
    return line + ELLIPSIS


def as_text(words: str) -> str:
    """The first 300 characters as the content of an element."""
    return escape(_fit(words))


def as_attribute(words: str) -> str:
    """The first 300 characters as the value of an attribute, with quotes."""
    return quoteattr(_fit(words))


def _fit(words: str) -> str:
    shown = words if len(words) <= LONGEST else words[: LONGEST - 1] + ELLIPSIS
    return shown.translate(UNFIT).replace("\r", "")


def _em(sign: str) -> float:
    """The width of a character as a share of the font size."""
    if unicodedata.combining(sign):
        return 0.0
    if sign in NARROW:
        return 0.4
    if sign in WIDE or unicodedata.east_asian_width(sign) in "FW":
        return 1.05
    return 0.77 if sign.isupper() else 0.65
