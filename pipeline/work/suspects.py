"""Chunks whose worker died: computed again, item by item in a separate process, to find the faulty item."""

from __future__ import annotations

import resource
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module

from pipeline.grid import Grid
from pipeline.import_path import Carried
from pipeline.losses import Loss
from pipeline.plan import Chunk, GridRun
from pipeline.work.limits import Limits
from pipeline.work.own_process import EndedError, NotStartedError, OwnProcess
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
    with ItemProcess(run.grid, limits.here()) as process:
        result = one_by_one(
            suspect.chunk,
            lambda item: separated(run.grid, partial(process.work, item), skip_whole=suspect.hung),
        )
    return result.published(run, began, _cpu_of_children() - cpu, suspect.tries + 1)


class ItemProcess(OwnProcess):
    """A process that computes items of a grid one at a time; it is replaced when it ends."""

    def __init__(self, grid: Grid, limits: Limits) -> None:
        super().__init__(_Items(grid, limits))
        self._limits = limits

    def work(self, item: int, losses: Mapping[int, Loss] | None = None, times: int = 1) -> Tables | Loss:
        """The tables of an item without the lost builders; or its loss, such as the signal that ended its process.

        times : multiple of the time limit that it may take

        Raises ChildProcessError if no process starts; the item is not at fault.
        """
        seconds = self._limits.times(times).seconds
        try:
            result: Tables | Loss = self.ask(lambda: (item, dict(losses or {})), seconds, GRACE_SECONDS)
        except NotStartedError as error:
            msg = f"its separate process did not start: {error.loss.error}"
            raise ChildProcessError(msg) from error
        except EndedError as error:
            return error.loss
        except TimeoutError:
            return self._limits.exceeded(times)
        return result


@dataclass(frozen=True)
class _Items(Carried):
    """The work of that process."""

    grid: Grid
    limits: Limits

    def ready(self) -> None:
        """Import the modules that make rows, so that no item's time includes it."""
        package = type(self.grid).__module__.rpartition(".")[0]
        with suppress(ModuleNotFoundError):  # not every grid has such a module
            import_module(f"{package}.rows")

    def answer(self, question: tuple[int, Mapping[int, Loss]]) -> Tables | Loss:
        """The tables of an item, or what it raised."""
        item, losses = question
        within = (self.limits.in_force(), self.limits.of_memory())
        return tried(self.grid.losing(losses), Chunk(item, item + 1), *within)


def _cpu_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
