"""The errors that end a command, each with its exit status."""

from __future__ import annotations

import difflib
import errno
from collections.abc import Iterable
from pathlib import Path
from traceback import extract_tb

RESUME_HINT = "finished work is kept, and the same command resumes from here"

SIGNALLED = 128
"""The exit status of a command that a signal ended, less the number of the signal."""


class OrchardError(Exception):
    """Ends the command. The message says what was found, what was expected and how to mend it."""

    exit_status = 1


class ConfigError(OrchardError):
    """A key, value or argument is not allowed."""

    exit_status = 2


class DataError(OrchardError):
    """A data set is missing, or its file is not in the expected form."""

    exit_status = 2


class AbsentError(DataError):
    """A data set is not on this machine and cannot be downloaded; the message says how to get it."""


class NothingWorksError(OrchardError):
    """The first items all failed, so the fault is not in the items."""


class OutputError(OrchardError):
    """The output folder is full or not writable."""

    exit_status = 3

    @staticmethod
    def of(error: Exception, folder: object) -> OutputError:
        """The message for an error of the system or the object store while the folder was used."""
        where, why = getattr(error, "filename", None) or folder, getattr(error, "strerror", None) or error
        if "://" in str(folder):
            mend = "check that the store exists and that your credentials are valid"
        elif getattr(error, "errno", None) in {errno.EACCES, errno.EPERM, errno.EROFS}:
            mend = "make the folder writable"
        else:
            mend = "free space or repair the folder"
        return OutputError(
            f"cannot write to {where}: {' '.join(str(why).split())}; {mend}, then type the same command again; "
            "finished work is kept"
        )


class RunHeldError(OrchardError):
    """Another process is running the run."""

    exit_status = 4


class WorkersLostError(OrchardError):
    """The cluster is gone, or has no workers."""

    exit_status = 5


class TimeLimitError(OrchardError):
    """A query exceeded its time limit."""

    exit_status = 6


class StoppedError(OrchardError):
    """A signal stopped the run."""

    def __init__(self, message: str, signal_number: int) -> None:
        super().__init__(message)
        self.exit_status = SIGNALLED + signal_number


def did_you_mean(name: str, known: Iterable[str], before: str = "") -> str:
    """`, did you mean '…'?` if a known name resembles the name, with `before` before the suggestion; else nothing."""
    near = difflib.get_close_matches(name, known, n=1)
    return f", did you mean '{before}{near[0]}'?" if near else ""


def no_choice(group: str, name: str, choices: Iterable[str], like: str | None = None) -> str:
    """The message for a name that is not among the choices of a group; `like` is a choice with the same meaning."""
    hint = did_you_mean(like or name, choices)
    return f"no {group} is called '{name}'{hint}\n{group}s: {', '.join(choices) or 'none'}"


def raised_in(error: BaseException, folder: Path) -> str:
    """Describe an error with the last line of code in a folder that it passed: `FILE, line 3: KeyError: 'x'`."""
    frames = [frame for frame in extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(folder)]
    where = f"{frames[-1].filename}, line {frames[-1].lineno}" if frames else str(folder)
    if isinstance(error, SyntaxError):
        where = f"{error.filename}, line {error.lineno}"
    return f"{where}: {type(error).__name__}: {error}"
