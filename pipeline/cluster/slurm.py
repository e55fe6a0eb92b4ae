"""Jobs in a Slurm queue, each with worker processes that connect to a scheduler in the driver."""

from __future__ import annotations

import re
import secrets
import shlex
import shutil
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.cluster.base import Cluster, Workers
from pipeline.cluster.remote import DEATH_SECONDS, LINE, WORKER_ENVIRONMENT, check_remote, scheduler_for_remote_workers
from pipeline.cluster.slurm_jobs import Jobs, kept_running
from pipeline.configuration.rules import Rule, at_least, each, matching
from pipeline.errors import ConfigError
from pipeline.words import counted

if TYPE_CHECKING:
    from pipeline.configuration.settings import Slurm

NAME = matching(r"[A-Za-z0-9_][A-Za-z0-9_.,+@:=-]*", "a name of letters, digits and . _ - + @ : , =")
RUN = re.compile(r"run=([0-9a-f]+)")
WALLTIME = re.compile(r"(?:(\d+)-)?(\d{1,3}):([0-5]\d):([0-5]\d)")
MEMORY = re.compile(r"([1-9]\d*(?:\.\d+)? ?[KMGT])(i?B)?")
SHORTEST_MARGIN, LONGEST_MARGIN = 20.0, 300.0  # seconds by which workers retire before Slurm ends their job
LEAST_MEMORY = 256 << 20  # bytes of a process
NO_PAGES = {"DASK_DISTRIBUTED__WORKER__HTTP__ROUTES": "'[]'"}
"""Dask's own command always starts an HTTP server for each worker; without routes it serves nothing."""
OWN_FOLDER = (
    "DASK_TEMPORARY_DIRECTORY=$(mktemp -d) || exit 1",
    "export DASK_TEMPORARY_DIRECTORY",
    "trap 'rm -rf \"$DASK_TEMPORARY_DIRECTORY\"' EXIT",
)
"""Dask puts its temporary folder first on the import path, so no other user may write to it."""
OWN_OPTIONS = ("-J", "--job-name", "-n", "--ntasks", "-a", "--array", "-o", "--output", "-e", "--error", "-t", "--time")
OPTION = Rule(
    f"options of sbatch, such as --constraint=avx2, and none of {', '.join(OWN_OPTIONS)}, which Orchard sets",
    lambda line: line.startswith("-") and _option(line) not in OWN_OPTIONS,
)


@dataclass(frozen=True)
class SlurmJobs(Cluster):
    """Slurm jobs with worker processes, one thread each.

    A worker retires some time before the end of its job's walltime. So its chunk is finished, or computed elsewhere,
    before Slurm kills the job. A job that ends for any reason is replaced by another.
    """

    settings: Slurm

    def __post_init__(self) -> None:
        """Raise ConfigError, which names a key whose value cannot be in a job script."""
        cluster = self.settings
        at_least(1).check("cluster.jobs", cluster.jobs)
        check_remote(cluster)
        for key in ("queue", "account", "interface"):
            NAME.check(f"cluster.{key}", getattr(cluster, key), null=True)
        matching(MEMORY.pattern, "a number and its unit, such as 4GiB or 4G").check("cluster.memory", cluster.memory)
        _check_least_memory(cluster)
        expected = "a time of a minute or more, HH:MM:SS or D-HH:MM:SS, in quotes in a YAML file"
        Rule(expected, lambda text: _seconds(text) >= 60).check("cluster.walltime", cluster.walltime)
        for key, lines in (("prologue", cluster.prologue), ("directives", cluster.directives)):
            each(LINE).check(f"cluster.{key}", lines)
        each(OPTION).check("cluster.directives", cluster.directives)
        if find_spec("dask_jobqueue") is None:
            raise ConfigError("cluster=slurm needs the package dask-jobqueue: pip install 'orchard-trees[slurm]'")

    @property
    def wanted(self) -> int:
        """The number of worker processes in all jobs."""
        return self.settings.jobs * self.settings.processes

    @property
    def margin(self) -> float:
        """Seconds between the retirement of workers and the end of their job's walltime."""
        return min(LONGEST_MARGIN, max(SHORTEST_MARGIN, _seconds(self.settings.walltime) / 10))

    @property
    def lifetime(self) -> float:
        """Mean seconds from the start of a job to the retirement of a worker."""
        return _seconds(self.settings.walltime) - self.margin

    def job_script(self) -> str | None:
        """The script of each job; values that only a run knows are in angle brackets."""
        return self._script("orchard-<run>", "tls://<driver>:<port>", Path("<record of the run>/slurm"))

    @contextmanager
    def opened(self, record_folder: Path, plugins: Sequence[str], shared: Path | None = None) -> Iterator[Workers]:
        """Submit the jobs and open their scheduler; a job logs to `slurm/<number of the job>.log`.

        Raises SlurmError if Slurm refuses the jobs, ConfigError if a package or network interface is missing.
        """
        folder = record_folder.absolute() / "slurm"
        if any(character in str(folder) for character in '"\\\n\r'):
            raise ConfigError(
                f"the folder of Slurm's logs would be {str(folder)!r}, but Slurm accepts no path with double quotes, "
                "backslashes or newlines: set output=… to another folder"
            )
        run = RUN.fullmatch(record_folder.parent.name)  # the run may have other drivers, with other outputs
        name = "-".join(["orchard", *(run.groups() if run else ()), secrets.token_hex(4)])
        with (
            scheduler_for_remote_workers(self.settings, record_folder, plugins, shared) as (
                scheduler,
                admission,
                credentials,
            ),
            _credential_files(credentials, folder / "tls"),
        ):
            script = self._script(name, scheduler.address, folder)
            jobs = Jobs(self.settings.jobs, name, script, scheduler.workers, folder)
            with kept_running(jobs):
                yield admission.workers(self.wanted, self.settings.patience, jobs.check, jobs.why_none)

    def _script(self, job: str, scheduler: str, folder: Path) -> str:
        cluster = self.settings
        tls = folder / "tls"
        log = str(folder).replace("%", "%%") + "/%j.log"
        script: str = _slurm_job()(
            scheduler=scheduler,
            name="$SLURM_JOB_ID",  # of the worker: see Jobs
            job_name=job,
            queue=cluster.queue,
            account=cluster.account,
            walltime=cluster.walltime,
            memory=MEMORY.sub(lambda match: match[1] + (match[2] or "iB"), cluster.memory),  # Slurm's 4G is 4 GiB
            cores=cluster.processes,
            processes=cluster.processes,
            interface=cluster.interface,
            protocol="tls://",
            death_timeout=DEATH_SECONDS,
            python=shlex.quote(cluster.python or sys.executable),
            shebang="#!/usr/bin/env bash",
            job_directives_skip=[],
            job_extra_directives=[
                f'--output="{log}"',
                "--open-mode=append",
                "--no-requeue",  # a lost job is replaced at once; Slurm would delay a requeued one
                *cluster.directives,
            ],
            job_script_prologue=[
                *(f"export {name}={value}" for name, value in (WORKER_ENVIRONMENT | NO_PAGES).items()),
                *OWN_FOLDER,
                *cluster.prologue,
            ],
            worker_command="distributed.cli.dask_worker",
            worker_extra_args=[
                *("--tls-ca-file", shlex.quote(str(tls / "ca_file.pem"))),
                *("--tls-cert", shlex.quote(str(tls / "cert.pem"))),
                *("--tls-key", shlex.quote(str(tls / "key.pem"))),
                *("--lifetime", f"$(({self.lifetime:.0f} - SECONDS))s"),  # the shell's age
                *("--lifetime-stagger", f"{self.margin / 4:.0f}s"),
                *("--no-dashboard", "--dashboard-address", "127.0.0.1:0"),
            ],
        ).job_script()
        return script


def _slurm_job() -> type[Any]:
    """Dask-jobqueue's job class, imported without its handler for Ctrl-C, which exits with status 0."""
    handler = signal.getsignal(signal.SIGINT)
    from dask_jobqueue.slurm import SLURMJob

    if signal.getsignal(signal.SIGINT) is not handler:
        signal.signal(signal.SIGINT, handler)
    job: type[Any] = SLURMJob
    return job


@contextmanager
def _credential_files(credentials: Mapping[str, str], folder: Path) -> Iterator[None]:
    """Write credentials to files that only this user can read, during the block."""
    shutil.rmtree(folder, ignore_errors=True)  # left by a driver that was killed; nothing uses them
    folder.mkdir(mode=0o700, parents=True)
    try:
        for name, content in credentials.items():
            file = folder / f"{name}.pem"
            file.touch(mode=0o600)
            file.write_text(content)
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _seconds(walltime: str) -> int:
    """The seconds of a walltime; 0 if it has another form."""
    match = WALLTIME.fullmatch(walltime)
    days, hours, minutes, seconds = (int(number or 0) for number in match.groups()) if match else (0, 0, 0, 0)
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds


def _option(line: str) -> str:
    """The option of a directive, without its value: `-J` of `-Jx`, `--job-name` of `--job-name=x`."""
    return re.split(r"[= ]", line, maxsplit=1)[0] if line.startswith("--") else line[:2]


def _check_least_memory(cluster: Slurm) -> None:
    """Raise ConfigError if a job's memory does not suffice to start its processes: Slurm would restart it for ever."""
    from dask.utils import parse_bytes

    least = LEAST_MEMORY * cluster.processes
    if parse_bytes(cluster.memory) < least:
        raise ConfigError(
            f"cluster.memory is {cluster.memory!r} for {counted(cluster.processes, 'process', 'processes')}: expected "
            f"{LEAST_MEMORY >> 20} MiB or more for each process, because a process needs that much before it does any "
            "work"
        )
