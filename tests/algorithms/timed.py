"""What a search takes, also on a machine that others use."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def timed(search: Callable[[], Result]) -> tuple[Result, float]:
    """The result and its seconds: of the clock or, where the process had to wait for a processor, of that alone."""
    began, computed = time.perf_counter(), time.process_time()
    result = search()
    return result, min(time.perf_counter() - began, time.process_time() - computed)
