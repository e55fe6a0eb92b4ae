"""Clocks that stop while kernels are compiled or loaded from the cache.

A kernel is compiled when it is first called with arguments of certain types. This happens once on a machine; all
kernels of an estimator take 1 to 30 seconds. Time limits are for the work of kernels only, so a `Stopwatch` measures
it. numba sends events when compiling begins and ends. With `primitives.PLAIN`, the compile time counts, too.
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
"""The compile times of all live threads."""


class _Compiled:
    """The seconds that a thread has spent compiling, and the functions to call at the start and at the end.

    `depth` counts how often the thread has entered numba's lock; `began` is the time of the outermost entry.
    """

    def __init__(self) -> None:
        self.depth, self.began, self.finished_seconds = 0, 0.0, 0.0
        self.observers: list[tuple[Callable[[], None], Callable[[float], None]]] = []

    def seconds(self, now: float) -> float:
        """Seconds spent until `now`, a time of `time.perf_counter`."""
        return self.finished_seconds + (now - self.began if self.depth else 0.0)


class _Thread(local):
    def __init__(self) -> None:
        self.compiled = _Compiled()
        THREADS.add(self.compiled)


THREAD = _Thread()


def _follow_compilation() -> None:
    """Register a listener for the start and end of compiling in each thread."""
    from numba.core import event

    class _LockListener(event.Listener):  # type: ignore[misc] # numba has no types
        """Measures how long each thread waits for numba's reentrant compiler lock and then holds it.

        A thread waits for the lock or holds it only while it compiles or loads a kernel.
        """

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
                compiled.finished_seconds += seconds
                for _, ended in tuple(compiled.observers):
                    ended(seconds)

    event.register("numba:compiler_lock", _LockListener())


if not PLAIN:
    _follow_compilation()


class Stopwatch:
    """The seconds since its creation in which the thread that made it neither compiled nor loaded kernels."""

    def __init__(self) -> None:
        self._compiled = THREAD.compiled
        self._compiled.depth = 0  # not compiling now, but Ctrl-C during a wait for the lock leaves a depth above 0
        self._began, self._before = time.perf_counter(), self._compiled.finished_seconds

    @property
    def seconds(self) -> float:
        """Seconds until now. Any thread may read it."""
        now = time.perf_counter()
        return now - self._began - (self._compiled.seconds(now) - self._before)


@contextmanager
def observing_compilation(began: Callable[[], None], ended: Callable[[float], None]) -> Iterator[None]:
    """Call `began` when the thread of the block starts to compile or load kernels, and `ended` afterwards.

    `ended` gets the seconds that this took. Neither function may raise an exception.
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
