"""Restores a process after foreign code has run in it: folder, umask, limits, signals, environment, locale, forks."""

from __future__ import annotations

import ctypes
import locale
import os
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LIMITS = sorted({value for name, value in vars(resource).items() if name.startswith("RLIMIT_")})
SIGNALS = sorted(signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP})
ACTION_BYTES = 512
"""More bytes than `struct sigaction` has on any system; the content is copied, never read."""


@contextmanager
def restored_process() -> Iterator[None]:
    """Restore the state of the process at the end of the block.

    This covers the working folder, the umask, the resource limits, the signal handlers, the environment and the locale.
    Irreversible changes, such as a lowered hard limit, stay. Random states are not restored: our code uses no global
    one.
    """
    restore = [_folder(), _umask(), *map(_limit, LIMITS), *map(_handler, SIGNALS), _environment(), _locale()]
    try:
        yield
    finally:
        for each in restore:
            with suppress(OSError, ValueError, locale.Error):
                each()


@contextmanager
def ending_forks() -> Iterator[None]:
    """End any other process that reaches the end of the block: a fork must not answer instead of this process.

    A child that a builder forked, and that leaves by `sys.exit` or by an error, would continue as if it were the
    worker.
    """
    here = os.getpid()
    try:
        yield
    finally:
        if os.getpid() != here:
            os._exit(1)


def _folder() -> Callable[[], object]:
    try:
        before = os.getcwd()  # noqa: PTH109 - as the system has it
    except FileNotFoundError:  # it no longer exists
        return lambda: None
    return lambda: os.chdir(before)


def _umask() -> Callable[[], object]:
    before = _current_umask()
    return lambda: os.umask(before)


def _current_umask() -> int:
    """The umask. Linux shows it; elsewhere it can only be read by setting it, which other threads may notice."""
    with suppress(OSError, StopIteration):
        lines = Path("/proc/self/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("Umask:")).split()[1], 8)
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _limit(which: int) -> Callable[[], object]:
    before = resource.getrlimit(which)
    return lambda: None if resource.getrlimit(which) == before else resource.setrlimit(which, before)


def _handler(number: int) -> Callable[[], object]:
    """Restores the system's action at a signal; Python's own `signal.signal` works only in the main thread."""
    before = _action(number)
    return lambda: None if _action(number).raw == before.raw else _sigaction(number, before, None)


def _action(number: int) -> ctypes.Array[ctypes.c_char]:
    result = ctypes.create_string_buffer(ACTION_BYTES)
    _sigaction(number, None, result)
    return result


_sigaction = ctypes.CDLL(None).sigaction


def _environment() -> Callable[[], object]:
    before = dict(os.environ)

    def restore() -> None:
        if os.environ != before:
            os.environ.clear()
            os.environ.update(before)

    return restore


def _locale() -> Callable[[], object]:
    before = locale.setlocale(locale.LC_ALL)
    return lambda: None if locale.setlocale(locale.LC_ALL) == before else locale.setlocale(locale.LC_ALL, before)
