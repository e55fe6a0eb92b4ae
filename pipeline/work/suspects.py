"""Chunks whose worker died: computed again, item by item in a separate process, to find the faulty item."""

from __future__ import annotations

import resource
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module

from pipeline.failures import Failure
from pipeline.grid import Grid
from pipeline.import_path import CarriesPlugins
from pipeline.plan import Chunk, GridRun
from pipeline.work.child_process import ChildProcess, EndedError, NotStartedError
from pipeline.work.limits import Limits
from pipeline.work.publication import Receipt, one_by_one
from pipeline.work.separation import Tables, separated, tried

GRACE_SECONDS = 30.0  # added to the limit of the first item of a process, which loads modules and data


@dataclass(frozen=True)
class Suspect:
    """A chunk that its worker was computing, or had queued, when the worker died.

    tries : number of starts
    hung  : whether the worker had it for so long that the time limit may have ended the worker
    """

    chunk: Chunk
    tries: int
    hung: bool


def publish_suspect(run: GridRun, suspect: Suspect, limits: Limits) -> Receipt:
    """Compute a suspect and publish the items that succeed; the receipt says which items failed, and why.

    The chunk runs below this worker, so it is not at fault if this worker dies too.

    Raises OutputError: a part file cannot be written.
    """
    began, cpu = time.perf_counter(), _cpu_of_children()
    with ItemProcess(run.grid, limits.on_this_worker()) as process:
        result = one_by_one(
            suspect.chunk,
            lambda item: separated(run.grid, partial(process.work, item), skip_whole=suspect.hung),
        )
    return result.published(run, began, _cpu_of_children() - cpu, suspect.tries + 1)


class ItemProcess(ChildProcess):
    """A process that computes items of a grid one at a time; it is replaced when it ends."""

    def __init__(self, grid: Grid, limits: Limits) -> None:
        super().__init__(_ItemServer(grid, limits))
        self._limits = limits

    def work(self, item: int, left_out: Mapping[int, Failure] | None = None, times: int = 1) -> Tables | Failure:
        """The tables of an item without these builders; or its failure, such as the signal that ended its process.

        times : multiple of the time limit that it may take

        Raises ChildProcessError if no process starts; the item is not at fault.
        """
        seconds = self._limits.for_cells(times).seconds
        try:
            result: Tables | Failure = self.ask(lambda: (item, dict(left_out or {})), seconds, GRACE_SECONDS)
        except NotStartedError as error:
            raise ChildProcessError(f"its separate process did not start: {error.failure.error}") from error
        except EndedError as error:
            return error.failure
        except TimeoutError:
            return self._limits.exceeded(times)
        return result


@dataclass(frozen=True)
class _ItemServer(CarriesPlugins):
    """What that process does: compute items."""

    grid: Grid
    limits: Limits

    def ready(self) -> None:
        """Import the modules that make rows, so that no item's time includes it."""
        package = type(self.grid).__module__.rpartition(".")[0]
        with suppress(ModuleNotFoundError):  # not every grid has such a module
            import_module(f"{package}.rows")

    def answer(self, question: tuple[int, Mapping[int, Failure]]) -> Tables | Failure:
        """The tables of an item, or what it raised."""
        item, left_out = question
        within = (self.limits.in_force(), self.limits.limiting_memory())
        return tried(self.grid.leaving_out(left_out), Chunk(item, item + 1), *within)


def _cpu_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
