"""What a run leaves to say after it has ended."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Outcome"]


@dataclass(frozen=True)
class Outcome:
    """How a run ended.

    status  : the exit status
    run     : the id of the run; empty where nothing was run
    finding : what it found, in a sentence; of a run that failed, why
    output  : the folder or address that holds its results
    grid    : what its folders call its grid
    """

    status: int
    run: str = ""
    finding: str = ""
    output: str = ""
    grid: str = ""
