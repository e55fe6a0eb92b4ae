"""Intervals of Dask and tornado by a clock that nobody can set.

Both measure intervals by the time of day. If the clock is set back by an hour, Dask's batched messages and tornado's
periodic callbacks, such as a worker's heartbeats, wait for an hour. If it is set forward, Dask's scheduler may end
workers that seem silent.
"""

from __future__ import annotations

import time

START = time.time() - time.monotonic()


def steady_time() -> float:
    """The time of day in seconds, continued from the clock at the import of this module; later changes do not count."""
    return START + time.monotonic()


def use_steady_clock() -> None:
    """Use the steady clock for batched messages, silence of workers and tornado's timeouts in this process.

    It is close to the time of day, so deadlines from before the call remain valid.
    """
    import distributed.batched
    import distributed.scheduler
    from tornado.ioloop import IOLoop

    distributed.batched.time = distributed.scheduler.time = steady_time
    IOLoop.time = lambda self: steady_time()  # type: ignore[method-assign]  # noqa: ARG005 - a method
