"""Elements of SVG: a picture, and text in it, shortened to fit and escaped for XML."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

FONT, SMALL = 12, 11
"""Sizes of text."""

ELLIPSIS = "…"
LONGEST = 300  # the most characters of an element, also of a tooltip
NARROW, WIDE = frozenset(" !'(),.:;I[]fijlrt|"), frozenset("%@MWmw—…≤")
CONTROLS = (*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F))
UNFIT = dict.fromkeys(
    (*CONTROLS, *range(0x2066, 0x206A), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF), "\N{REPLACEMENT CHARACTER}"
)
"""Characters that XML does not allow, and those that change the direction of writing."""


def text_width(text: str, size: float) -> float:
    """The approximate width of text at a font size, rather too large, since it is that of wide sans-serif fonts."""
    return size * sum(map(_em, text))


def shortened(text: str, most: float, size: float) -> str:
    """The text in one line, shortened with an ellipsis if it is wider than `most`."""
    line = " ".join(text[:LONGEST].split())
    if len(text) <= LONGEST and text_width(line, size) <= most:
        return line
    left = most - text_width(ELLIPSIS, size)
    taken = 0.0
    for index, character in enumerate(line):
        taken += text_width(character, size)
        if taken > left:
            return line[:index].rstrip() + ELLIPSIS
    return line + ELLIPSIS


def escaped(text: str) -> str:
    """The first 300 characters as the content of an element."""
    return escape(_fit(text))


def text_element(left: float, base: float, text: str, style: str) -> str:
    """A line of text that begins, unless its `style` says otherwise, at a point of its base line."""
    return f'<text x="{left:.0f}" y="{base:.0f}" {style}>{escaped(text)}</text>'.replace(" >", ">")


def svg_element(right: float, bottom: float, title: str, elements: Iterable[str]) -> str:
    """A picture of this width and height; its text alternative is the first 300 characters of the title."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{right:.0f}" height="{bottom:.0f}" '
            f'viewBox="0 0 {right:.0f} {bottom:.0f}" role="img" aria-label={quoteattr(_fit(title))} '
            f'font-family="DejaVu Sans, Verdana, sans-serif" font-size="{FONT}" fill="currentColor">',
            *elements,
            "</svg>",
        ]
    )


def _fit(text: str) -> str:
    shown = text if len(text) <= LONGEST else text[: LONGEST - 1] + ELLIPSIS
    return shown.translate(UNFIT).replace("\r", "")


def _em(character: str) -> float:
    """The width of a character as a share of the font size."""
    if unicodedata.combining(character):
        return 0.0
    if character in NARROW:
        return 0.4
    if character in WIDE or unicodedata.east_asian_width(character) in "FW":
        return 1.05
    return 0.77 if character.isupper() else 0.65
