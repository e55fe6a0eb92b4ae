"""What drills of several kinds of cluster share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def slow(tmp_path: Path) -> Path:
    """A file that holds workers back as long as it is there."""
    file = tmp_path / "slow"
    file.touch()
    return file
