"""Clocks that stop while kernels are compiled or loaded from the cache.

A kernel is compiled when it is first called for arguments of certain types. This takes some ten seconds and happens
once on a machine. A time limit is a limit on the work of the kernels, so a `Stopwatch` measures it. numba reports by
events when compiling begins and ends. With the plain twins (`primitives.PLAIN`) compile time counts, too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import local
from typing import Any
from weakref import WeakSet

from algorithms._numba.primitives import PLAIN

THREADS: WeakSet[_Compiled] = WeakSet()
"""The counters of all live threads."""


class _Compiled:
    """The seconds that one thread has spent compiling, and the callbacks for the start and the end."""

    def __init__(self) -> None:
        self.depth, self.began, self.ended = 0, 0.0, 0.0
        self.observers: list[tuple[Callable[[], None], Callable[[float], None]]] = []

    def seconds(self, now: float) -> float:
        """Seconds until now, by `time.perf_counter`."""
        return self.ended + (now - self.began if self.depth else 0.0)


class _Thread(local):
    def __init__(self) -> None:
        self.compiled = _Compiled()
        THREADS.add(self.compiled)


THREAD = _Thread()


def _follow_compilation() -> None:
    """Register a listener for the start and end of compiling in each thread."""
    from numba.core import event

    class _LockListener(event.Listener):  # type: ignore[misc] # numba has no types
        """Follows numba's lock: a thread holds it, perhaps many times, or waits for it while it compiles or loads."""

        def on_start(self, _event: Any) -> None:
            compiled = THREAD.compiled
            compiled.depth += 1
            if compiled.depth == 1:
                compiled.began = time.perf_counter()
                for began, _ in tuple(compiled.observers):
                    began()

        def on_end(self, _event: Any) -> None:
            compiled = THREAD.compiled
            compiled.depth -= 1
            if compiled.depth == 0:
                seconds = time.perf_counter() - compiled.began
                compiled.ended += seconds
                for _, ended in tuple(compiled.observers):
                    ended(seconds)

    event.register("numba:compiler_lock", _LockListener())


if not PLAIN:
    _follow_compilation()


class Stopwatch:
    """The seconds since its creation in which the thread that made it neither compiled nor loaded kernels."""

    def __init__(self) -> None:
        self._compiled = THREAD.compiled
        self._compiled.depth = 0  # it is not compiling now; Ctrl-C while it waits for the lock leaves no other trace
        self._began, self._before = time.perf_counter(), self._compiled.ended

    @property
    def seconds(self) -> float:
        """Seconds until now; other threads may ask, too."""
        now = time.perf_counter()
        return now - self._began - (self._compiled.seconds(now) - self._before)


@contextmanager
def observing_compilation(began: Callable[[], None], ended: Callable[[float], None]) -> Iterator[None]:
    """Call `began` when the thread of the block starts to compile or load kernels, and `ended` afterwards.

    `ended` gets the seconds that it took. Neither may raise.
    """
    observers = THREAD.compiled.observers
    observers.append((began, ended))
    try:
        yield
    finally:
        observers.remove((began, ended))


def seconds_compiled_here() -> float:
    """The seconds that this thread has spent compiling or loading kernels so far."""
    return THREAD.compiled.seconds(time.perf_counter())


def compilation_of_all_threads() -> tuple[bool, float]:
    """Whether a thread of this process is compiling or loading kernels, and the seconds spent so far by all threads."""
    threads, now = list(THREADS), time.perf_counter()
    return any(thread.depth for thread in threads), sum(thread.seconds(now) for thread in threads)
