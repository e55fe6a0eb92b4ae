"""Limits of time and memory: what a cell may take before its row says that it took more."""

from __future__ import annotations

import faulthandler
import os
import resource
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from pipeline.errors import ConfigError
from pipeline.losses import Loss
from pipeline.work.dask_log import LOG_VARIABLE, opened_log

if TYPE_CHECKING:
    from pipeline.configuration.settings import LimitSettings

__all__ = ["COMPILE_SECONDS", "MIB", "Limits", "check_limits", "current_limits", "paused"]

MIB = 2**20  # bytes
LONGEST_SECONDS = 1e7
LEAST_SECONDS = 0.001
"""What is left of a limit that is used up: 0 seconds would mean that there is no limit."""
COMPILE_SECONDS = 600.0
"""After which a process that says that it compiles is taken to hang."""


@dataclass(frozen=True)
class Limits:
    """What a cell may take.

    seconds      : on the clock, while no kernels are compiled
    memory_bytes : beyond what the process has before; None: no limit, or that which Dask has for the worker
    shared       : whether the process is not a worker's own; then only the processes below it are limited
    """

    seconds: float
    memory_bytes: int | None
    shared: bool = False

    @staticmethod
    def of(settings: LimitSettings, processes: int | None) -> Limits:
        """As configured; without a number the memory of this machine, or its cgroup, shared among so many processes.

        `processes` is None where the workers are elsewhere.
        """
        if settings.memory_mib is not None:
            return Limits(settings.seconds, settings.memory_mib * MIB)
        if processes is None:
            return Limits(settings.seconds, None)
        from distributed.system import MEMORY_LIMIT

        return Limits(settings.seconds, int(MEMORY_LIMIT) // processes)

    def times(self, cells: int) -> Limits:
        """The same for so many cells, of which each may take as long."""
        return replace(self, seconds=self.seconds * cells)

    def exceeded(self, cells: int = 1) -> Loss:
        """What to say of so many cells that took longer."""
        of_each = f" for each of {cells} cells" if cells > 1 else ""
        return Loss("time_limit", f"took more than the {self.seconds:g} seconds of limits.seconds{of_each}")

    def here(self) -> Limits:
        """The same on the worker that this is: where no memory is given, what Dask lets it have."""
        return self if self.memory_bytes is not None else replace(self, memory_bytes=_of_worker())

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """Have `current_limits` return these limits in the block."""
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)

    @contextmanager
    def ending_worker(self) -> Iterator[None]:
        """End this process, a worker's, where the block takes longer; the log then tells where it was.

        What watches is a thread without Python, so that nothing that runs can keep it from that. Kernels that this
        thread compiles in the block take time that does not count, up to COMPILE_SECONDS at once.
        """
        if self.shared:
            yield
            return
        from algorithms._numba.compiling import Stopwatch, observing_compilation

        with ExitStack() as stack:
            log, clock, waited = _log(stack), Stopwatch(), 0.0

            def watch(seconds: float) -> None:
                faulthandler.dump_traceback_later(max(seconds, LEAST_SECONDS), exit=True, file=log)

            def go_on() -> None:
                watch(self.seconds + waited - clock.seconds)

            @contextmanager
            def pause() -> Iterator[None]:
                nonlocal waited
                faulthandler.cancel_dump_traceback_later()
                began = clock.seconds
                try:
                    yield
                finally:
                    waited += clock.seconds - began
                    go_on()

            stack.callback(faulthandler.cancel_dump_traceback_later)
            watch(self.seconds)
            stack.enter_context(_pausable(pause))
            stack.enter_context(observing_compilation(lambda: watch(COMPILE_SECONDS), lambda _: go_on()))
            yield

    @contextmanager
    def of_memory(self) -> Iterator[None]:
        """Have an allocation beyond the limit fail, as MemoryError, for the time of the block; Linux."""
        if self.shared or self.memory_bytes is None or sys.platform != "linux":
            yield
            return
        import pyarrow as pa

        pa.allocate_buffer(1)  # its pool reserves a GiB of addresses when first used, which are not the block's
        outer = resource.getrlimit(resource.RLIMIT_DATA)
        limit = _data_bytes() + self.memory_bytes
        inner = outer if outer[0] != resource.RLIM_INFINITY and outer[0] <= limit else (limit, outer[1])
        with _pausable(lambda: _data_limit(outer, after=inner)), _data_limit(inner, after=outer):
            yield


_current: ContextVar[Limits | None] = ContextVar("limits", default=None)
_pauses: list[Callable[[], AbstractContextManager[None]]] = []


def current_limits() -> Limits | None:
    """The limits of the cell that is being computed in this thread; None where there are none."""
    return _current.get()


@contextmanager
def paused() -> Iterator[None]:
    """Have no limit of this process hold in the block, in which another process works, by limits of its own."""
    with ExitStack() as stack:
        for pause in reversed(_pauses):
            stack.enter_context(pause())
        yield


@contextmanager
def _pausable(pause: Callable[[], AbstractContextManager[None]]) -> Iterator[None]:
    """Have `paused` pause a limit in the block. Only processes that work one cell at a time have limits."""
    _pauses.append(pause)
    try:
        yield
    finally:
        _pauses.remove(pause)


@contextmanager
def _data_limit(inside: tuple[int, int], after: tuple[int, int]) -> Iterator[None]:
    resource.setrlimit(resource.RLIMIT_DATA, inside)
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, after)


def check_limits(settings: LimitSettings) -> None:
    """Raise ConfigError for values that cannot be."""
    if not 0 < settings.seconds <= LONGEST_SECONDS:
        msg = f"limits.seconds is {settings.seconds}: expected more than 0, and at most {LONGEST_SECONDS:.0f}"
        raise ConfigError(msg)
    if settings.memory_mib is not None and settings.memory_mib < 1:
        msg = f"limits.memory_mib is {settings.memory_mib}: expected 1 or more, or null"
        raise ConfigError(msg)


def _log(stack: ExitStack) -> IO[str]:
    with suppress(OSError, KeyError):
        return stack.enter_context(opened_log(os.environ[LOG_VARIABLE]))
    return sys.stderr


def _of_worker() -> int | None:
    """The memory that Dask lets this worker have; None where it sets no limit, and where this is no worker."""
    from distributed import get_worker

    try:
        limit = get_worker().memory_manager.memory_limit
    except ValueError:  # no worker
        return None
    return int(limit) if limit else None


def _data_bytes() -> int:
    """What RLIMIT_DATA is held against: the private memory that this process may write to."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmData:"))
    return int(line.split()[1]) * 1024
