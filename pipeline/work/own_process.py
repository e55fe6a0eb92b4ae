"""Items worked in a process of their own, below a worker: what ends that process does not end the worker.

The process is a fresh interpreter, `python -m pipeline.work.own_process`: workers are daemons, which may not fork, and
have threads besides. It computes and tells; it writes no file. It dies with its worker, however that dies.
"""

from __future__ import annotations

import os
import pickle
import selectors
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from pipeline.grids.base import Grid
from pipeline.work.forks import ending_forks
from pipeline.work.limits import Limits
from pipeline.work.losses import CELL_ERRORS, Loss, loss_of
from pipeline.work.separation import Tables, without

__all__ = ["OwnProcess", "serve"]

START_SECONDS = 120.0  # for imports, on a machine that is busy
GRACE_SECONDS = 30.0  # besides its limit, for the first item of a process, which loads what the others find there
LOOK_SECONDS = 0.2  # between looks at whether the process still is
LAST_BYTES = 4000  # that are kept of what it says
LENGTH = struct.Struct("<Q")
KILL_ME_FIRST = "1000"  # of the kernel, when memory runs out
PR_SET_PDEATHSIG = 1
OUT_OF_MEMORY = (b"bad_alloc", b"Cannot allocate memory", b"MemoryError", b"out of memory")


class OwnProcess:
    """A process that works items of a grid one at a time; another takes its place when it ends."""

    def __init__(self, grid: Grid, limits: Limits) -> None:
        self._task = pickle.dumps((grid, limits))
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._said = b""
        self._fresh = True

    def __enter__(self) -> OwnProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def work(self, item: int, losses: Mapping[int, Loss] | None = None, times: int = 1) -> Tables | Loss:
        """The tables of an item, these builders lost; or what became of it, such as the signal that ended its process.

        times : how many times the limit of time it may take

        A SIGKILL comes from outside, and mostly for other reasons than what the item does, such as what others take of
        the memory: the first is forgiven.
        """
        found, outside = self._tried(item, losses or {}, times)
        return self._tried(item, losses or {}, times)[0] if outside else found

    def _tried(self, item: int, losses: Mapping[int, Loss], times: int) -> tuple[Tables | Loss, bool]:
        """What became of an item, and whether that was a SIGKILL.

        A process that has worked another before may be ended by what that left behind, such as an alarm or a thread, so
        that it is tried in a fresh one.
        """
        ended_by_system = _ended_for_memory()
        if self._process and _has_ended(self._process):  # since it was last heard of, by what an item left behind
            self._end()
        process = self._process or self._started()
        limits, used = self._limits.times(times), not self._fresh
        self._fresh = False
        try:
            _send(process.stdin, (item, dict(losses)))
            reply = self._heard(process, limits.seconds + (0.0 if used else GRACE_SECONDS))
        except (BrokenPipeError, EOFError):
            status = self._end(wait=LOOK_SECONDS)
            if used:
                return self._tried(item, losses, times)
            out_of_memory = _ended_for_memory() > ended_by_system
            return self._loss(status, out_of_memory=out_of_memory), status == -signal.SIGKILL
        except TimeoutError:
            self._end()
            of_each = f" for each of {times} cells" if times > 1 else ""
            late = f"took more than the {self._limits.seconds:g} seconds of limits.seconds{of_each}"
            return Loss("time_limit", late), False
        return reply, False

    def _loss(self, status: int, *, out_of_memory: bool) -> Loss:
        """What to say of a process that ended with this status, as subprocess tells it."""
        ended = f"was ended by {_signal(-status)}" if status < 0 else f"ended itself with status {status}"
        how = f"its process {ended}"
        if out_of_memory:
            return Loss("memory_limit", f"{how}, when the machine or its job ran out of memory")
        if any(words in self._said for words in OUT_OF_MEMORY):
            return Loss("memory_limit", f"{how}, after an allocation beyond its limit of memory")
        return Loss("killed", how)

    def _started(self) -> subprocess.Popen[bytes]:
        """The process, once it is ready to work."""
        process = subprocess.Popen(  # noqa: S603 - this interpreter, this module
            [sys.executable, "-P", "-m", "pipeline.work.own_process", str(os.getpid())],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            process_group=0,  # so that what it starts ends with it, and Ctrl-C is not for it
        )
        self._process, self._said, self._fresh = process, b"", True
        try:
            _write(process.stdin, self._task)
            self._heard(process, START_SECONDS)
        except (BrokenPipeError, EOFError, TimeoutError) as error:
            status = self._end()
            said = self._said.decode(errors="replace").strip().rpartition("\n")[2]
            msg = f"a process of its own did not start, and ended with status {status}: {said}"
            raise ChildProcessError(msg) from error
        return process

    def _heard(self, process: subprocess.Popen[bytes], seconds: float) -> Any:
        """The next thing that the process tells; TimeoutError where it takes too long, EOFError where it has ended."""
        deadline = time.monotonic() + seconds
        told = bytearray()
        with selectors.DefaultSelector() as selector:
            for pipe in (process.stdout, process.stderr):
                selector.register(pipe, selectors.EVENT_READ)  # type: ignore[arg-type]
            while True:
                ended = _has_ended(process)  # looked at before reading, so that its last words are read
                ready = selector.select(min(LOOK_SECONDS, max(deadline - time.monotonic(), 0.0)) if not ended else 0.0)
                for key, _ in ready:
                    some = os.read(key.fd, 1 << 20)
                    if not some:
                        selector.unregister(key.fileobj)
                    elif key.fileobj is process.stdout:
                        told += some
                    else:
                        self._said = (self._said + some)[-LAST_BYTES:]
                if len(told) >= LENGTH.size and len(told) >= LENGTH.size + LENGTH.unpack_from(told)[0]:
                    return _unpickled(memoryview(told)[LENGTH.size :])
                if ended and not ready:
                    raise EOFError
                if time.monotonic() > deadline:
                    raise TimeoutError

    def _end(self, wait: float = 0.0) -> int:
        """End the process and all that it started; its status."""
        process = self._process
        if process is None:
            return 0
        self._process = None
        deadline = time.monotonic() + wait
        while not _has_ended(process) and time.monotonic() < deadline:
            time.sleep(0.01)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        status = process.wait()
        self._said = (self._said + _rest(process.stderr))[-LAST_BYTES:]
        for pipe in (process.stdin, process.stdout, process.stderr):
            with suppress(OSError):
                pipe.close()  # type: ignore[union-attr]
        return status


def serve() -> None:
    """Be that process: take a grid, then items of it, and tell of each its tables or what it raised."""
    asked, told = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # what builders print is not for the worker, nor is what they read from it
    _die_with(int(sys.argv[1]))
    grid, limits = pickle.loads(_read(asked))  # noqa: S301 - from our own worker
    with suppress(ModuleNotFoundError):
        import_module(f"{type(grid).__module__}_rows")  # where grids have what makes rows: no item's time is that of it
    _send(told, None)
    while True:
        try:
            item, losses = pickle.loads(_read(asked))  # noqa: S301
        except EOFError:
            return
        _send(told, _worked(grid, limits, item, losses))


def _worked(grid: Grid, limits: Limits, item: int, losses: Mapping[int, Loss]) -> Tables | Loss:
    try:
        with limits.of_memory(), ending_forks():
            asked = without(grid, losses)
            return asked.work(item, item + 1)
    except CELL_ERRORS as error:
        return loss_of(error)


def _die_with(worker: int) -> None:
    """Have this process end when its worker does, and be the first to go when memory is short."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text(KILL_ME_FIRST)

    def watch() -> None:
        while os.getppid() == worker:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


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


def _unpickled(content: memoryview) -> Any:
    """What a process told; EOFError where something else wrote there, for then no more can be had of it."""
    try:
        return pickle.loads(content)  # noqa: S301 - from a child that works our grid
    except Exception as error:
        raise EOFError from error


def _send(pipe: IO[bytes] | None, what: Any) -> None:
    _write(pipe, pickle.dumps(what))


def _write(pipe: IO[bytes] | None, content: bytes) -> None:
    left = memoryview(LENGTH.pack(len(content)) + content)
    while left:
        left = left[os.write(pipe.fileno(), left) :]  # type: ignore[union-attr]


def _read(pipe: IO[bytes]) -> bytes:
    length = pipe.read(LENGTH.size)
    if len(length) < LENGTH.size:
        raise EOFError
    return pipe.read(LENGTH.unpack(length)[0])


if __name__ == "__main__":
    from pipeline.work.own_process import serve as serve_as_imported  # not the copy that this file, run, is

    serve_as_imported()
