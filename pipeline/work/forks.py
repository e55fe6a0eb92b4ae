"""Copies of a worker that a builder made and did not end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["ending_forks"]


@contextmanager
def ending_forks() -> Iterator[None]:
    """End any process but this one that comes to the end of the block: a fork, which is not to tell rows in its stead.

    A builder that forks and has the child leave by `sys.exit`, or by an error, has it go on as if it were the worker.
    """
    here = os.getpid()
    try:
        yield
    finally:
        if os.getpid() != here:
            os._exit(1)
