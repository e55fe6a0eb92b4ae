"""A limit of time and a signal end their block, whatever happens to errors there."""

from __future__ import annotations

import argparse
import os
import signal
import time
from contextlib import suppress

import pytest

from pipeline import command
from pipeline.driver.signals import Interrupted, interrupting, limited, watched
from pipeline.errors import OrchardError, TimeLimitError


def test_a_limit_is_no_error_that_its_block_could_handle() -> None:
    """Under load the time was over while runs were read, which took the error for a damaged record."""
    with pytest.raises(TimeLimitError, match="late"), limited(0.05, TimeLimitError("late")), suppress(Exception):
        time.sleep(20)


def test_a_limit_that_is_over_at_once_is_reported() -> None:
    with pytest.raises(TimeLimitError, match="late"), limited(1e-9, TimeLimitError("late")):
        time.sleep(1)


def test_a_limit_that_is_not_reached_leaves_no_alarm() -> None:
    with limited(600, TimeLimitError("late")):
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_error_in_place_of_a_signal_is_the_signal(number: signal.Signals) -> None:
    """argparse raised an AttributeError while it cleaned up after a signal."""

    def interrupted() -> None:
        try:
            os.kill(os.getpid(), number)
            time.sleep(20)
        finally:
            raise AttributeError

    with pytest.raises(Interrupted) as raised, interrupting():
        interrupted()
    assert raised.value.number == number


def test_a_signal_stops_a_run_whose_messages_nobody_reads() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    before = os.dup(2)
    os.dup2(writer, 2)
    try:
        with watched() as stop:
            os.kill(os.getpid(), signal.SIGTERM)
    finally:
        os.dup2(before, 2)
        os.close(before)
        os.close(writer)
    assert stop.number == signal.SIGTERM


def test_an_error_without_a_signal_is_itself() -> None:
    with pytest.raises(AttributeError), interrupting():
        raise AttributeError


def test_a_summary_that_a_signal_interrupts_is_not_at_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDB makes the signal a RuntimeError, of which a grid of a plugin was accused."""

    def interrupted(*_: object) -> None:
        with suppress(Interrupted):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(20)
        raise OrchardError

    monkeypatch.setattr(command, "_run_single", interrupted)
    with pytest.raises(Interrupted):
        command._run_or_report(argparse.Namespace(), [], [])
