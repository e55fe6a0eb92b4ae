"""Chunks whose worker died: worked again, item by item in a process of its own, so that who is at fault shows."""

from __future__ import annotations

import resource
import time
from dataclasses import dataclass
from functools import partial

from pipeline.plan import Chunk, GridRun
from pipeline.work.item_process import ItemProcess
from pipeline.work.limits import Limits
from pipeline.work.publication import Receipt, one_by_one
from pipeline.work.separation import separated

__all__ = ["Suspect", "publish_suspect"]


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
    with ItemProcess(run.grid, limits.here()) as process:
        worked = one_by_one(
            suspect.chunk,
            lambda item: separated(run.grid, partial(process.work, item), in_vain=suspect.hung),
        )
    return worked.published(run, began, _cpu_of_children() - cpu, suspect.tries + 1)


def _cpu_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
