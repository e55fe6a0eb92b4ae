"""Claims that printed figures are possible or impossible, with their proofs and assumptions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from pipeline.printed_table.figure import PrintedFigure


class Possibility(StrEnum):
    """Whether printed figures are possible under the assumptions of a claim.

    possible   : they agree with the test
    impossible : no data can give them, which is proven
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
    figures  : the figures that it is about
    verdict  : whether they are possible
    proof    : the reason, in a sentence
    assumes  : the assumptions of the proof, in words
    question : SQL that shows the proof and reads no table; empty if the proof needs none
    tree     : the tree that shows what the data allow, as text: the best that is possible; empty if there is none
    whole    : whether it depends on a whole column or table, so that an unreadable cell leaves it undecided
    """

    test: str
    figures: Sequence[PrintedFigure]
    verdict: Possibility
    proof: str
    assumes: str = ""
    question: str = ""
    tree: str = ""
    whole: bool = False

    @property
    def where(self) -> str:
        """The lines of its figures, and the column if there is only one figure."""
        lines = sorted({figure.line for figure in self.figures})
        if len(self.figures) == 1:
            return self.figures[0].where
        return f"line {lines[0]}" if len(lines) == 1 else f"lines {', '.join(map(str, lines))}"
