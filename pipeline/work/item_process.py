"""Items of a grid computed in a process of their own, below a worker."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module

from pipeline.grid import Grid
from pipeline.import_path import Carried
from pipeline.work.forks import ending_forks
from pipeline.work.limits import Limits
from pipeline.work.losses import CELL_ERRORS, Loss, loss_of
from pipeline.work.own_process import EndedError, NotStartedError, OwnProcess
from pipeline.work.restored import restored_process
from pipeline.work.separation import Tables, without

__all__ = ["ItemProcess"]

GRACE_SECONDS = 30.0  # besides its limit, for the first item of a process, which loads what the others find there


class ItemProcess(OwnProcess):
    """A process that computes items of a grid one at a time; another takes its place when it ends."""

    def __init__(self, grid: Grid, limits: Limits) -> None:
        super().__init__(_Items(grid, limits))
        self._limits = limits

    def work(self, item: int, losses: Mapping[int, Loss] | None = None, times: int = 1) -> Tables | Loss:
        """The tables of an item, these builders lost; or what became of it, such as the signal that ended its process.

        times : how many times the limit of time it may take

        Raises ChildProcessError where no process starts, which is not the item's doing.
        """
        seconds = self._limits.times(times).seconds
        try:
            found: Tables | Loss = self.ask(lambda: (item, dict(losses or {})), seconds, GRACE_SECONDS)
        except NotStartedError as error:
            msg = f"a process of its own did not start: {error.loss.error}"
            raise ChildProcessError(msg) from error
        except EndedError as error:
            return error.loss
        except TimeoutError:
            return self._limits.exceeded(times)
        return found


@dataclass(frozen=True)
class _Items(Carried):
    """What that process does."""

    grid: Grid
    limits: Limits

    def ready(self) -> None:
        """Import what makes rows, so that it takes no item's time."""
        package = type(self.grid).__module__.rpartition(".")[0]
        with suppress(ModuleNotFoundError):  # not every grid has such a module
            import_module(f"{package}.rows")

    def answer(self, question: tuple[int, Mapping[int, Loss]]) -> Tables | Loss:
        """The tables of an item, or what it raised."""
        item, losses = question
        try:
            with restored_process(), self.limits.in_force(), self.limits.of_memory(), ending_forks():
                return without(self.grid, losses).work(item, item + 1)
        except CELL_ERRORS as error:
            return loss_of(error)
