"""Texts that are decimal numbers."""

from __future__ import annotations

import math
import re

__all__ = ["NUMBER", "is_number"]

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def is_number(text: str) -> bool:
    """Whether the text is a finite decimal number."""
    return NUMBER.fullmatch(text.strip()) is not None and math.isfinite(float(text))
