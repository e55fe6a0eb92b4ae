"""Recursive searches as generators on a stack of their own, so that deep trees do not reach the recursion limit."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

Steps = Generator["Steps", Any, Any]
"""Yields the steps whose results it needs, and returns its own."""


def run(steps: Steps) -> Any:
    """The result of steps."""
    waiting, value = [steps], None
    while True:
        try:
            waiting.append(waiting[-1].send(value))
            value = None
        except StopIteration as ended:
            waiting.pop()
            value = ended.value
            if not waiting:
                return value
