"""What is beside the checkout: documents, data and peers; and what a test does where something is not there."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

import pytest

SHARED = Path(__file__).resolve().parents[2].parent / "shared"


def another_user() -> int:
    """The number of a user who is not this one; skips where no process of theirs can be started, or can read Python."""
    if os.getuid() != 0:
        absent("only root can become another user")
    for location in (Path(__file__).resolve(), Path(sys.prefix)):
        for folder in location.parents:
            if not folder.stat().st_mode & 0o001:
                absent(f"another user cannot enter {folder}")
    return 65534


def absent(reason: str) -> NoReturn:
    """Skip for want of something outside the project; fail where CI should have had it."""
    if os.environ.get("CI"):
        pytest.fail(f"{reason}, and CI must have it")
    pytest.skip(reason)
