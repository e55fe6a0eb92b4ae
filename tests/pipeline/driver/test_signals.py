"""A limit of time ends its block, whatever handles errors there."""

from __future__ import annotations

import signal
import time
from contextlib import suppress

import pytest

from pipeline.driver.signals import limited
from pipeline.errors import TimeLimitError


def test_a_limit_is_no_error_that_its_block_could_handle() -> None:
    """Under load the time was over while runs were read, which took the error for a damaged record."""
    with pytest.raises(TimeLimitError, match="late"), limited(0.05, TimeLimitError("late")), suppress(Exception):
        time.sleep(20)


def test_a_limit_that_is_not_reached_leaves_no_alarm() -> None:
    with limited(600, TimeLimitError("late")):
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
