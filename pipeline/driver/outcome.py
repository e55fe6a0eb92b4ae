"""The outcome of a run."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.errors import SIGNALLED


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

    @property
    def how(self) -> str:
        """How it ended, in a word or two."""
        other = "stopped" if self.status > SIGNALLED else f"exit status {self.status}"
        return {0: "done", 1: "no results"}.get(self.status, other)
