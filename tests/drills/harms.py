"""Builders that change the process they run in, each in its own way and at its own time, and predict as they should."""

from __future__ import annotations

import builtins
import ctypes
import locale
import os
import random
import resource
import signal
import tempfile
import threading
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["HARMS", "MOMENTS", "Harmful", "do"]

MOMENTS = ("import", "__init__", "fit", "predict")


class Harmful:
    """Predicts the most common class, and harms its process on the way.

    harm   : a name in HARMS, or several, separated by `+`
    moment : in MOMENTS; a class that does harm when it is imported is in a module of its own
    """

    def __init__(self, harm: str = "none", moment: str = "fit") -> None:
        self.harm, self.moment = harm, moment
        self._come_to("__init__")

    def fit(self, X: Any, y: Any = None) -> Harmful:
        labels, counts = np.unique(np.asarray(y), return_counts=True)
        self.label_ = labels[counts.argmax()]
        self._come_to("fit")
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        self._come_to("predict")
        return np.full(len(X), self.label_)

    def _come_to(self, moment: str) -> None:
        if moment == self.moment:
            do(self.harm)


def do(harms: str) -> None:
    for harm in harms.split("+"):
        HARMS[harm]()


def change_folder() -> None:
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    Path(folder).rmdir()


def limit_files() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


def limit_file_size() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN) if threading.current_thread() is threading.main_thread() else None
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def close_all() -> None:
    os.closerange(0, 4096)


def replace_bincount() -> None:
    np.bincount = lambda *_, **__: np.zeros(3, np.int64)  # type: ignore[assignment]


def replace_open() -> None:
    builtins.open = lambda *_, **__: None  # type: ignore[assignment]


def change_locale() -> None:
    for name in ("de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"):
        try:
            locale.setlocale(locale.LC_ALL, name)
        except locale.Error:
            continue
        return


def handle_signals() -> None:
    """Have SIGTERM and SIGINT ignored, by C where Python allows it to the main thread alone."""
    libc = ctypes.CDLL(None)
    libc.signal.argtypes = (ctypes.c_int, ctypes.c_void_p)
    for number in (signal.SIGTERM, signal.SIGINT):
        libc.signal(number, 1)


def empty_environment() -> None:
    os.environ.clear()


def seed_random() -> None:
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002 - the global state is what is harmed


def raise_float_errors() -> None:
    np.seterr(all="raise")


def leave_a_thread() -> None:
    threading.Thread(target=threading.Event().wait, name="left behind").start()


def leave_a_fork() -> None:
    if not os.fork():
        signal.pause()


HARMS = {
    "none": lambda: None,
    "chdir": change_folder,
    "umask": lambda: os.umask(0o777),
    "RLIMIT_NOFILE": limit_files,
    "RLIMIT_FSIZE": limit_file_size,
    "closerange": close_all,
    "numpy.bincount": replace_bincount,
    "open": replace_open,
    "locale": change_locale,
    "signals": handle_signals,
    "environment": empty_environment,
    "random state": seed_random,
    "numpy.seterr": raise_float_errors,
    "thread": leave_a_thread,
    "fork": leave_a_fork,
}
