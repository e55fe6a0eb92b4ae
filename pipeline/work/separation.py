"""Finds which builders of an item are at fault, and computes the item without them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.grid import Grid
from pipeline.losses import CELL_ERRORS, Loss, loss_of
from pipeline.plan import Chunk
from pipeline.work.restored import ending_forks, restored_process

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["NOT_ASKED", "Attempt", "Tables", "divisible", "separated", "tried"]

NOT_ASKED = Loss("skipped", "not asked, while it is found out who is at fault")

Tables = Mapping[str, "pa.Table"]

Attempt = Callable[[Mapping[int, Loss], int], Tables | Loss]
"""Computes an item without the builders at these indices, within a multiple of the time limit."""


def separated(grid: Grid, attempt: Attempt, *, in_vain: bool = False) -> Tables | Loss:
    """The tables of an item, with lost cells if necessary; or the reason why none of it can be computed.

    in_vain : whether the whole item has, or may have, already used up its time limit; then its builders are tried one
              by one at once
    """
    if not divisible(grid):
        return attempt({}, 1)
    whole = grid.cells_per_item == grid.asked  # then an item without any of its asks has no rows left
    if not in_vain:
        outcome = attempt({}, 1)
        if not isinstance(outcome, Loss):
            return outcome
    places = range(grid.asked)
    nothing = attempt(dict.fromkeys(places, NOT_ASKED), 1)
    if isinstance(nothing, Loss):
        return nothing
    alone = {place: attempt({other: NOT_ASKED for other in places if other != place}, 1) for place in places}
    losses = {place: found for place, found in alone.items() if isinstance(found, Loss)}
    if whole and len(losses) == len(places) and len(set(losses.values())) == 1:
        return losses[0]
    together = attempt(losses, grid.asked)
    return _one_more_each_time(grid, attempt, losses) if isinstance(together, Loss) else together


def divisible(grid: Grid) -> bool:
    """Whether an item of the grid has several cells, so that some may be computed without the others."""
    return grid.asked > 1 or grid.cells_per_item > 1


def _one_more_each_time(grid: Grid, attempt: Attempt, losses: Mapping[int, Loss]) -> Tables | Loss:
    """The tables of an item whose builders, except those of `losses`, succeed alone but not together.

    Each is added in turn; one that fails beside those before it is lost.
    """
    said = dict(losses)
    waiting = {place: NOT_ASKED for place in range(grid.asked) if place not in losses}
    for place in list(waiting):
        del waiting[place]
        outcome = attempt(said | waiting, grid.asked)
        if isinstance(outcome, Loss):
            said[place] = replace(outcome, error=f"{outcome.error}; beside others of its item, not alone")
    return attempt(said, grid.asked)


def tried(grid: Grid, chunk: Chunk, *holding: AbstractContextManager[object]) -> Tables | Loss:
    """The tables of a chunk, computed in this process within these contexts; or the error, as text.

    The error itself is not kept, since some errors cannot be pickled. The state of the process is restored.
    """
    try:
        with ExitStack() as stack:
            for context in (restored_process(), *holding, ending_forks()):
                stack.enter_context(context)
            return grid.work(chunk.first, chunk.stop)
    except CELL_ERRORS as error:
        return loss_of(error)
