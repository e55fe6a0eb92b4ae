"""Intervals of Dask and tornado by a clock that nobody sets.

Both measure them by the time of day. Once that is set back by an hour, Dask's batched messages wait for an hour, and so
do tornado's periodic callbacks, among them a worker's heartbeats. Once it is set forwards, Dask's scheduler may end
workers that it takes for silent.
"""

from __future__ import annotations

import time

__all__ = ["steady_time", "use_steady_clock"]

START = time.time() - time.monotonic()


def steady_time() -> float:
    """The time of day by the clock's state at the import of this module, however it is set later; in seconds."""
    return START + time.monotonic()


def use_steady_clock() -> None:
    """Measure batched messages, silence of workers and tornado's timeouts in this process by the steady clock.

    It is close to the time of day, so that deadlines from before the call remain valid.
    """
    import distributed.batched
    import distributed.scheduler
    from tornado.ioloop import IOLoop

    distributed.batched.time = distributed.scheduler.time = steady_time
    IOLoop.time = lambda self: steady_time()  # type: ignore[method-assign]  # noqa: ARG005 - a method
