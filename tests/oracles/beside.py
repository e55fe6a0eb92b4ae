"""What stands beside the checkout: documents, data and peers; and what a test does where something is not there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

import pytest

SHARED = Path(__file__).resolve().parents[2].parent / "shared"


def absent(reason: str) -> NoReturn:
    """Skip for want of something outside the project; fail where CI should have had it."""
    if os.environ.get("CI"):
        pytest.fail(f"{reason}, and CI must have it")
    pytest.skip(reason)
