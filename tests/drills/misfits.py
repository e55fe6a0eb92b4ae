"""Builders that end, block or burden the process that calls them, each in its own way, and one that behaves."""

from __future__ import annotations

import asyncio
import ctypes
import os
import random
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["BEHAVIOURS", "WAIT_VARIABLE", "Misfit"]

WAIT_VARIABLE = "DRILL_WAIT"
"""Names the file that says for how many seconds a builder that waits does."""

CHANCE = 0.02
"""Of a builder that kills its worker now and then."""


class UnpicklableError(Exception):
    """Holds what no pickle can."""

    def __init__(self) -> None:
        super().__init__("holds a lock")
        self.lock = threading.Lock()


class Misfit:
    """Predicts the most common class, if its behaviour lets it.

    behaviour : a name in BEHAVIOURS
    most      : rows of training data up to which it behaves
    """

    def __init__(self, behaviour: str = "well", most: int = 0) -> None:
        self.behaviour, self.most = behaviour, most

    def fit(self, X: Any, y: Any = None) -> Misfit:
        if len(X) > self.most:
            BEHAVIOURS[self.behaviour]()
        labels, counts = np.unique(np.asarray(y), return_counts=True)
        self.label_ = labels[counts.argmax()]
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        return np.full(len(X), self.label_)


def hang() -> None:
    while True:
        time.sleep(60)


def hang_in_c() -> None:
    """Hold the interpreter's lock for ever, so that no thread of Python runs again."""
    ctypes.PyDLL(None).pause()


def compile_slowly() -> None:
    """Call a kernel that takes three seconds to compile, and no time to run."""
    from numba import njit
    from numba.extending import overload

    def slow() -> None: ...

    @overload(slow)
    def typed() -> Any:
        time.sleep(3)
        return lambda: None

    @njit
    def kernel() -> None:
        slow()

    kernel()


def allocate() -> None:
    _ = [np.ones(2**20) for _ in range(200)]  # 8 MiB a piece


def allocate_in_c() -> None:
    """Take memory by libc alone, and abort when there is none, as C++ does."""
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    while address := libc.malloc(ctypes.c_size_t(2**24)):
        ctypes.memset(address, 1, 2**24)
    os.write(2, b"terminate called after throwing an instance of 'std::bad_alloc'\n")
    libc.abort()


def recurse() -> None:
    recurse()


def leave() -> None:
    os._exit(3)


def raise_exit() -> None:
    raise SystemExit(0)


def interrupt() -> None:
    raise KeyboardInterrupt


def cancel() -> None:
    """Raise what is neither an Exception nor one of those that end Python."""
    raise asyncio.CancelledError


def crash() -> None:
    ctypes.string_at(0)


def raise_unpicklable() -> None:
    raise UnpicklableError


def kill_itself() -> None:
    os.kill(os.getpid(), 9)


def fork() -> None:
    """Have a copy of the process leave as a program does."""
    child = os.fork()
    if not child:
        sys.exit(0)
    os.waitpid(child, 0)


def leave_an_alarm() -> None:
    signal.setitimer(signal.ITIMER_REAL, 1)


def wait() -> float:
    file = Path(os.environ[WAIT_VARIABLE])
    seconds = float(file.read_text())
    file.with_name(f"{file.name}.{os.getpid()}").touch()  # names the processes that wait
    time.sleep(seconds)
    return seconds


def wait_or_end_the_worker() -> None:
    """Wait, and if so now and then kill the parent, where that is a worker of Dask's: then it is nobody's fault."""
    if wait() and random.random() < CHANCE:
        parent = os.getppid()
        if b"child_process" not in Path(f"/proc/{parent}/cmdline").read_bytes():
            os.kill(parent, signal.SIGKILL)


BEHAVIOURS = {
    "waits": wait,
    "waits, or ends its worker": wait_or_end_the_worker,
    "well": lambda: None,
    "hangs": hang,
    "hangs in C": hang_in_c,
    "allocates": allocate,
    "allocates in C": allocate_in_c,
    "recurses": recurse,
    "leaves": leave,
    "exits": raise_exit,
    "interrupts": interrupt,
    "cancels": cancel,
    "crashes": crash,
    "raises": raise_unpicklable,
    "is killed": kill_itself,
    "forks": fork,
    "leaves an alarm": leave_an_alarm,
    "dawdles": lambda: time.sleep(3),
    "compiles": compile_slowly,
}
