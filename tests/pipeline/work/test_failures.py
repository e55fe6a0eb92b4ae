"""What went wrong as a status and a text."""

from __future__ import annotations

import pytest

from pipeline.failures import LONGEST_ERROR, FailedError, Failure, failure_of
from pipeline.schema import STATUSES
from tests.drills.misfits import UnpicklableError


class SilentError(Exception):
    def __str__(self) -> str:
        raise KeyboardInterrupt


class Nameless(type):
    @property
    def __name__(cls) -> str:  # type: ignore[override]
        raise RuntimeError


class NamelessError(Exception, metaclass=Nameless):
    pass


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (ZeroDivisionError("by zero"), Failure("failed", "ZeroDivisionError: by zero")),
        (MemoryError(), Failure("memory_limit", "out of memory")),
        (MemoryError("the graph is too large"), Failure("memory_limit", "the graph is too large")),
        (RecursionError("too deep"), Failure("failed", "RecursionError: too deep")),
        (SystemExit(3), Failure("failed", "SystemExit: 3")),
        (KeyboardInterrupt(), Failure("failed", "KeyboardInterrupt: ")),
        (UnpicklableError(), Failure("failed", "UnpicklableError: holds a lock")),
        (FailedError(Failure("killed", "gone")), Failure("killed", "gone")),
        (SilentError(), Failure("failed", "SilentError: (its message cannot be read)")),
        (NamelessError("why"), Failure("failed", "NamelessError: why")),
        (ValueError("\udcff"), Failure("failed", "ValueError: \\udcff")),
    ],
)
def test_every_error_has_a_status_and_a_text(error: BaseException, failure: Failure) -> None:
    assert failure_of(error) == failure
    assert failure.status in STATUSES
    failure.error.encode()


def test_no_text_is_longer_than_a_row_should_hold() -> None:
    assert len(failure_of(ValueError("long" * 10_000)).error) < LONGEST_ERROR + 20
