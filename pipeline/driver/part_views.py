"""The views of a summary that workers compute before their cluster closes, if they have more cores than the driver."""

from __future__ import annotations

import os
import queue
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pipeline.grid import PartialViews
from pipeline.plan import GridRun
from pipeline.storage.parts import sizes
from pipeline.work.publication import merged_views

if TYPE_CHECKING:
    from pipeline.cluster.base import Workers

FILES_OF_TASK = 8
"""Part files per task: a few seconds of work."""

MOST_GROUPS = 32
"""Groups of part files; the merged views of each, some megabytes, are sent to the driver."""

PATIENCE = 60.0
"""Seconds without any result after which the driver computes the rest itself."""


def views_by_workers(workers: Workers, run: GridRun, stopped: Callable[[], bool]) -> tuple[PartialViews, ...]:
    """The views of groups of part files, as far as the workers compute them; the summary computes the rest.

    Each task verifies some files and merges their views; a further task merges the views of a group. A group
    with an unreadable file, or whose worker died, is left out: the summary then reads these files and reports why. If
    the driver has as many cores as there are workers, no task is submitted.
    """
    if not run.grid.merges or workers.width() <= len(os.sched_getaffinity(0)):
        return ()
    names = [*sizes(run.results)]
    tasks = [names[first : first + FILES_OF_TASK] for first in range(0, len(names), FILES_OF_TASK)]
    width = -(-len(tasks) // MOST_GROUPS)
    finished: queue.SimpleQueue[tuple[Any, PartialViews | None]] = queue.SimpleQueue()
    waiting = set()
    for first in range(0, len(tasks), width) if tasks else ():
        views = [workers.submit(merged_views, run, files) for files in tasks[first : first + width]]
        group = workers.submit(merged_views, run, (), views)
        waiting.add(group)
        workers.when_done(group, lambda *outcome: finished.put(outcome))
    return tuple(_collected(waiting, finished, stopped))


def _collected(
    waiting: set[Any], finished: queue.SimpleQueue[tuple[Any, PartialViews | None]], stopped: Callable[[], bool]
) -> Sequence[PartialViews]:
    """The views of the finished groups, until all are finished, a signal comes, or no more finish in time."""
    result, last_finished = [], time.monotonic()
    while waiting and not stopped() and time.monotonic() - last_finished < PATIENCE:
        try:
            group, views = finished.get(timeout=0.2)
        except queue.Empty:
            continue
        last_finished = time.monotonic()
        waiting.discard(group)
        group.release()
        if views is not None:
            result.append(views)
    for group in waiting:
        group.cancel()
    return result
