"""The program of a child process of a worker: takes a server, then questions, and answers each."""

from __future__ import annotations

import os
import pickle
import select
import signal
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Protocol

LENGTH = struct.Struct("<Q")
"""The length that precedes each message."""
COMPILES, COMPILED = 2**64 - 1, 2**64 - 2
"""Sent instead of a length: the process starts or has finished compiling or loading kernels."""
IDLE_SECONDS = 600.0  # without a question, after which a process ends; the next question starts another
LOOK_SECONDS = 0.2  # between checks that the process still exists
KILL_ME_FIRST = "1000"  # the kernel's score for killing when memory runs out
PR_SET_PDEATHSIG = 1


class Server(Protocol):
    """The work of a child process. It is pickled, so its module must be one of ours."""

    def ready(self) -> Any:
        """Import the modules that answers need; the result is that of `ChildProcess.ready`."""

    def answer(self, question: Any) -> Any:
        """The answer to a question; it must not raise."""


def serve() -> None:
    """Run as the child process: take a server, then questions, and answer each."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # the server's output is not for the worker
    _die_with(int(sys.argv[2]))
    _end_group_with(questions, answers)
    try:
        sys.path[:], server = _read(questions)
        server = pickle.loads(server)  # noqa: S301 - from our own worker
        _send(answers, server.ready())
        with _reporting_compilation(answers):
            while select.select([questions], [], [], IDLE_SECONDS)[0]:
                _send(answers, server.answer(_read(questions)))
    except EOFError:
        pass
    except OSError:  # the pipes are closed
        os._exit(1)
    os.killpg(0, signal.SIGKILL)  # including threads and processes that the server left behind


@contextmanager
def _reporting_compilation(answers: IO[bytes]) -> Iterator[None]:
    """Report when this process starts and ends compiling kernels in the block."""
    from algorithms._numba.compiling import observing_compilation

    process = os.getpid()

    def report(what: int) -> None:
        if os.getpid() == process:  # not a fork that an answer made
            answers.write(LENGTH.pack(what))
            answers.flush()

    with observing_compilation(lambda: report(COMPILES), lambda _: report(COMPILED)):
        yield


def _die_with(worker: int) -> None:
    """Make this process end when its worker does, and be the first to be killed when memory is short."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text(KILL_ME_FIRST)
    if os.getppid() != worker:
        os._exit(1)


def _end_group_with(questions: IO[bytes], answers: IO[bytes]) -> None:
    """Start a detached process that ends all of this group after this process.

    It also does so when the worker closes its end of the pipe, even if the interpreter's lock here is held for ever.
    """
    process = os.getpid()
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    if not os.fork():
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in (1, 2, answers.fileno()):
            os.dup2(nowhere, descriptor)
        pipe = select.poll()
        pipe.register(questions, 0)  # only its end is signalled
        with suppress(ProcessLookupError):
            while not pipe.poll(1000 * LOOK_SECONDS):
                os.kill(process, 0)
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def _send(pipe: IO[bytes], value: Any) -> None:
    content = pickle.dumps(value, protocol=5)
    pipe.write(LENGTH.pack(len(content)))
    pipe.write(content)
    pipe.flush()


def _read(pipe: IO[bytes]) -> Any:
    length = pipe.read(LENGTH.size)
    if len(length) < LENGTH.size:
        raise EOFError
    return pickle.loads(pipe.read(LENGTH.unpack(length)[0]))  # noqa: S301 - from our own worker
