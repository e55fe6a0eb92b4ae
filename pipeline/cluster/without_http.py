"""Dask's scheduler and worker without the HTTP server that each would start on a port of its own.

Its pages tell anyone who can connect what runs; a dashboard that is asked for comes from Dask's own scheduler.
"""

from __future__ import annotations

from typing import Any

import distributed

from pipeline.cluster.steady_clock import use_steady_clock

__all__ = ["Scheduler", "Worker"]


class Scheduler(distributed.Scheduler):  # type: ignore[misc]
    """A scheduler that listens for Dask's protocol alone."""

    def start_http_server(self, *_: Any, **__: Any) -> None:
        """Start none."""


class Worker(distributed.Worker):  # type: ignore[misc]
    """A worker that listens for Dask's protocol alone."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        use_steady_clock()
        super().__init__(*arguments, **options)

    def start_http_server(self, *_: Any, **__: Any) -> None:
        """Start none."""
