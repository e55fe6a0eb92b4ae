"""Text that a terminal shows and does nothing else with."""

from __future__ import annotations

import sys

from pipeline.masking import masked

__all__ = ["note", "plain"]

CONTROLS = (*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F))
CONTROLS += tuple(range(0x2066, 0x206A))
HARMLESS = dict.fromkeys(CONTROLS, "\N{REPLACEMENT CHARACTER}")
"""What a terminal would obey, or what turns the direction of writing, as a character that it shows."""


def plain(words: str) -> str:
    """The words, whoever they come from, so that a terminal shows them and does nothing else."""
    return words.translate(HARMLESS).replace("\r", "")


def note(words: str) -> None:
    """Say something about the run, beside its results, with secrets masked."""
    print(plain(masked(words)), file=sys.stderr, flush=True)
