"""What went wrong as a status and a text."""

from __future__ import annotations

import pytest

from pipeline.losses import LONGEST_ERROR, Loss, LostError, loss_of
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
    ("error", "loss"),
    [
        (ZeroDivisionError("by zero"), Loss("failed", "ZeroDivisionError: by zero")),
        (MemoryError(), Loss("memory_limit", "out of memory")),
        (MemoryError("the graph is too large"), Loss("memory_limit", "the graph is too large")),
        (RecursionError("too deep"), Loss("failed", "RecursionError: too deep")),
        (SystemExit(3), Loss("failed", "SystemExit: 3")),
        (KeyboardInterrupt(), Loss("failed", "KeyboardInterrupt: ")),
        (UnpicklableError(), Loss("failed", "UnpicklableError: holds a lock")),
        (LostError(Loss("killed", "gone")), Loss("killed", "gone")),
        (SilentError(), Loss("failed", "SilentError: (its message cannot be read)")),
        (NamelessError("why"), Loss("failed", "NamelessError: why")),
        (ValueError("\udcff"), Loss("failed", "ValueError: \\udcff")),
    ],
)
def test_every_error_has_a_status_and_a_text(error: BaseException, loss: Loss) -> None:
    assert loss_of(error) == loss
    assert loss.status in STATUSES
    loss.error.encode()


def test_no_text_is_longer_than_a_row_should_hold() -> None:
    assert len(loss_of(ValueError("long" * 10_000)).error) < LONGEST_ERROR + 20
