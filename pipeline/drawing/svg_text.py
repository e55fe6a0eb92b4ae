"""The texts of a figure, read from its SVG."""

from __future__ import annotations

import re
from html import unescape

__all__ = ["written_in"]

COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
NUMBER = re.compile(r"[−+-]?[\d.,\s%×^]*(e[+-]?\d+)?\Z|\$\\mathdefault")


def written_in(svg: str) -> str:
    """The texts of a figure, each once and without numbers, from matplotlib's comments beside the drawn paths."""
    found = dict.fromkeys(" ".join(unescape(text).split()) for text in COMMENT.findall(svg))
    return "; ".join(text for text in found if not NUMBER.match(text))
