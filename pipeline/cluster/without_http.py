"""Dask's scheduler and worker without the HTTP server that each would start on a port of its own.

Its pages would show what runs to anyone who can connect. A dashboard, if wanted, comes from Dask's own scheduler.
"""

from __future__ import annotations

from typing import Any

import distributed

from pipeline.cluster.steady_clock import use_steady_clock


class Scheduler(distributed.Scheduler):  # type: ignore[misc]
    """A scheduler that listens only for Dask's protocol."""

    def start_http_server(self, *_: Any, **__: Any) -> None:
        """Start no HTTP server."""


class Worker(distributed.Worker):  # type: ignore[misc]
    """A worker that listens only for Dask's protocol."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        use_steady_clock()
        super().__init__(*arguments, **options)

    def start_http_server(self, *_: Any, **__: Any) -> None:
        """Start no HTTP server."""
