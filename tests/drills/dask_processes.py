"""A Dask scheduler and its workers as processes of their own, as somebody else runs them: with TLS and without."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.pipeline.command_line import ROOT, descendants, until

__all__ = ["Certificates", "DaskProcesses", "certificates", "dask_processes"]

QUIET = {"DASK_DISTRIBUTED__SCHEDULER__WORK_STEALING": "false", "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "false"}
ORPHANED_SECONDS = 600  # after which a scheduler ends that a killed test left behind


@dataclass(frozen=True)
class Certificates:
    """Files of one certificate, which is its own authority and serves clients, schedulers and workers alike."""

    ca_file: Path
    cert: Path
    key: Path

    def options(self) -> list[str]:
        """Options of Dask's commands for them."""
        return ["--tls-ca-file", str(self.ca_file), "--tls-cert", str(self.cert), "--tls-key", str(self.key)]

    def overrides(self) -> list[str]:
        """Overrides of `cluster=address` for them."""
        names = ("tls_ca_file", "tls_cert", "tls_key")
        return [f"cluster.{name}={file}" for name, file in zip(names, (self.ca_file, self.cert, self.key), strict=True)]


def certificates(folder: Path) -> Certificates:
    """A new certificate, in files of the folder."""
    from distributed.security import Security

    folder.mkdir(parents=True, exist_ok=True)
    made = Security.temporary()
    cert, key = folder / "cert.pem", folder / "key.pem"
    cert.write_text(made.tls_client_cert)
    key.write_text(made.tls_client_key)
    key.chmod(0o600)
    return Certificates(cert, cert, key)


@dataclass
class DaskProcesses:
    """A scheduler that listens at `address`, and workers that may come and go; what they say is in files of `folder`.

    Each worker is a process of its own or, with a nanny, two.
    """

    folder: Path
    tls: Certificates | None
    host: str
    scheduler: subprocess.Popen[bytes]
    address: str
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def add_worker(
        self,
        *options: str,
        nanny: bool = False,
        threads: int = 1,
        variables: dict[str, str] | None = None,
        before: Sequence[str] = (),
        host: str | None = None,
    ) -> subprocess.Popen[bytes]:
        """Start a worker, which has not registered yet when this returns.

        `variables` are added to its environment, `before` is put before the command, such as `ip netns exec NAME`.
        """
        process = _started(
            [
                *before,
                *(sys.executable, "-m", "distributed.cli.dask_worker", self.address),
                *("--host", host or self.host, "--nthreads", str(threads), "--nworkers", "1", "--no-dashboard"),
                *("--nanny" if nanny else "--no-nanny", "--death-timeout", "20", "--memory-limit", "0"),
                *("--local-directory", str(self.folder)),
                *(self.tls.options() if self.tls else ()),
                *options,
            ],
            self.folder,
            f"worker-{len(self.workers)}",
            variables or {},
        )
        self.workers.append(process)
        return process

    def add_workers(self, count: int, *, nanny: bool = False) -> None:
        """Start workers, and wait until all are registered."""
        for _ in range(count):
            self.add_worker(nanny=nanny)
        self.wait_for_workers(count)

    def wait_for_workers(self, count: int) -> None:
        """Wait until so many are registered in all."""
        log = self.folder / "scheduler.log"
        until(lambda: log.read_text().count("Register worker") >= count, seconds=60)

    def kill_worker(self, worker: subprocess.Popen[bytes]) -> None:
        """`kill -9` of a worker, and of its nanny before it."""
        below = descendants(worker.pid)
        for pid in (worker.pid, *below):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        worker.wait()

    def log(self) -> str:
        """The logs of all of them so far."""
        return "\n".join(file.read_text(errors="replace") for file in sorted(self.folder.glob("*.log")))

    def end(self) -> None:
        """Kill all that still runs."""
        for process in (*self.workers, self.scheduler):
            self.kill_worker(process)


@contextmanager
def dask_processes(
    folder: Path,
    *,
    workers: int = 0,
    tls: bool = False,
    nanny: bool = False,
    host: str = "127.0.0.1",
    options: Sequence[str] = (),
    port: int = 0,
    variables: dict[str, str] | None = None,
) -> Iterator[DaskProcesses]:
    """A scheduler that listens on `host`, at a free port unless one is given, and so many workers that are registered.

    `variables` are added to the scheduler's environment. All are killed when the block ends.
    """
    folder.mkdir(parents=True, exist_ok=True)
    papers = certificates(folder / "certificates") if tls else None
    scheduler_file = folder / f"scheduler-{time.monotonic_ns()}.json"
    with ExitStack() as stack:
        scheduler = _started(
            [
                *(sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", host, "--port", str(port)),
                *("--protocol", "tls" if tls else "tcp", "--no-dashboard", "--dashboard-address", f"{host}:0"),
                *("--scheduler-file", str(scheduler_file), "--idle-timeout", f"{ORPHANED_SECONDS} seconds"),
                *(papers.options() if papers else ()),
                *options,
            ],
            folder,
            "scheduler",
            variables or {},
        )
        stack.callback(scheduler.wait)
        stack.callback(scheduler.kill)
        until(lambda: _address(scheduler_file) is not None, seconds=60)
        address = _address(scheduler_file)
        assert address is not None
        processes = DaskProcesses(folder, papers, host, scheduler, address)
        stack.callback(processes.end)
        processes.add_workers(workers, nanny=nanny)
        yield processes


def _address(location: Path) -> str | None:
    """The address in a scheduler's file; None while it is not whole."""
    try:
        return str(json.loads(location.read_text())["address"])
    except (FileNotFoundError, ValueError, KeyError):
        return None


def _started(command: list[str], folder: Path, name: str, variables: dict[str, str]) -> subprocess.Popen[bytes]:
    """A process with this checkout on its path, whose words go to a file."""
    with (folder / f"{name}.log").open("ab") as log:
        return subprocess.Popen(
            command,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT)} | QUIET | variables,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
