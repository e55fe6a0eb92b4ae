"""Machines reached by ssh, each with worker processes that come to a scheduler in the driver."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.cluster.admission import Admission
from pipeline.cluster.base import Workers, check_from_1, check_patience
from pipeline.cluster.dashboard import check_dashboard
from pipeline.cluster.dask_log import last_line
from pipeline.cluster.driver_scheduler import WORKER_ENVIRONMENT, check_interface, driver_scheduler
from pipeline.cluster.security import run_security
from pipeline.cluster.tending import tended
from pipeline.errors import ConfigError, WorkersLostError
from pipeline.screen import note

if TYPE_CHECKING:
    from distributed import Security

    from pipeline.configuration.settings import Ssh

__all__ = ["SshHosts"]

HOST = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@:%-]*")
SSH = (
    "ssh",
    "-T",
    *("-o", "BatchMode=yes"),  # nobody is there to be asked
    *("-o", "StrictHostKeyChecking=yes"),  # whoever answers in a host's place could have our credentials
    *("-o", "ConnectTimeout=15", "-o", "ServerAliveInterval=10", "-o", "ServerAliveCountMax=3"),
)
FIRST_PAUSE, LONGEST_PAUSE = 2.0, 60.0  # seconds before a host is tried again
LOOK_SECONDS = 0.5  # between looks at the connections
CLOSE_SECONDS = 15.0  # for workers to end when they are told to


@dataclass(frozen=True)
class SshHosts:
    """So many worker processes, one thread each, on each of some machines that see the driver's folders.

    Connections are those of the program `ssh`, with the user's own configuration and keys.
    """

    asked: Ssh
    on_this_machine = False

    @staticmethod
    def of(cluster: Ssh) -> SshHosts:
        """As configured; ConfigError names a key whose value cannot be."""
        if not cluster.hosts:
            msg = "cluster.hosts is empty: name machines, as in 'cluster.hosts=[node1,node2]'"
            raise ConfigError(msg)
        for host in cluster.hosts:
            if not HOST.fullmatch(host):
                msg = f"cluster.hosts has {host!r}: expected a name or address, such as node1 or me@node1"
                raise ConfigError(msg)
        if len(set(cluster.hosts)) < len(cluster.hosts):
            msg = "cluster.hosts names a machine twice: give its number of workers with cluster.processes"
            raise ConfigError(msg)
        check_from_1("processes", cluster.processes)
        check_patience(cluster.patience)
        if cluster.python is not None and not (cluster.python.strip() and cluster.python.isprintable()):
            msg = f"cluster.python is {cluster.python!r}: expected the path of an interpreter"
            raise ConfigError(msg)
        if cluster.config is not None and not Path(cluster.config).expanduser().is_file():
            msg = f"cluster.config is {cluster.config!r}: there is no such file"
            raise ConfigError(msg)
        check_dashboard(cluster.dashboard)
        return SshHosts(cluster)

    @property
    def wanted(self) -> int:
        """Worker processes on all hosts."""
        return len(self.asked.hosts) * self.asked.processes

    def job_script(self) -> str | None:
        """There is no queue."""
        return None

    @contextmanager
    def opened(self, notes: Path, plugins: Sequence[str], shared: Path | None = None) -> Iterator[Workers]:
        """Workers on the hosts and a client of their scheduler; what a host says goes to `ssh/<host>.log`.

        Raises ConfigError where a package or network interface is missing.
        """
        folder = notes / "ssh"
        folder.mkdir(parents=True, exist_ok=True)
        check_interface(self.asked.interface)
        security = run_security()
        listens = {"protocol": "tls://", "interface": self.asked.interface, "security": security}
        with (
            driver_scheduler(notes, listens, dashboard=self.asked.dashboard) as scheduler,
            Admission(scheduler.client, plugins, shared) as admission,
        ):
            hosts = [
                _Host(name, self._command(name), self._told(name, scheduler.address, security), folder / f"{name}.log")
                for name in self.asked.hosts
            ]

            def check() -> None:
                if all(host.unusable for host in hosts):
                    msg = f"no machine can be used: {_troubles(hosts)}"
                    raise WorkersLostError(msg)

            with _served(hosts, scheduler.workers):
                yield admission.workers(self.wanted, self.asked.patience, check, lambda: _troubles(hosts))

    def _command(self, host: str) -> list[str]:
        """The words that start workers on a host, in the folder that the driver is in."""
        environment = ["PYTHONSAFEPATH=1"]  # from the start, where WORKER_ENVIRONMENT is for what is started there
        if os.environ.get("PYTHONPATH"):
            environment.append(f"PYTHONPATH={os.environ['PYTHONPATH']}")
        python = [self.asked.python or sys.executable, "-m", "pipeline.cluster.ssh_host"]
        there = f"cd {shlex.quote(str(Path.cwd()))} && exec {shlex.join(['env', *environment, *python])}"
        own = ["-F", str(Path(self.asked.config).expanduser())] if self.asked.config else []
        return [*SSH, *own, "--", host, there]

    def _told(self, host: str, scheduler: str, security: Security) -> str:
        """The line that a host's workers are started with."""
        credentials = security.get_tls_config_for_role("worker")
        return json.dumps(
            {
                "scheduler": scheduler,
                "security": {
                    "tls_ca_file": credentials["ca_file"],
                    "tls_worker_cert": credentials["cert"],
                    "tls_worker_key": credentials["key"],
                },
                "name": host,
                "processes": self.asked.processes,
                "environment": WORKER_ENVIRONMENT,
            }
        )


class _Host:
    """A machine, and the connection that its workers live and die with."""

    def __init__(self, name: str, command: list[str], told: str, log: Path) -> None:
        self.name, self.trouble = name, ""
        self._command, self._told, self._log = command, told.encode() + b"\n", log
        self._process: subprocess.Popen[bytes] | None = None
        self._came = False
        self._said_before = 0  # bytes of the log
        self._due, self._pause = 0.0, FIRST_PAUSE

    @property
    def unusable(self) -> bool:
        """Whether it has been tried, and no worker has ever come from it."""
        return bool(self.trouble) and not self._came

    def tend(self, *, has_workers: bool) -> None:
        """Connect where there is no connection; what ended is tried again after a pause that grows."""
        now = time.monotonic()
        if has_workers:
            self._came, self._pause, self.trouble = True, FIRST_PAUSE, ""
        if self._process is not None and (status := self._process.poll()) is not None:
            self._process.communicate()
            self._process = None
            said = last_line(self._log, self._said_before)
            self.trouble = f"{self.name}: {said or f'ssh ended with status {status}'} ({self._log})"
            note(f"{self.trouble}; tried again in {self._pause:.0f} s")
            self._due, self._pause = now + self._pause, min(2 * self._pause, LONGEST_PAUSE)
        if self._process is None and now >= self._due:
            self._process = self._connected()

    def leave(self) -> None:
        """End its workers: they go when the connection's input does."""
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()

    def left(self, deadline: float) -> None:
        """Wait for its end, and cut the connection where there is none in time."""
        if self._process is not None:
            try:
                self._process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def _connected(self) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            self._said_before = log.tell()
            process = subprocess.Popen(  # noqa: S603 - words are checked, and quoted for the host's shell
                self._command,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for the driver alone
            )
        assert process.stdin
        with suppress(OSError):  # ended already: it is told of when it is tended
            process.stdin.write(self._told)
            process.stdin.flush()
        return process


@contextmanager
def _served(hosts: Sequence[_Host], workers: Callable[[], set[str]]) -> Iterator[None]:
    """Have workers on the hosts for the time of the block, tended from a thread; none is left after it."""

    def tend() -> None:
        there = {worker.rpartition("/")[0] for worker in workers()}
        for host in hosts:
            host.tend(has_workers=host.name in there)

    try:
        with tended("ssh hosts", tend, LOOK_SECONDS):
            yield
    finally:
        for host in hosts:
            host.leave()
        deadline = time.monotonic() + CLOSE_SECONDS
        for host in hosts:
            host.left(deadline)


def _troubles(hosts: Sequence[_Host]) -> str:
    return "; ".join(host.trouble for host in hosts if host.trouble)
