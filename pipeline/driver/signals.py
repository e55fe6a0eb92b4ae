"""Signals that ask a command to stop: of a run the first ends it in order, the second at once."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["Interrupted", "StopRequest", "interrupting", "limited", "watched"]

SHOW_CURSOR = b"\x1b[?25h"


class Interrupted(KeyboardInterrupt):
    """A signal that ends the command where it stands."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class _TimeIsUp(BaseException):
    """The seconds of `limited` are over."""


class StopRequest:
    """Which signal has asked the run to stop, if any."""

    number: int | None = None

    def __bool__(self) -> bool:
        """Whether one has."""
        return self.number is not None


@contextmanager
def watched() -> Iterator[StopRequest]:
    """Take SIGINT and SIGTERM for the time of the block, also where a shell had them ignored."""
    request = StopRequest()

    def on_signal(number: int, _frame: FrameType | None) -> None:
        if request:
            if os.isatty(2):
                os.write(2, SHOW_CURSOR)
            os._exit(128 + number)
        request.number = number
        os.write(2, b"\nstopping: what is being worked on is finished first; once more stops at once\n")

    with _handled(on_signal):
        yield request


@contextmanager
def interrupting() -> Iterator[None]:
    """Have SIGINT and SIGTERM raise `Interrupted` in the block, where nothing is lost by leaving it at any point."""

    def on_signal(number: int, _frame: FrameType | None) -> None:
        raise Interrupted(number)

    with _handled(on_signal):
        yield


@contextmanager
def limited(seconds: float | None, error: Exception) -> Iterator[None]:
    """End the block with an error when so many seconds are over; None: never. For the main thread alone.

    Inside the block it is no Exception, so that what handles errors there cannot take it for one of its own.
    """
    if seconds is None:
        yield
        return

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        raise _TimeIsUp

    before = signal.signal(signal.SIGALRM, on_signal)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    except _TimeIsUp:
        raise error from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _handled(on_signal: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
