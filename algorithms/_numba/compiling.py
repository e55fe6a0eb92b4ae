"""Clocks that stand still while kernels are compiled, or loaded from where they are kept.

A kernel is compiled when it is first called for arguments of some types, which takes some ten seconds and happens once
on a machine. A limit of time is a limit of what the kernels do, so it is measured by a `Stopwatch`. numba reports when
compiling begins and ends by its events; with the plain twins (`primitives.PLAIN`) time for compiling counts, too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import local
from typing import Any
from weakref import WeakSet

from algorithms._numba.primitives import PLAIN

__all__ = ["Stopwatch", "compiled", "observing_compilation"]


THREADS: WeakSet[_Compiled] = WeakSet()
"""Of all threads that are there."""


class _Compiled:
    """What one thread has spent on compiling, and what is called when it begins and ends."""

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
    """Have numba report when a thread begins and ends to compile."""
    from numba.core import event

    class _LockListener(event.Listener):  # type: ignore[misc] # numba has no types
        """Follows numba's lock, which a thread holds, perhaps many times, or waits for while it compiles or loads."""

        def on_start(self, _event: Any) -> None:
            """Note that this thread begins to compile."""
            compiled = THREAD.compiled
            compiled.depth += 1
            if compiled.depth == 1:
                compiled.began = time.perf_counter()
                for began, _ in tuple(compiled.observers):
                    began()

        def on_end(self, _event: Any) -> None:
            """Note that this thread goes on with other work."""
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
    """The seconds since it was made in which the thread that made it did not compile kernels, nor load them."""

    def __init__(self) -> None:
        self._compiled = THREAD.compiled
        self._compiled.depth = 0  # it is not compiling now; Ctrl-C while it waits for the lock leaves no other trace
        self._began, self._before = time.perf_counter(), self._compiled.ended

    @property
    def seconds(self) -> float:
        """Until now; other threads may ask, too."""
        now = time.perf_counter()
        return now - self._began - (self._compiled.seconds(now) - self._before)


@contextmanager
def observing_compilation(began: Callable[[], None], ended: Callable[[float], None]) -> Iterator[None]:
    """Call `began` when the thread of the block begins to compile or load kernels in it, and then `ended`.

    `ended` is given the seconds that it took. Neither may raise.
    """
    observers = THREAD.compiled.observers
    observers.append((began, ended))
    try:
        yield
    finally:
        observers.remove((began, ended))


def compiled() -> tuple[bool, float]:
    """Whether a thread of this process compiles or loads kernels, and the seconds that its threads have spent on it."""
    threads, now = list(THREADS), time.perf_counter()
    return any(one.depth for one in threads), sum(one.seconds(now) for one in threads)
