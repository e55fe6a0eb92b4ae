"""A child process of a worker: its crash or its changes do not reach the worker.

The process is a fresh interpreter, because workers are daemons, which may not fork, and have threads. It gets a
`Server` and answers questions one at a time; it publishes nothing. It ends when its worker does, in any way, and
everything that it started in its process group ends with it.
"""

from __future__ import annotations

import os
import pickle
import selectors
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, Self

from pipeline.failures import Failure
from pipeline.work.child_process_server import COMPILED, COMPILES, LENGTH, LOOK_SECONDS, Server
from pipeline.work.limits import COMPILE_SECONDS

START_SECONDS = 120.0  # for imports, on a busy machine
LAST_BYTES = 4000  # of its error output that are kept
START = "import sys; sys.path.append(sys.argv[1]); from pipeline.work.child_process_server import serve; serve()"
OUT_OF_MEMORY = (b"bad_alloc", b"Cannot allocate memory", b"MemoryError", b"out of memory")

Loads = Callable[[memoryview], Any]


class EndedError(Exception):
    """The process ended instead of answering; `failure` says how, `status` is that of subprocess."""

    def __init__(self, failure: Failure, status: int) -> None:
        super().__init__(failure)
        self.failure, self.status = failure, status


class NotStartedError(EndedError):
    """The process ended, or took too long, before it was ready to answer."""


class ChildProcess:
    """A process that answers questions; it is replaced when it ends.

    Parameters
    ----------
    server : computes the answers
    loads : unpickles answers; if it raises, the process is ended

    Attributes
    ----------
    started : number of processes so far
    compiled : seconds in which they compiled or loaded kernels, which do not count
    """

    def __init__(self, server: Server, loads: Loads = pickle.loads) -> None:
        self.started, self.compiled = 0, 0.0
        self._server, self._loads = server, loads
        self._process: subprocess.Popen[bytes] | None = None
        self._finish: Callable[[], Any]
        self._errors = b""
        self._used = False
        self._ready: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def ready(self) -> Any:
        """The return value of the server's `ready`, once there is a process; raises as `ask` does."""
        if self._process and _has_ended(self._process):  # killed by what an earlier question left behind
            self.end()
        if self._process is None:
            self._start()
        return self._ready

    def ask(self, make_question: Callable[[], Any], seconds: float, grace: float = 0.0) -> Any:
        """The answer to a question within a time limit; `grace` seconds are added for the first question.

        The grace is for what the process loads only once. So a question that took longer than the limit is asked again.
        `make_question` is called once there is a process to answer; `started` counts the processes.

        If a process that has answered before ends, the question is asked again in a fresh one, because a remainder of
        an earlier answer, such as an alarm or a thread, may have ended it. A SIGKILL comes from outside, mostly for
        other reasons than the question, such as the memory use of other programs: the question is asked once more.

        Raises EndedError: the process ended.
        Raises TimeoutError: it took too long, and was ended.
        """
        try:
            return self._ask_retrying(make_question, seconds, grace)
        except EndedError as error:
            if error.status != -signal.SIGKILL:
                raise
        return self._ask_retrying(make_question, seconds, grace)

    def _ask_retrying(self, make_question: Callable[[], Any], seconds: float, grace: float) -> Any:
        """The answer of the process; of a fresh one if one that has answered before ends; again if it needed grace."""
        self.ready()
        used, self._used = self._used, True
        compiled, began = self.compiled, time.monotonic()
        try:
            answer = self._answer(make_question(), seconds + (0.0 if used else grace))
        except EndedError:
            if not used:
                raise
            return self._ask_retrying(make_question, seconds, grace)
        took = time.monotonic() - began - (self.compiled - compiled)
        return self._answer(make_question(), seconds) if grace and not used and took > seconds else answer

    def _start(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - this interpreter, this module
            [sys.executable, "-P", "-c", START, str(Path(__file__).parents[2]), str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            process_group=0,  # a group of its own, so that its children end with it and Ctrl-C does not reach it
        )
        self._finish = weakref.finalize(self, _finished, self._process)  # also when the interpreter exits
        self._errors, self._used = b"", False
        self.started += 1
        try:
            self._ready = self._answer(([path for path in sys.path if path], pickle.dumps(self._server)), START_SECONDS)
        except EndedError as error:
            last = self._errors.decode(errors="replace").strip().rpartition("\n")[2]
            why = f"{error.failure.error}: {last}" if last else error.failure.error
            raise NotStartedError(replace(error.failure, error=why), error.status) from error
        except TimeoutError as error:
            late = Failure("time_limit", f"its process was not ready after {START_SECONDS:g} seconds")
            raise NotStartedError(late, 0) from error

    def _answer(self, question: Any, seconds: float) -> Any:
        """The answer of the current process; if there is none, the process has ended."""
        process, answered, clock = self._process, False, _Clock(seconds)
        assert process is not None
        ended_by_system = _ended_for_memory()
        try:
            answer = self._loads(self._exchanged(process, pickle.dumps(question, protocol=5), clock))
            answered = True
            return answer
        except TimeoutError:
            raise
        except Exception as error:  # it ended, or another writer uses its answer pipe
            status = self.end(wait=LOOK_SECONDS)
            failure = self._failure(status, out_of_memory=_ended_for_memory() > ended_by_system)
            raise EndedError(failure, status) from error
        finally:
            self.compiled += clock.compiled
            if not answered:  # for example by Ctrl-C: a later answer would answer no question
                self.end()

    def _failure(self, status: int, *, out_of_memory: bool) -> Failure:
        """The failure of a process that ended with this status, in the form of subprocess."""
        ended = f"was ended by {_signal(-status)}" if status < 0 else f"exited with status {status}"
        how = f"its process {ended}"
        if out_of_memory:
            return Failure("memory_limit", f"{how}, because memory ran out on the machine, or in the job or container")
        if any(words in self._errors for words in OUT_OF_MEMORY):
            return Failure("memory_limit", f"{how}, after an allocation beyond its limit of memory")
        return Failure("killed", how)

    def _exchanged(self, process: subprocess.Popen[bytes], question: bytes, clock: _Clock) -> memoryview:
        """The answer to a question; TimeoutError if it takes too long, EOFError if the process has ended.

        Time in which the process compiles kernels does not count, up to COMPILE_SECONDS at a time.
        """
        questions, answers, errors = process.stdin, process.stdout, process.stderr
        assert questions is not None
        assert answers is not None
        assert errors is not None
        os.set_blocking(questions.fileno(), False)
        left = memoryview(LENGTH.pack(len(question)) + question)
        answer = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(questions, selectors.EVENT_WRITE)
            selector.register(answers, selectors.EVENT_READ)
            selector.register(errors, selectors.EVENT_READ)
            while True:
                ended = _has_ended(process)  # checked before reading, so that its last output is read
                wait = 0.0 if ended else min(LOOK_SECONDS, max(clock.left, 0.0))
                read = False
                for key, _ in selector.select(wait):
                    if key.fileobj is questions:
                        left = left[_written(key.fd, left) :]
                        if not left:
                            selector.unregister(questions)
                        continue
                    content = os.read(key.fd, 1 << 20)
                    read = True
                    if not content:
                        selector.unregister(key.fileobj)
                    elif key.fileobj is answers:
                        answer += content
                    else:
                        self._errors = (self._errors + content)[-LAST_BYTES:]
                if (complete := _complete(answer, clock)) is not None:
                    return complete
                if ended and not read:
                    raise EOFError
                if clock.left < 0:
                    raise TimeoutError

    def end(self, wait: float = 0.0) -> int:
        """End the process, after waiting for it, and all that it started; returns its status."""
        process, self._process = self._process, None
        if process is None:
            return 0
        deadline = time.monotonic() + wait
        while not _has_ended(process) and time.monotonic() < deadline:
            time.sleep(0.01)
        finished: tuple[int, bytes] = self._finish()
        self._errors = (self._errors + finished[1])[-LAST_BYTES:]
        return finished[0]


class _Clock:
    """The remaining seconds for an answer. The clock stops while kernels compile, up to COMPILE_SECONDS at a time.

    compiled : seconds of the stops
    """

    def __init__(self, seconds: float) -> None:
        self._deadline = time.monotonic() + seconds
        self._stopped_at: float | None = None
        self._left_then = self.compiled = 0.0

    @property
    def left(self) -> float:
        """The remaining seconds; negative once they are used up."""
        return self._deadline - time.monotonic()

    def on_compiling(self, message: int) -> None:
        """Stop when the process COMPILES, and go on when it has COMPILED."""
        now = time.monotonic()
        if message == COMPILES:
            self._stopped_at, self._left_then = now, self._deadline - now
            self._deadline = now + COMPILE_SECONDS
        elif self._stopped_at is not None:
            self.compiled += now - self._stopped_at
            self._deadline, self._stopped_at = now + self._left_then, None


def _complete(received: bytearray, clock: _Clock) -> memoryview | None:
    """The answer, None until it is complete; messages about compiling before it go to the clock."""
    while len(received) >= LENGTH.size:
        (length,) = LENGTH.unpack_from(received)
        if length not in {COMPILES, COMPILED}:
            end = LENGTH.size + length
            return memoryview(received)[LENGTH.size : end] if len(received) >= end else None
        del received[: LENGTH.size]
        clock.on_compiling(length)
    return None


def _finished(process: subprocess.Popen[bytes]) -> tuple[int, bytes]:
    """End a process and its group; returns its status, and its unread error output."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    status, rest = process.wait(), _rest(process.stderr)
    for pipe in (process.stdin, process.stdout, process.stderr):
        with suppress(OSError):
            pipe.close()  # type: ignore[union-attr]
    return status, rest


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether it has ended; its status is not collected, so that its id stays reserved."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _ended_for_memory() -> int:
    """The number of processes that the kernel has killed for lack of memory; 0 if unknown."""
    for path in ("/sys/fs/cgroup/memory.events", "/proc/vmstat"):
        with suppress(OSError):
            counts = dict(line.split() for line in Path(path).read_text().splitlines())
            if "oom_kill" in counts:
                return int(counts["oom_kill"])
    return 0


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _rest(pipe: IO[bytes] | None) -> bytes:
    """The unread content of a pipe without a writer of ours."""
    os.set_blocking(pipe.fileno(), False)  # type: ignore[union-attr]
    with suppress(BlockingIOError):
        return os.read(pipe.fileno(), 1 << 20)  # type: ignore[union-attr]
    return b""


def _written(pipe: int, content: memoryview) -> int:
    """The number of bytes that a pipe accepted; BrokenPipeError if nobody reads it."""
    with suppress(BlockingIOError):
        return os.write(pipe, content)
    return 0
