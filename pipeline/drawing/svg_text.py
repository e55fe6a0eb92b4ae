"""The texts of a figure, from its SVG."""

from __future__ import annotations

import re
from html import unescape

__all__ = ["written_in"]

COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
NUMBER = re.compile(r"[−+-]?[\d.,\s%×^]*(e[+-]?\d+)?\Z|\$\\mathdefault")


def written_in(svg: str) -> str:
    """The texts of a figure that was drawn as paths, each once and without numbers, as matplotlib notes them."""
    found = dict.fromkeys(" ".join(unescape(text).split()) for text in COMMENT.findall(svg))
    return "; ".join(text for text in found if not NUMBER.match(text))
