"""Text that a terminal displays without obeying any control sequence in it."""

from __future__ import annotations

import sys

from pipeline.masking import masked

__all__ = ["note", "plain"]

CONTROLS = (*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F))
CONTROLS += tuple(range(0x2066, 0x206A))
HARMLESS = dict.fromkeys(CONTROLS, "\N{REPLACEMENT CHARACTER}")
"""Characters that a terminal would obey or that change the direction of writing, each with a visible replacement."""


def plain(words: str) -> str:
    """Make text harmless for a terminal, whatever its origin."""
    return words.translate(HARMLESS).replace("\r", "")


def note(words: str) -> None:
    """Print a remark about the run on stderr, secrets masked."""
    print(plain(masked(words)), file=sys.stderr, flush=True)
