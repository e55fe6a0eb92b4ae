"""Why a cell or an item has no measures: the one place where what went wrong becomes a status and a text."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.masking import masked

__all__ = ["CELL_ERRORS", "Loss", "LostError", "loss_of"]

CELL_ERRORS = BaseException
"""What a cell may raise: anything. Workers have no Ctrl-C, so that there even KeyboardInterrupt is a builder's."""

LONGEST_ERROR = 2000


@dataclass(frozen=True)
class Loss:
    """What rows say that have no measures: a status of `pipeline.schema.STATUSES`, and why."""

    status: str
    error: str


class LostError(Exception):
    """A builder is not asked, since it is known already what becomes of it."""

    def __init__(self, loss: Loss) -> None:
        super().__init__(loss)
        self.loss = loss


def loss_of(error: BaseException) -> Loss:
    """What to say of a cell that raised this."""
    if isinstance(error, LostError):
        return error.loss
    if isinstance(error, MemoryError):
        return Loss("memory_limit", _said(error) or "out of memory")
    return Loss("failed", f"{_kind(error)}: {_said(error)}")


def _kind(error: BaseException) -> str:
    """The name of an error's class, whatever its metaclass makes of that."""
    name: str = type.__dict__["__name__"].__get__(type(error))
    return name


def _said(error: BaseException) -> str:
    """The message of an error as a result row can hold it, whatever a builder has put there."""
    try:
        return masked(str(error))[:LONGEST_ERROR].encode(errors="backslashreplace").decode()
    except CELL_ERRORS:
        return "(its message cannot be had)"
