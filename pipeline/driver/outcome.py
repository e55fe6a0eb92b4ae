"""The outcome of a run."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Outcome"]


@dataclass(frozen=True)
class Outcome:
    """How a run ended.

    status  : the exit status
    run     : the id of the run; empty where nothing was run
    finding : the finding in a sentence; for a failed run, the reason
    output  : the folder or address that holds its results
    grid    : the name of its grid in folders
    """

    status: int
    run: str = ""
    finding: str = ""
    output: str = ""
    grid: str = ""
