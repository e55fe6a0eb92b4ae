"""Statuses and messages of cells and items without measures."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.masking import masked

CELL_ERRORS = BaseException
"""The exceptions of cells that become rows. Workers ignore Ctrl-C, so a KeyboardInterrupt is the builder's, too."""

UNHARMED = ("ok", "skipped")
"""Statuses of cells that did not fail and met no limit."""

LONGEST_ERROR = 2000


@dataclass(frozen=True)
class Failure:
    """Status and message of a row without measures; the status is one of `pipeline.schema.STATUSES`."""

    status: str
    error: str


class FailedError(Exception):
    """Raised if a cell or item is not computed. Its rows get the status and message of `failure`."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure)
        self.failure = failure


def failure_of(error: BaseException) -> Failure:
    """Status and message for a cell that raised this error."""
    if isinstance(error, FailedError):
        return error.failure
    if isinstance(error, MemoryError):
        return Failure("memory_limit", _message(error) or "out of memory")
    return Failure("failed", f"{_kind(error)}: {_message(error)}")


def _kind(error: BaseException) -> str:
    """The name of an error's class, even if a metaclass replaces it."""
    name: str = type.__dict__["__name__"].__get__(type(error))
    return name


def _message(error: BaseException) -> str:
    """The message of an error: secrets masked, cut to the maximum length of a row's text, encodable as UTF-8."""
    try:
        return masked(str(error))[:LONGEST_ERROR].encode(errors="backslashreplace").decode()
    except CELL_ERRORS:
        return "(its message cannot be read)"
