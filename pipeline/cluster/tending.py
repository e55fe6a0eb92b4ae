"""What has to be looked after again and again while a block runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

__all__ = ["tended"]


@contextmanager
def tended(what: str, tend: Callable[[], None], seconds: float) -> Iterator[None]:
    """Call `tend` from a thread of this name for the time of the block, at once and then every so many seconds."""
    over = Event()

    def tend_on() -> None:
        while not over.is_set():
            tend()
            over.wait(seconds)

    tending = Thread(target=tend_on, name=what, daemon=True)
    tending.start()
    try:
        yield
    finally:
        over.set()
        tending.join()
