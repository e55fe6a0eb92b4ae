"""Limits of time and memory of a cell, beyond which its row reports a limit."""

from __future__ import annotations

import faulthandler
import math
import os
import resource
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from pipeline.configuration.rules import Rule, within
from pipeline.failures import Failure
from pipeline.work.dask_log import LOG_VARIABLE, opened_log

if TYPE_CHECKING:
    from pipeline.configuration.settings import LimitSettings

MIB = 2**20  # bytes
LONGEST_SECONDS = 1e7
SECONDS = Rule(f"more than 0, and at most {LONGEST_SECONDS:.0f}", lambda seconds: 0 < seconds <= LONGEST_SECONDS)
LEAST_SECONDS = 0.001
"""The remainder of a limit that is used up: 0 seconds would mean no limit."""
MEMORY_MIB = within(256, 2**40)
"""With less, imports and compiling fail in any builder, with errors that do not name the memory. The system takes a
limit of no more than 63 bits, in bytes."""
COMPILE_SECONDS = 600.0
"""After which a process that reports compiling counts as hanging."""


@dataclass(frozen=True)
class Limits:
    """The limits of a cell.

    seconds      : wall time, without compiling kernels
    memory_bytes : in addition to the process's memory before; None: no limit, or Dask's limit for the worker
    shared       : whether the process is shared with others; then only the processes below it are limited
    """

    seconds: float
    memory_bytes: int | None
    shared: bool = False

    @staticmethod
    def of(settings: LimitSettings, processes: int | None) -> Limits:
        """The limits of a configuration.

        By default the memory limit is that of this machine, or its cgroup, divided among `processes`, which is
        None if the workers are on other machines.
        """
        if settings.memory_mib is not None:
            return Limits(settings.seconds, settings.memory_mib * MIB)
        if processes is None:
            return Limits(settings.seconds, None)
        from distributed.system import MEMORY_LIMIT

        return Limits(settings.seconds, int(MEMORY_LIMIT) // processes)

    def for_cells(self, cells: int) -> Limits:
        """The limits of a group of cells, with the time of each."""
        return replace(self, seconds=self.seconds * cells)

    def exceeded(self, cells: int = 1) -> Failure:
        """The failure of this many cells that took too long."""
        limit = f"the {self.seconds:g} s of limits.seconds"
        if cells > 1:
            limit = (
                f"{self.seconds * cells:g} s for {cells} cells together: limits.seconds is {self.seconds:g} per cell"
            )
        return Failure("time_limit", f"took more than {limit}")

    def on_this_worker(self) -> Limits:
        """The same limits on this worker: if no memory limit is given, Dask's limit."""
        return self if self.memory_bytes is not None else replace(self, memory_bytes=_dask_memory_limit())

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """Make `current_limits` return these limits in the block."""
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)

    @contextmanager
    def ending_worker(self) -> Iterator[None]:
        """End this worker process if the block takes longer; the log then shows where it was.

        The watchdog is a thread without Python, so that no running code can block it. Compiling kernels in this thread
        does not count, up to COMPILE_SECONDS at a time.
        """
        if self.shared:
            yield
            return
        from algorithms._numba.compiling import Stopwatch, observing_compilation

        with ExitStack() as stack:
            log, clock, waited = _log(stack), Stopwatch(), 0.0

            def watch(seconds: float) -> None:
                faulthandler.dump_traceback_later(max(seconds, LEAST_SECONDS), exit=True, file=log)

            def resume() -> None:
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
                    resume()

            stack.callback(faulthandler.cancel_dump_traceback_later)
            watch(self.seconds)
            stack.enter_context(_pausable(pause))
            stack.enter_context(observing_compilation(lambda: watch(COMPILE_SECONDS), lambda _: resume()))
            yield

    @contextmanager
    def limiting_memory(self) -> Iterator[None]:
        """Make an allocation beyond the limit fail with MemoryError during the block; Linux only."""
        if self.shared or self.memory_bytes is None or sys.platform != "linux":
            yield
            return
        import pyarrow as pa

        pa.allocate_buffer(1)  # its pool reserves a GiB of addresses at first use, which must not count
        outer = resource.getrlimit(resource.RLIMIT_DATA)
        limit = _data_bytes() + self.memory_bytes
        inner = outer if outer[0] != resource.RLIM_INFINITY and outer[0] <= limit else (limit, outer[1])
        with _pausable(lambda: _data_limit(outer, after=inner)), _data_limit(inner, after=outer):
            yield


UNLIMITED = Limits(math.inf, None, shared=True)
"""No limit of this process, nor of those below it."""

_current: ContextVar[Limits] = ContextVar("limits", default=UNLIMITED)
_pauses: list[Callable[[], AbstractContextManager[None]]] = []


def current_limits() -> Limits:
    """The limits of the cell that this thread is computing."""
    return _current.get()


@contextmanager
def paused() -> Iterator[None]:
    """Suspend all limits of this process in the block, in which another process works under its own limits."""
    with ExitStack() as stack:
        for pause in reversed(_pauses):
            stack.enter_context(pause())
        yield


@contextmanager
def _pausable(pause: Callable[[], AbstractContextManager[None]]) -> Iterator[None]:
    """Make `paused` suspend a limit in the block. Only processes that compute one cell at a time have limits."""
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
    """Raise ConfigError for wrong values."""
    SECONDS.check("limits.seconds", settings.seconds)
    MEMORY_MIB.check("limits.memory_mib", settings.memory_mib, null=True)


def _log(stack: ExitStack) -> IO[str]:
    with suppress(OSError, KeyError):
        return stack.enter_context(opened_log(os.environ[LOG_VARIABLE]))
    return sys.stderr


def _dask_memory_limit() -> int | None:
    """Dask's memory limit of this worker; None if there is none, or if this is not a worker."""
    from distributed import get_worker

    try:
        limit = get_worker().memory_manager.memory_limit
    except ValueError:  # not a worker
        return None
    return int(limit) if limit else None


def _data_bytes() -> int:
    """The value that RLIMIT_DATA is compared with: the private writable memory of this process."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmData:"))
    return int(line.split()[1]) * 1024
