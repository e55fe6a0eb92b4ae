"""Signals that ask a run to stop: the first ends it in order, the second at once."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["StopRequest", "watched"]

SHOW_CURSOR = b"\x1b[?25h"


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

    before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield request
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
