"""Machines reached by ssh, each with worker processes that connect to a scheduler in the driver."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import IO, TYPE_CHECKING, Any

from pipeline.cluster.base import Cluster, Workers
from pipeline.cluster.remote import WORKER_ENVIRONMENT, check_remote, scheduler_for_remote_workers
from pipeline.configuration.rules import Rule, each, matching
from pipeline.errors import WorkersLostError
from pipeline.plain_text import note
from pipeline.typed_paths import typed_path
from pipeline.work.dask_log import last_line

if TYPE_CHECKING:
    from pipeline.configuration.settings import Ssh

HOST = matching(r"[A-Za-z0-9_][A-Za-z0-9_.@:%-]*", "a name or address, such as node1 or me@node1")
HOSTS = Rule(
    "machines, each once, as in [node1,node2]; cluster.processes is the number of workers on each machine",
    lambda hosts: bool(hosts) and len(set(hosts)) == len(hosts),
)
CONFIG = Rule("an existing file", lambda path: typed_path(path).is_file())
SSH = (
    "ssh",
    "-T",
    *("-o", "BatchMode=yes"),  # nobody can answer a question
    *("-o", "StrictHostKeyChecking=yes"),  # an impostor could get our credentials
    *("-o", "ConnectTimeout=15", "-o", "ServerAliveInterval=10", "-o", "ServerAliveCountMax=3"),
)
FIRST_PAUSE, LONGEST_PAUSE = 2.0, 60.0  # seconds before a host is tried again
LOOK_SECONDS = 0.5  # between looks at the connections
CLOSE_SECONDS = 15.0  # time limit for workers to end by themselves


@dataclass(frozen=True)
class SshHosts(Cluster):
    """Worker processes, one thread each, on machines that share the driver's folders.

    Connections use the program `ssh`, with the user's own configuration and keys.
    """

    settings: Ssh

    def __post_init__(self) -> None:
        """Raise ConfigError, which names a key with a wrong value."""
        cluster = self.settings
        HOSTS.check("cluster.hosts", cluster.hosts)
        each(HOST).check("cluster.hosts", cluster.hosts)
        check_remote(cluster)
        CONFIG.check("cluster.config", cluster.config, null=True)

    @property
    def wanted(self) -> int:
        """The number of worker processes on all hosts."""
        return len(self.settings.hosts) * self.settings.processes

    @contextmanager
    def opened(self, record_folder: Path, plugins: Sequence[str], shared: Path | None = None) -> Iterator[Workers]:
        """Workers on the hosts and a client of their scheduler; the messages of a host go to `ssh/<host>.log`.

        Raises ConfigError if a package or network interface is missing.
        """
        folder = record_folder / "ssh"
        folder.mkdir(parents=True, exist_ok=True)
        with scheduler_for_remote_workers(self.settings, record_folder, plugins, shared) as (
            scheduler,
            admission,
            credentials,
        ):
            tls = {"tls_ca_file": credentials["ca_file"]}
            tls |= {f"tls_worker_{name}": credentials[name] for name in ("cert", "key")}
            orders = {"scheduler": scheduler.address, "security": tls, "processes": self.settings.processes}
            hosts = [
                _Host(name, self._command(name), orders, folder / f"{name}.log", scheduler.workers)
                for name in self.settings.hosts
            ]

            def check() -> None:
                if all(host.unusable for host in hosts):
                    raise WorkersLostError(f"no machine can be used: {_troubles(hosts)}")

            with _serving(hosts):
                yield admission.workers(self.wanted, self.settings.patience, check, lambda: _troubles(hosts))

    def _command(self, host: str) -> list[str]:
        """The command that starts workers on a host, in the driver's folder."""
        environment = ["PYTHONSAFEPATH=1"]  # for the starting process; WORKER_ENVIRONMENT is for the workers
        if os.environ.get("PYTHONPATH"):
            environment.append(f"PYTHONPATH={os.environ['PYTHONPATH']}")
        python = [self.settings.python or sys.executable, "-m", "pipeline.cluster.ssh_host"]
        remote = f"cd {shlex.quote(str(Path.cwd()))} && exec {shlex.join(['env', *environment, *python])}"
        config = ["-F", str(typed_path(self.settings.config))] if self.settings.config else []
        return [*SSH, *config, "--", host, remote]


@dataclass
class _Host:
    """A machine, and the connection that starts and ends its workers.

    command : starts workers there, and ends when they have ended
    orders  : the input that starts workers: see `pipeline.cluster.ssh_host`
    workers : returns the names of all connected workers; those of this host begin with its name
    trouble : why the last connection ended; empty once workers have connected again
    served  : whether a worker of it has ever connected
    """

    name: str
    command: list[str]
    orders: Mapping[str, Any]
    log: Path
    workers: Callable[[], set[str]]
    trouble: str = ""
    served: bool = False

    @property
    def unusable(self) -> bool:
        """Whether a connection has ended and no worker of it has ever connected."""
        return bool(self.trouble) and not self.served

    def serve(self, stop: Event) -> None:
        """Keep a connection until `stop` is set; one that ends is replaced after a growing pause."""
        pause = FIRST_PAUSE
        while not stop.is_set():
            with self.log.open("ab") as log:
                start = log.tell()
                connection = self._connected(log)
            pause = FIRST_PAUSE if self._watch(connection, stop) else pause
            if stop.is_set():
                _leave(connection)
                return
            connection.communicate()
            message = last_line(self.log, start)
            self.trouble = f"{self.name}: {message or f'ssh ended with status {connection.returncode}'} ({self.log})"
            note(f"{self.trouble}; the next try is in {pause:.0f} s")
            stop.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _watch(self, connection: subprocess.Popen[bytes], stop: Event) -> bool:
        """Wait for the end of a connection, or for `stop`; returns whether workers have connected through it."""
        connected = False
        while connection.poll() is None and not stop.wait(LOOK_SECONDS):
            if not connected and any(worker.rpartition("/")[0] == self.name for worker in self.workers()):
                connected, self.served, self.trouble = True, True, ""
        return connected

    def _connected(self, log: IO[bytes]) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(  # noqa: S603 - words are checked, and quoted for the host's shell
            self.command,
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            start_new_session=True,  # Ctrl-C is for the driver alone
        )
        assert process.stdin
        with suppress(OSError):  # it has already ended, which the caller will notice
            orders = {"name": self.name, "environment": WORKER_ENVIRONMENT, **self.orders}
            process.stdin.write(json.dumps(orders).encode() + b"\n")
            process.stdin.flush()
        return process


def _leave(connection: subprocess.Popen[bytes]) -> None:
    """End a connection's workers by closing its input, and kill it if they do not end in time."""
    try:
        connection.communicate(timeout=CLOSE_SECONDS)
    except subprocess.TimeoutExpired:
        connection.kill()
        connection.wait()


@contextmanager
def _serving(hosts: Sequence[_Host]) -> Iterator[None]:
    """Run workers on the hosts during the block, with a thread for each host; none remains after it."""
    stop = Event()
    threads = [Thread(target=host.serve, args=[stop], name=f"ssh {host.name}", daemon=True) for host in hosts]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def _troubles(hosts: Sequence[_Host]) -> str:
    return "; ".join(host.trouble for host in hosts if host.trouble)
