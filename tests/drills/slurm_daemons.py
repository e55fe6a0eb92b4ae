"""A Slurm of the tests' own: its real daemons for one node, this machine, with ports, keys and folders of their own."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.oracles.beside import absent
from tests.pipeline.command_line import descendants, until

__all__ = ["LOOK_SECONDS", "Job", "Slurm", "slurm_daemons"]

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol", "sinfo")
LOOK_SECONDS = 0.2  # between looks at the queue, each of which is a process
CORES, MEBIBYTES = 4, 16_000  # that the node declares, whatever this machine has
CONFIGURATION = """\
ClusterName=drills
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmctldPort={controller_port}
SlurmdPort={node_port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2
SlurmdParameters=config_overrides
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
SlurmdTimeout=30
KillWait=2
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} RealMemory={mebibytes} State=UNKNOWN
PartitionName=debug Nodes={host} Default=YES MaxTime=INFINITE State=UP PriorityTier=1
PartitionName=urgent Nodes={host} MaxTime=INFINITE State=UP PriorityTier=10
PartitionName=closed Nodes={host} MaxTime=INFINITE State=DOWN
"""


@dataclass(frozen=True)
class Job:
    """What `squeue` says of a job."""

    number: str
    state: str
    reason: str
    name: str


@dataclass(frozen=True)
class Slurm:
    """The running daemons, which the environment names to Slurm's programs."""

    folder: Path

    def call(self, *words: str, script: str | None = None) -> str:
        """What one of Slurm's programs prints."""
        return subprocess.run(words, input=script, capture_output=True, text=True, check=True, timeout=60).stdout

    def jobs(self, state: str = "") -> list[Job]:
        """The jobs in the queue, or those in a state, oldest first."""
        lines = self.call("squeue", "--noheader", "--sort=i", "--format=%i|%T|%r|%j").splitlines()
        results = [Job(*line.split("|", 3)) for line in lines]
        return [job for job in results if job.state == state or not state]

    def empty(self) -> bool:
        """Whether there is no job at all."""
        return not self.jobs()


@contextmanager
def slurm_daemons(folder: Path) -> Iterator[Slurm]:
    """A Slurm of one node for the time of the block; skips where its programs or the right to run them are missing."""
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing:
        absent(f"there is no {', '.join(missing)}: apt-get install slurmctld slurmd slurm-client munge")
    if os.geteuid() != 0:
        absent("Slurm's daemons are started by root alone")
    for name in ("state", "spool"):
        (folder / name).mkdir(parents=True)
    configuration = folder / "slurm.conf"
    ports = _free_ports(2)
    configuration.write_text(
        CONFIGURATION.format(
            host=socket.gethostname().partition(".")[0],
            folder=folder,
            controller_port=ports[0],
            node_port=ports[1],
            cores=CORES,
            mebibytes=MEBIBYTES,
        )
    )
    key = folder / "munge.key"
    key.touch(mode=0o600)
    key.write_bytes(secrets.token_bytes(128))
    munge = {"key-file": key, "socket": folder / "munge.socket", "pid-file": folder / "munged.pid"}
    munge |= {"log-file": folder / "munged.log", "seed-file": folder / "munged.seed"}
    before = os.environ.get("SLURM_CONF")
    os.environ["SLURM_CONF"] = str(configuration)
    try:
        with ExitStack() as daemons:
            options = [f"--{name}={value}" for name, value in munge.items()]
            daemons.enter_context(_daemon(folder, "munged", "--foreground", "--force", *options))
            until(munge["socket"].exists, seconds=20)
            daemons.enter_context(_daemon(folder, "slurmctld", "-D", "-f", str(configuration)))
            daemons.enter_context(_daemon(folder, "slurmd", "-D", "-f", str(configuration)))
            slurm = Slurm(folder)
            until(
                lambda: "idle" in _output("sinfo", "--noheader", "--partition=debug", "--format=%T"),
                seconds=60,
                every=LOOK_SECONDS,
            )
            try:
                yield slurm
            finally:
                for job in slurm.jobs():
                    slurm.call("scancel", job.number)
                until(slurm.empty, seconds=60, every=LOOK_SECONDS)
    finally:
        if before is None:
            del os.environ["SLURM_CONF"]
        else:
            os.environ["SLURM_CONF"] = before


@contextmanager
def _daemon(folder: Path, *words: str) -> Iterator[None]:
    """A daemon in the foreground, with all that it has started, for the time of the block; it speaks to a file."""
    with (folder / f"{words[0]}.said").open("wb") as log:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    try:
        yield
    finally:
        below = descendants(process.pid)
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for pid in below:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue


def _output(*words: str) -> str:
    """What a program prints, also when it fails."""
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=60).stdout


def _free_ports(number: int) -> list[int]:
    with ExitStack() as held:
        taken = [held.enter_context(socket.socket()) for _ in range(number)]
        for each in taken:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in taken]
