"""What is claimed of printed figures: that they can be or cannot, with the proof and what it assumes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from pipeline.printed_table.figure import PrintedFigure

__all__ = ["Claim", "Possibility"]


class Possibility(StrEnum):
    """Whether figures can be, under what a claim assumes.

    possible   : they can
    impossible : they cannot, which is proven
    undecided  : neither is shown
    """

    POSSIBLE = "possible"
    IMPOSSIBLE = "impossible"
    UNDECIDED = "undecided"

    @classmethod
    def of(cls, possible: bool) -> Possibility:
        """Possible or impossible."""
        return cls.POSSIBLE if possible else cls.IMPOSSIBLE


@dataclass(frozen=True)
class Claim:
    """A claim on one or more figures of a printed table.

    test     : granularity, arithmetic, ranks, bounds or significance
    figures  : that it is on
    verdict  : whether they can be
    proof    : why, in a sentence
    assumes  : what must hold for the proof, in words
    question : SQL that needs no table and shows it; empty: the proof says it all
    whole    : whether it is on a whole column or table, so that a cell that could not be read leaves it undecided
    """

    test: str
    figures: Sequence[PrintedFigure]
    verdict: Possibility
    proof: str
    assumes: str = ""
    question: str = ""
    whole: bool = False

    @property
    def where(self) -> str:
        """The places of its figures."""
        lines = sorted({figure.line for figure in self.figures})
        if len(self.figures) == 1:
            return self.figures[0].where
        return f"line {lines[0]}" if len(lines) == 1 else f"lines {', '.join(map(str, lines))}"
