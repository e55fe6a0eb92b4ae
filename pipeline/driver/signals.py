"""Signals that stop a command: the first ends a run in order, the second at once."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from pipeline.errors import SIGNALLED

SHOW_CURSOR = b"\x1b[?25h"


class Interrupted(KeyboardInterrupt):
    """A signal that ends the command at any point."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class _TimeIsUp(BaseException):
    """The time of `limited` is over."""


class StopRequest:
    """The signal that stops the run, if any."""

    number: int | None = None

    def __bool__(self) -> bool:
        return self.number is not None


@contextmanager
def watched() -> Iterator[StopRequest]:
    """Handle SIGINT and SIGTERM during the block, even if a shell had them ignored."""
    request = StopRequest()

    def on_signal(number: int, _frame: FrameType | None) -> None:
        if request:
            if os.isatty(2):
                _say(SHOW_CURSOR)
            os._exit(SIGNALLED + number)
        request.number = number
        _say(b"\nstopping: running chunks have ten seconds to finish; a second signal stops at once\n")

    with _handled(on_signal):
        yield request


@contextmanager
def interrupting() -> Iterator[None]:
    """Make SIGINT and SIGTERM raise `Interrupted` in the block, which loses nothing if it is left at any point.

    So does an error that follows a signal: argparse, for one, cannot clean up after itself wherever it is interrupted.
    """
    request = StopRequest()

    def on_signal(number: int, _frame: FrameType | None) -> None:
        request.number = number
        raise Interrupted(number)

    with _handled(on_signal):
        try:
            yield
        except Exception:
            if request.number is None:
                raise
            raise Interrupted(request.number) from None


@contextmanager
def limited(seconds: float | None, error: Exception) -> Iterator[None]:
    """End the block with an error after this many seconds (None: never). Only for the main thread.

    Inside the block it is not an Exception, so that error handlers there do not catch it.
    """
    if seconds is None:
        yield
        return

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        raise _TimeIsUp

    before = signal.signal(signal.SIGALRM, on_signal)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)  # which, if they are few, are over before this returns
        yield
    except _TimeIsUp:
        raise error from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _say(words: bytes) -> None:
    """Write to standard error, unless nobody reads it any more."""
    with suppress(OSError):
        os.write(2, words)


@contextmanager
def _handled(on_signal: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
