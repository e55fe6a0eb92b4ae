"""A preload of Dask's for workers in drills: while a file `slow` is in their folder, each task waits a second first.

So a run lasts until a drill has seen what it waits for, on any machine, and takes no time after that.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

SLOW = Path.cwd() / "slow"
HELD_BACK = {"DASK_DISTRIBUTED__WORKER__PRELOAD": str(Path(__file__).resolve())}
"""The environment variable that has workers load this."""
PRELOAD = "=".join(*HELD_BACK.items())


class Patient(ThreadPoolExecutor):
    """One thread that waits before each task."""

    def submit(self, task: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        def late() -> Any:
            if SLOW.exists():
                time.sleep(1)
            return task(*given, **named)

        return super().submit(late)


def dask_setup(worker: Any) -> None:
    """Have the worker's tasks wait."""
    worker.executors["default"] = Patient(1)
