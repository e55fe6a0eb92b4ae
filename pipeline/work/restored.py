"""Restores a process after foreign code has run in it: folder, umask, limits, signals, environment, locale, forks."""

from __future__ import annotations

import ctypes
import locale
import os
import resource
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from resource import getrlimit, setrlimit
from typing import Any

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
    restore = [
        _folder(),
        _restoring(_umask, os.umask),
        *(_restoring(partial(getrlimit, each), partial(setrlimit, each)) for each in LIMITS),
        *(_restoring(partial(_action, each), partial(_set_action, each)) for each in SIGNALS),
        _restoring(lambda: dict(os.environ), _set_environment),
        _restoring(*[partial(locale.setlocale, locale.LC_ALL)] * 2),
    ]
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


def _restoring(read: Callable[[], Any], write: Callable[[Any], object]) -> Callable[[], object]:
    """Writes back what is read now, if it has changed by then."""
    before = read()
    return lambda: None if read() == before else write(before)


def _folder() -> Callable[[], object]:
    try:
        before = os.getcwd()  # noqa: PTH109 - as the system has it
    except FileNotFoundError:  # it no longer exists
        return lambda: None
    return lambda: os.chdir(before)


def _umask() -> int:
    """The umask. Linux shows it; elsewhere it can only be read by setting it, which other threads may notice."""
    with suppress(OSError, StopIteration):
        lines = Path("/proc/self/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("Umask:")).split()[1], 8)
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _action(number: int) -> bytes:
    """The system's action at a signal."""
    result = ctypes.create_string_buffer(ACTION_BYTES)
    _sigaction(number, None, result)
    return result.raw


def _set_action(number: int, action: bytes) -> None:
    """Set the system's action at a signal; Python's own `signal.signal` works only in the main thread."""
    _sigaction(number, action, None)


_sigaction = ctypes.CDLL(None).sigaction


def _set_environment(variables: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(variables)
