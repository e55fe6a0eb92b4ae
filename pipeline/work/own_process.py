"""A process of its own below a worker: what ends or changes that process does not reach the worker.

The process is a fresh interpreter: workers are daemons, which may not fork, and have threads. It is given a `Server`
and answers questions one at a time; it publishes nothing. It ends when its worker does, however that ends, and all that
it started in its process group ends with it.
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
from types import TracebackType
from typing import IO, Any, Self

from pipeline.losses import Loss
from pipeline.work.limits import COMPILE_SECONDS
from pipeline.work.own_process_server import COMPILED, COMPILES, LENGTH, LOOK_SECONDS, Server

__all__ = ["EndedError", "NotStartedError", "OwnProcess"]

START_SECONDS = 120.0  # for imports, on a machine that is busy
LAST_BYTES = 4000  # of its stderr that are kept
START = "import sys; sys.path.append(sys.argv[1]); from pipeline.work.own_process_server import serve; serve()"
OUT_OF_MEMORY = (b"bad_alloc", b"Cannot allocate memory", b"MemoryError", b"out of memory")

Loads = Callable[[memoryview], Any]


class EndedError(Exception):
    """The process ended instead of answering; `loss` says how, `status` is that of subprocess."""

    def __init__(self, loss: Loss, status: int) -> None:
        super().__init__(loss)
        self.loss, self.status = loss, status


class NotStartedError(EndedError):
    """The process ended, or took too long, before it was ready to answer."""


class OwnProcess:
    """A process that answers questions; another takes its place when it ends.

    Parameters
    ----------
    server : what answers
    loads : how answers are unpickled; where it raises, the process is ended

    Attributes
    ----------
    started : processes so far
    compiled : seconds for which they compiled or loaded kernels, which do not count
    """

    def __init__(self, server: Server, loads: Loads = pickle.loads) -> None:
        self.started, self.compiled = 0, 0.0
        self._server, self._loads = server, loads
        self._process: subprocess.Popen[bytes] | None = None
        self._finish: Callable[[], Any]
        self._said = b""
        self._used = False
        self._ready: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def ready(self) -> Any:
        """What the server's `ready` returned, once there is a process; raises as `ask` does."""
        if self._process and _has_ended(self._process):  # since its last answer, by what a question left behind
            self.end()
        if self._process is None:
            self._start()
        return self._ready

    def ask(self, question: Callable[[], Any], seconds: float, grace: float = 0.0) -> Any:
        """The answer to a question, for which there are so many seconds, and `grace` besides at first.

        `question` makes it, and is called once there is a process to answer; `started` counts these.

        A process that has answered before may be ended by what that left behind, such as an alarm or a thread, so the
        question is put to a fresh one. A SIGKILL comes from outside, mostly for other reasons than the question, such
        as the memory that others take: the first is forgiven.

        Raises
        ------
        EndedError
            The process ended.
        TimeoutError
            It took too long, and was ended.
        """
        try:
            return self._tried(question, seconds, grace)
        except EndedError as error:
            if error.status != -signal.SIGKILL:
                raise
        return self._tried(question, seconds, grace)

    def _tried(self, question: Callable[[], Any], seconds: float, grace: float) -> Any:
        self.ready()
        used, self._used = self._used, True
        try:
            return self._answer(question(), seconds + (0.0 if used else grace))
        except EndedError:
            if not used:
                raise
        return self._tried(question, seconds, grace)

    def _start(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - this interpreter, this module
            [sys.executable, "-P", "-c", START, str(Path(__file__).parents[2]), str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            process_group=0,  # so that what it starts ends with it, and Ctrl-C is not for it
        )
        self._finish = weakref.finalize(self, _finished, self._process)  # also when the interpreter exits
        self._said, self._used = b"", False
        self.started += 1
        try:
            self._ready = self._answer(([path for path in sys.path if path], pickle.dumps(self._server)), START_SECONDS)
        except EndedError as error:
            last = self._said.decode(errors="replace").strip().rpartition("\n")[2]
            raise NotStartedError(replace(error.loss, error=f"{error.loss.error}: {last}"), error.status) from error
        except TimeoutError as error:
            late = Loss("time_limit", f"its process was not ready after {START_SECONDS:g} seconds")
            raise NotStartedError(late, 0) from error

    def _answer(self, question: Any, seconds: float) -> Any:
        """The answer of the process that there is; unless there is one, the process has ended."""
        process, answered, clock = self._process, False, _Clock(seconds)
        assert process is not None
        ended_by_system = _ended_for_memory()
        try:
            answer = self._loads(self._exchanged(process, pickle.dumps(question, protocol=5), clock))
            answered = True
            return answer
        except TimeoutError:
            raise
        except Exception as error:  # it ended, or something else wrote where its answers are read
            status = self.end(wait=LOOK_SECONDS)
            loss = self._loss(status, out_of_memory=_ended_for_memory() > ended_by_system)
            raise EndedError(loss, status) from error
        finally:
            self.compiled += clock.compiled
            if not answered:  # such as by Ctrl-C: what it answers later is the answer to no question
                self.end()

    def _loss(self, status: int, *, out_of_memory: bool) -> Loss:
        """What to say of a process that ended with this status, as subprocess tells it."""
        ended = f"was ended by {_signal(-status)}" if status < 0 else f"ended itself with status {status}"
        how = f"its process {ended}"
        if out_of_memory:
            return Loss("memory_limit", f"{how}, when the machine or its job ran out of memory")
        if any(words in self._said for words in OUT_OF_MEMORY):
            return Loss("memory_limit", f"{how}, after an allocation beyond its limit of memory")
        return Loss("killed", how)

    def _exchanged(self, process: subprocess.Popen[bytes], question: bytes, clock: _Clock) -> memoryview:
        """The answer to a question; TimeoutError if it takes too long, EOFError if the process has ended.

        While the process compiles kernels, up to COMPILE_SECONDS at once, its time does not count.
        """
        asked, told, said = process.stdin, process.stdout, process.stderr
        assert asked is not None
        assert told is not None
        assert said is not None
        os.set_blocking(asked.fileno(), False)
        left = memoryview(LENGTH.pack(len(question)) + question)
        answer = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(asked, selectors.EVENT_WRITE)
            selector.register(told, selectors.EVENT_READ)
            selector.register(said, selectors.EVENT_READ)
            while True:
                ended = _has_ended(process)  # looked at before reading, so that its last words are read
                wait = 0.0 if ended else min(LOOK_SECONDS, max(clock.left, 0.0))
                read = False
                for key, _ in selector.select(wait):
                    if key.fileobj is asked:
                        left = left[_written(key.fd, left) :]
                        if not left:
                            selector.unregister(asked)
                        continue
                    some = os.read(key.fd, 1 << 20)
                    read = True
                    if not some:
                        selector.unregister(key.fileobj)
                    elif key.fileobj is told:
                        answer += some
                    else:
                        self._said = (self._said + some)[-LAST_BYTES:]
                if (whole := _whole(answer, clock)) is not None:
                    return whole
                if ended and not read:
                    raise EOFError
                if clock.left < 0:
                    raise TimeoutError

    def end(self, wait: float = 0.0) -> int:
        """End the process, for which it has so many seconds by itself, and all that it started; its status."""
        process, self._process = self._process, None
        if process is None:
            return 0
        deadline = time.monotonic() + wait
        while not _has_ended(process) and time.monotonic() < deadline:
            time.sleep(0.01)
        finished: tuple[int, bytes] = self._finish()
        self._said = (self._said + finished[1])[-LAST_BYTES:]
        return finished[0]


class _Clock:
    """The seconds that are left for an answer. It is stopped while kernels are compiled, up to COMPILE_SECONDS at once.

    compiled : seconds for which it was stopped
    stopped  : whether it is
    """

    def __init__(self, seconds: float) -> None:
        self._deadline = time.monotonic() + seconds
        self._began = self._left = self.compiled = 0.0
        self.stopped = False

    @property
    def left(self) -> float:
        """What is left now; less than 0 once it is used up."""
        return self._deadline - time.monotonic()

    def note(self, what: int) -> None:
        """Note that the process COMPILES, or COMPILED."""
        now = time.monotonic()
        if what == COMPILES:
            self._began, self._left, self.stopped = now, self._deadline - now, True
            self._deadline = now + COMPILE_SECONDS
        elif self.stopped:
            self.compiled += now - self._began
            self._deadline, self.stopped = now + self._left, False


def _whole(told: bytearray, clock: _Clock) -> memoryview | None:
    """The answer, once all of it was told; what is told of compiling before it goes to the clock."""
    while len(told) >= LENGTH.size:
        (length,) = LENGTH.unpack_from(told)
        if length not in {COMPILES, COMPILED}:
            return memoryview(told)[LENGTH.size : LENGTH.size + length] if len(told) >= LENGTH.size + length else None
        del told[: LENGTH.size]
        clock.note(length)
    return None


def _finished(process: subprocess.Popen[bytes]) -> tuple[int, bytes]:
    """End a process and all of its group; its status, and what of its stderr was still to be read."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    status, rest = process.wait(), _rest(process.stderr)
    for pipe in (process.stdin, process.stdout, process.stderr):
        with suppress(OSError):
            pipe.close()  # type: ignore[union-attr]
    return status, rest


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether it has; its status is left to be asked for, so that its number stays its own."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _ended_for_memory() -> int:
    """How many processes the kernel has ended for want of memory; 0 where it does not tell."""
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
    """What still is to be read from a pipe at whose other end there is nobody of ours."""
    os.set_blocking(pipe.fileno(), False)  # type: ignore[union-attr]
    with suppress(BlockingIOError):
        return os.read(pipe.fileno(), 1 << 20)  # type: ignore[union-attr]
    return b""


def _written(pipe: int, content: memoryview) -> int:
    """How many bytes of some a pipe took; BrokenPipeError where nobody reads it any more."""
    with suppress(BlockingIOError):
        return os.write(pipe, content)
    return 0
