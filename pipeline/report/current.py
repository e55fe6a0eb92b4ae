"""The summary of a complete run for its page: the existing one, or one that the engine makes again."""

from __future__ import annotations

from pipeline.discovery import Places
from pipeline.errors import OrchardError
from pipeline.record.environment import ORCHARD, installed
from pipeline.record.kept import KeptRun, current_summary
from pipeline.summary.record import SummaryRecord, UnreadableSummaryError, read_summary

__all__ = ["current"]


def current(run: KeptRun, places: Places) -> SummaryRecord:
    """The summary of a run that is complete by the names of its part files.

    The engine makes it again from verified part files if there is none, if other part files, another format or another
    version of Orchard made it, and if it lacks trees, whose data may be here by now.

    Raises
    ------
    OrchardError
        It cannot be made again, and there is none to show instead.
    """
    found, why = None, ""
    try:
        found = current_summary(run)
        if found.made_from.version == installed(ORCHARD) and not found.lacks_trees:
            return found
    except UnreadableSummaryError as error:
        why = str(error)
    return _made_again(run, places, found, why)


def _made_again(run: KeptRun, places: Places, found: SummaryRecord | None, why: str) -> SummaryRecord:
    """The summary that the engine makes of a run; `found` if this version of Orchard has no such grid."""
    from pipeline.driver.summarising import summarise_again
    from pipeline.record.runs import OTHER_GRID, grid_run

    try:
        grid = grid_run(run, places)
    except Exception as error:  # whoever wrote the record
        if found is not None:
            return found
        msg = f"{why}, and {run.notes / 'run.json'} {OTHER_GRID}"
        raise OrchardError(msg) from error
    summarise_again(grid, places)
    try:
        return read_summary(run.summaries, run.id, run.name)
    except UnreadableSummaryError as error:
        msg = f"{error}, though it has just been summarised"
        raise OrchardError(msg) from error
