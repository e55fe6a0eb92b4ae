"""What may be said of a printed figure, and by which rule."""

from __future__ import annotations

from enum import StrEnum

from pipeline.summaries.statistics import critical_z

__all__ = ["Verdict", "verdict"]


class Verdict(StrEnum):
    """The closed list of verdicts; a cell that is compared with nothing has none.

    agrees     : the figure lies within the critical z of ours, two-sided at 5 % with Bonferroni over the compared cells
                 (of what is worked exactly: it is ours to all its digits; else the table tells its own rule)
    differs    : the figure was compared, and is not so
    impossible : the figure contradicts the definitions or other figures of its paper, so that no run can give it
    no input   : the figure rests on data that are not to be had, so that nothing was run
    open       : a claim was tested, and what was found lies on neither side of its bound beyond chance
    """

    AGREES = "agrees"
    DIFFERS = "differs"
    IMPOSSIBLE = "impossible"
    NO_INPUT = "no input"
    OPEN = "open"


def verdict(z: float | None, cells: int) -> Verdict | None:
    """The verdict of a z among so many compared cells; None where nothing was compared."""
    if z is None:
        return None
    return Verdict.AGREES if abs(z) <= critical_z(cells) else Verdict.DIFFERS
