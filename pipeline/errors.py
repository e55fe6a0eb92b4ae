"""What can end a command, each with the exit status that tells it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path
from traceback import extract_tb

__all__ = [
    "GOES_ON",
    "ConfigError",
    "DataError",
    "NothingWorksError",
    "OrchardError",
    "OutputError",
    "RunHeldError",
    "StoppedError",
    "TimeLimitError",
    "WorkersLostError",
    "did_you_mean",
    "no_choice",
    "raised_in",
]


GOES_ON = "what is done is kept, and the same command goes on from here"


class OrchardError(Exception):
    """Ends the command; the message names what was found, what was expected and how to mend it."""

    exit_status = 1


class ConfigError(OrchardError):
    """A key or value of the configuration, or an argument, is not one that there is."""

    exit_status = 2


class DataError(OrchardError):
    """A data set cannot be had, or its file cannot be read as what it is said to be."""

    exit_status = 2


class NothingWorksError(OrchardError):
    """Item after item failed and none has succeeded: the fault is not the items'."""


class OutputError(OrchardError):
    """The output folder cannot be written, or is full."""

    exit_status = 3

    @staticmethod
    def of(error: Exception, folder: object) -> OutputError:
        """What to tell of an error, of the system's or an object store's, that came up while the folder was used."""
        where, why = getattr(error, "filename", None) or folder, getattr(error, "strerror", None) or error
        mend = (
            "see that the store and your credentials are there"
            if "://" in str(folder)
            else "make room or mend the folder"
        )
        return OutputError(f"cannot write to {where}: {' '.join(str(why).split())}; {mend}: {GOES_ON}")


class RunHeldError(OrchardError):
    """Another driver holds the run's folder."""

    exit_status = 4


class WorkersLostError(OrchardError):
    """The cluster is gone, or has no workers."""

    exit_status = 5


class TimeLimitError(OrchardError):
    """A question took longer than its limit."""

    exit_status = 6


class StoppedError(OrchardError):
    """A signal asked the run to stop."""

    def __init__(self, message: str, signal_number: int) -> None:
        super().__init__(message)
        self.exit_status = 128 + signal_number


def did_you_mean(name: str, known: Iterable[str], before: str = "") -> str:
    """`, did you mean '…'?` if one of the known names is close to a name, with `before` before it; else nothing."""
    near = difflib.get_close_matches(name, known, n=1)
    return f", did you mean '{before}{near[0]}'?" if near else ""


def no_choice(group: str, name: str, choices: Iterable[str]) -> str:
    """The message about a name that none of the choices of a group has."""
    hint = did_you_mean(name, choices)
    return f"no {group} is called '{name}'{hint}\n{group}s: {', '.join(choices) or 'none'}"


def raised_in(error: BaseException, folder: Path) -> str:
    """An error with the last line of code in a folder that it passed: `FILE, line 3: KeyError: 'x'`."""
    lines = [one for one in extract_tb(error.__traceback__) if Path(one.filename).is_relative_to(folder)]
    where = f"{lines[-1].filename}, line {lines[-1].lineno}" if lines else str(folder)
    if isinstance(error, SyntaxError):
        where = f"{error.filename}, line {error.lineno}"
    return f"{where}: {type(error).__name__}: {error}"
