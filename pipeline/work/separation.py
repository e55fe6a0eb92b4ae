"""Finds which builders of an item are at fault, and computes the item without them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.failures import CELL_ERRORS, Failure, failure_of
from pipeline.grid import Grid
from pipeline.plan import Chunk
from pipeline.work.restored import ending_forks, restored_process

if TYPE_CHECKING:
    import pyarrow as pa

NOT_TRIED = Failure("skipped", "not tried, while the builder at fault is searched for")

Tables = Mapping[str, "pa.Table"]

Attempt = Callable[[Mapping[int, Failure], int], Tables | Failure]
"""Computes an item without the builders at these indices, within a multiple of the time limit."""


def separated(grid: Grid, attempt: Attempt, *, skip_whole: bool = False) -> Tables | Failure:
    """The tables of an item, without the cells that fail; or the reason why none of it can be computed.

    skip_whole : whether to try the builders one by one at once, because the whole item has failed, or may have used up
                 its time limit
    """
    if not divisible(grid):
        return attempt({}, 1)
    indices = range(len(grid.methods))
    only_cells = grid.cells_per_item == len(indices)  # then an item without any of its cells has no rows left
    if not skip_whole:
        outcome = attempt({}, 1)
        if not isinstance(outcome, Failure):
            return outcome
    nothing = attempt(dict.fromkeys(indices, NOT_TRIED), 1)
    if isinstance(nothing, Failure):
        return nothing
    alone = {index: attempt({other: NOT_TRIED for other in indices if other != index}, 1) for index in indices}
    failed = {index: outcome for index, outcome in alone.items() if isinstance(outcome, Failure)}
    if only_cells and len(failed) == len(indices) and len(set(failed.values())) == 1:
        return failed[0]
    together = attempt(failed, len(indices))
    return _added_in_turn(grid, attempt, failed) if isinstance(together, Failure) else together


def divisible(grid: Grid) -> bool:
    """Whether an item of the grid has several cells, so that some may be computed without the others."""
    return len(grid.methods) > 1 or grid.cells_per_item > 1


def _added_in_turn(grid: Grid, attempt: Attempt, failed: Mapping[int, Failure]) -> Tables | Failure:
    """The tables of an item whose builders, except those of `failed`, succeed alone but not together.

    Each is added in turn; one that fails beside those before it is left out.
    """
    left_out = dict(failed)
    cells = len(grid.methods)
    waiting = {index: NOT_TRIED for index in range(cells) if index not in failed}
    for index in list(waiting):
        del waiting[index]
        outcome = attempt(left_out | waiting, cells)
        if isinstance(outcome, Failure):
            alone = "the builder succeeds alone, but fails in one process with the other builders of the grid"
            left_out[index] = replace(outcome, error=f"{outcome.error}; {alone}")
    return attempt(left_out, cells)


def tried(grid: Grid, chunk: Chunk, *contexts: AbstractContextManager[object]) -> Tables | Failure:
    """The tables of a chunk, computed in this process within these contexts; or the error, as text.

    The error itself is not kept, since some errors cannot be pickled. The state of the process is restored.
    """
    try:
        with ExitStack() as stack:
            for context in (restored_process(), *contexts, ending_forks()):
                stack.enter_context(context)
            return grid.work(chunk.first, chunk.stop)
    except CELL_ERRORS as error:
        return failure_of(error)
