"""Run a grid by its usual command, in a process of its own."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from tempfile import TemporaryFile

from pipeline.errors import SIGNALLED
from pipeline.plain_text import note
from pipeline.screen import FINDING
from pipeline.work.child_process_server import PR_SET_PDEATHSIG

ERROR = "orchard: "
"""Prefix of the error message of a command."""


@dataclass(frozen=True)
class Ended:
    """How a command ended.

    status  : exit status, above SIGNALLED if a signal stopped it
    finding : of its run; empty if the run has none, or if its screen was shown
    error   : its error message; empty if it reported no error
    """

    status: int
    seconds: float
    finding: str
    error: str


_system = ctypes.CDLL(None)


def _stop_with_this_process() -> None:
    """Let the system ask this child process to stop when its parent ends in any way, such as a closed terminal."""
    if sys.platform == "linux":
        _system.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def run_grid(arguments: Sequence[str], *, folded: bool) -> Ended:
    """Run `python -m pipeline` with these arguments to its end, and show its progress and, unless `folded`, its screen.

    Each request to stop (Ctrl-C, SIGTERM) is handed on to the run, which is then waited for. So the run stops in order
    at the first request, and at once at the second. On Linux, it also stops in order if this process is killed.
    """
    began = time.monotonic()
    error = ""
    with (
        TemporaryFile("w+", encoding="utf-8", errors="replace") as screen,
        subprocess.Popen(  # noqa: S603 - our own command, with what the person typed
            [sys.executable, "-m", "pipeline", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=screen if folded else None,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            env=os.environ | {"PYTHONIOENCODING": "utf-8"},
            start_new_session=True,  # else a Ctrl-C would reach it twice, from the terminal and from here
            preexec_fn=_stop_with_this_process,  # noqa: PLW1509 - no other thread runs here
        ) as process,
    ):
        while process.returncode is None:
            try:
                for line in process.stderr or ():
                    note(f"  {line.rstrip()}")
                    if line.startswith(ERROR):
                        error = line.removeprefix(ERROR).strip()
                process.wait()
            except KeyboardInterrupt as interrupt:
                process.send_signal(int(getattr(interrupt, "number", signal.SIGINT)))
            except BaseException:
                process.kill()
                raise
        screen.seek(0)
        findings = [line.removeprefix(FINDING).strip() for line in screen if line.startswith(FINDING)]
    status = process.returncode if process.returncode >= 0 else SIGNALLED - process.returncode
    return Ended(status, time.monotonic() - began, "".join(findings[-1:]), error)
