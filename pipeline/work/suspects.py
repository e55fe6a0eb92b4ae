"""Chunks whose worker died: worked again, item by item in a process of its own, so that who is at fault shows."""

from __future__ import annotations

import resource
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.grids.base import Grid, Separable
from pipeline.plan import Chunk, GridRun
from pipeline.work.limits import Limits
from pipeline.work.losses import Loss
from pipeline.work.own_process import OwnProcess
from pipeline.work.publication import Receipt, Tables, one_by_one

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Suspect", "publish_suspect"]

NOT_ASKED = Loss("skipped", "not asked, while it is found out which builder is at fault")


@dataclass(frozen=True)
class Suspect:
    """A chunk that was being worked, or waited for that, when its worker died.

    tries : how often it was begun
    hung  : whether it had been there for so long that it may have been ended for the time it took
    """

    chunk: Chunk
    tries: int
    hung: bool


def publish_suspect(run: GridRun, suspect: Suspect, limits: Limits) -> Receipt:
    """Work a suspect and publish what of it can be worked; the receipt says which items cannot, and why.

    If this worker dies too, that was not the chunk's doing, which is not worked here.

    Raises
    ------
    OutputError
        A part cannot be written.
    """
    began, cpu = time.perf_counter(), _cpu_of_children()
    with OwnProcess(run.grid, limits.here()) as process:
        worked = one_by_one(suspect.chunk, lambda item: _decided(run.grid, process, item, hung=suspect.hung))
    return worked.published(run, began, _cpu_of_children() - cpu, suspect.tries + 1)


def _decided(grid: Grid, process: OwnProcess, item: int, *, hung: bool) -> Tables | Loss:
    """The tables of an item, of which builders may be lost; or what became of it where it cannot be worked at all.

    An item that may have taken too long before is not tried as it is: each try takes as long as the limit allows.
    """
    if not isinstance(grid, Separable):
        return process.work(item)
    whole = grid.cells_per_item == len(grid.builders)  # then nothing is left of an item whose builders are all lost
    if not hung or (whole and len(grid.builders) == 1):
        outcome = process.work(item)
        if not isinstance(outcome, Loss) or outcome.status == "failed" or (whole and len(grid.builders) == 1):
            return outcome
    places = range(len(grid.builders))
    without = process.work(item, dict.fromkeys(places, NOT_ASKED))
    if isinstance(without, Loss):
        return without
    alone = {place: process.work(item, {other: NOT_ASKED for other in places if other != place}) for place in places}
    losses: Mapping[int, Loss] = {place: found for place, found in alone.items() if isinstance(found, Loss)}
    if whole and len(losses) == len(places) and len(set(losses.values())) == 1:
        return losses[0]
    return process.work(item, losses)


def _cpu_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
