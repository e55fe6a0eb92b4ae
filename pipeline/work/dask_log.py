"""Sends messages of Dask and of workers to the log in the run's folder, never to the screen."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path
from typing import IO

from pipeline.storage.atomic import regular

LOG_VARIABLE = "ORCHARD_LOG"  # gives the fork server and its workers the path of the log
LOGGERS = (
    "asyncio",  # it reports errors of Dask's tasks that nothing has waited for
    "distributed",
    "distributed.client",
    "distributed.nanny",
    "distributed.worker",
    "tornado",
    "tornado.application",
)


class RunLog(logging.Handler):
    """Appends messages to the file that the environment names, created at the first message."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line; a failure to write does not stop the worker."""
        with suppress(OSError, KeyError), opened_log(os.environ[LOG_VARIABLE]) as log:
            log.write(self.format(record) + "\n")


def opened_log(path: str) -> IO[str]:
    """The log of a run, opened for appending; OSError unless it is a regular file."""
    return open(path, "a", encoding="utf-8", errors="backslashreplace", opener=regular)


def log_to_file(*loggers: str) -> None:
    """Send the messages of these loggers in this process, by default Dask's and tornado's, only to the run's log."""
    handler = RunLog()
    handler.setFormatter(logging.Formatter("%(asctime)s %(name)s %(levelname)s %(message)s"))
    for name in loggers or LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(logging.WARNING)
        logger.propagate = False


def last_line(log: Path, start: int = 0) -> str:
    """The last nonempty line of a log, from the byte `start`; empty if there is none."""
    try:
        lines = log.read_bytes()[start:].decode(errors="replace").split("\n")
    except OSError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")
