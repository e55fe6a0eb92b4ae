"""The message that kernels are being compiled, for whom, and about how long it takes."""

from __future__ import annotations

import logging
import sys
from threading import Timer

from numba.core.compiler_lock import global_compiler_lock

AFTER_SECONDS = 2.0
"""Seconds of compiling before the message appears."""

SECONDS = {
    "C45Classifier": 11,
    "CARTClassifier": 1,
    "CostComplexityClassifier": 6,
    "DIDClassifier": 3,
    "EVOTreeClassifier": 5,
    "EVOTreeFrontClassifier": 6,
    "GainRatioClassifier": 3,
    "GenerateTreeClassifier": 5,
    "ID3Classifier": 3,
    "LogisticTreeClassifier": 1,
    "LookAheadClassifier": 8,
    "MidLevelClassifier": 7,
    "OCTClassifier": 8,
    "OCTFlowClassifier": 12,
    "RandomTreeClassifier": 1,
    "ReducedErrorClassifier": 8,
    "T2Classifier": 4,
    "T3Classifier": 4,
}
"""CPU seconds of the first fit on a machine: numeric or binary attributes, whichever takes longer.

Measured in one process with an empty folder of kernels, on a core of a server of 2023 with numba 0.68. Others take 5 to
30.
"""

_announced: set[str] = set()
"""The callers that a message has named in this process."""

_waiting: list[Timer] = []
"""The last timer that was started, if any."""

_callers: list[str] = []
"""The caller that waited for each kernel compiled in this process."""


def compiled_kernels() -> int:
    """The number of kernels that this process has compiled; kernels loaded from the cache do not count."""
    return len(_callers)


def announce_compilation() -> None:
    """Log that kernels are being compiled, if they still are after AFTER_SECONDS; once for each caller in a process.

    As a warning of the logger `algorithms`: Python shows those on stderr where no logging is set up.
    """
    caller = _caller()
    _callers.append(caller)
    if caller in _announced or any(timer.is_alive() for timer in _waiting):
        return
    timer = Timer(AFTER_SECONDS, _log)
    timer.daemon = True
    _waiting[:] = [timer]
    timer.start()


def _log() -> None:
    caller = _callers[-1]
    lock = global_compiler_lock._lock
    if lock.acquire(blocking=False):  # all kernels are compiled by now
        lock.release()
        return
    if caller in _announced:
        return
    _announced.add(caller)
    about = SECONDS.get(caller)
    seconds = f"about {about} second{'' if about == 1 else 's'}" if about else "5 to 30 seconds"
    what = f" for {caller}" if caller else ""
    logging.getLogger("algorithms").warning(f"Compiling kernels{what}: once on this machine, {seconds} ...")


def _caller() -> str:
    """The estimator or public function that was called from outside and waits."""
    result, frame = "", sys._getframe()
    while frame := frame.f_back:  # type: ignore[assignment]
        module = frame.f_globals.get("__name__", "")
        if module.startswith("algorithms.") and not module.startswith(__package__):
            self = frame.f_locals.get("self")
            result = frame.f_code.co_qualname if self is None else type(self).__name__
    return result
