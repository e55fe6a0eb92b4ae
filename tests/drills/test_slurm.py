"""D12: whatever becomes of jobs in a Slurm queue, the run ends with the rows of one that nothing disturbed."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.drills.held_back import PRELOAD
from tests.drills.oracle import settled, undisturbed_run
from tests.drills.slurm_daemons import CORES, LOOK_SECONDS, Job, Slurm, slurm_daemons
from tests.pipeline.command_line import alive, descendants, ended, kill, orchard, parts, run_folder, started, until

WORK = ("+grid=greedy_vs_dp", "tables.groups=1", "tables.count=2500", "chunk=25")
HERE = (*WORK, "cluster.workers=2")
QUEUED = (*WORK, "cluster=slurm", "cluster.interface=lo", "cluster.memory=1GiB")
TWO_JOBS = (*QUEUED, "cluster.jobs=2", f"cluster.prologue=['export {PRELOAD}']")
GONE_SECONDS = 60
WAIT_SECONDS = 180  # at most: a job without workers is given up after a minute
CREDENTIALS = ("ca_file.pem", "cert.pem", "key.pem")


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Slurm]:
    """Daemons of this file's own."""
    with slurm_daemons(tmp_path_factory.mktemp("slurm")) as daemons:
        yield daemons


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output folder of a run that nothing disturbed, on processes of this machine."""
    return undisturbed_run(tmp_path_factory.mktemp("undisturbed"), *HERE)


def log_of(job: Job, cwd: Path) -> Path:
    return run_folder(cwd / "outputs") / "_run/slurm" / f"{job.number}.log"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def at_work(slurm: Slurm, cwd: Path, process: subprocess.Popen[str], lost: tuple[Job, ...] = (), jobs: int = 2) -> None:
    """Wait until so many jobs run beside those that are lost, their workers are there, and parts come."""
    gone = {job.number for job in lost}

    def running() -> list[Job]:
        return [job for job in slurm.jobs("RUNNING") if job.number not in gone]

    def registered(job: Job) -> bool:
        log = log_of(job, cwd)
        return log.exists() and "Registered to" in log.read_text()

    until(
        lambda: len(result := running()) == jobs and all(registered(job) for job in result),
        process,
        WAIT_SECONDS,
        LOOK_SECONDS,
    )
    before = len(parts(cwd / "outputs"))
    until(lambda: len(parts(cwd / "outputs")) >= before + jobs, process)


def finished(process: subprocess.Popen[str], slow: Path, slurm: Slurm) -> str:
    """Let the run go on at full speed; what it says, once it has ended well and left nothing in the queue."""
    slow.unlink()
    status, errors = ended(process)
    assert status == 0, errors
    until(slurm.empty, seconds=GONE_SECONDS, every=LOOK_SECONDS)
    return errors


def worker_of(slurm: Slurm, job: Job) -> int:
    """The process of a job's one worker, which its nanny has spawned."""
    pids = [int(line.split()[0]) for line in slurm.call("scontrol", "listpids", job.number).splitlines()[1:]]
    (worker,) = [pid for pid in pids if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text()]
    return worker


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_a_cancelled_job_is_replaced(tmp_path: Path, slow: Path, slurm: Slurm, undisturbed: Path) -> None:
    """D12, `scancel`; a requeue, for which Slurm would have the job wait for two minutes, is refused."""
    with started(*TWO_JOBS, cwd=tmp_path) as process:
        at_work(slurm, tmp_path, process)
        tls = run_folder(tmp_path / "outputs") / "_run/slurm/tls"
        assert {file.name: mode(file) for file in tls.iterdir()} == dict.fromkeys(CREDENTIALS, 0o600)
        assert mode(tls) == 0o700
        lost = slurm.jobs()[0]
        with pytest.raises(subprocess.CalledProcessError):
            slurm.call("scontrol", "requeue", lost.number)
        slurm.call("scancel", lost.number)
        at_work(slurm, tmp_path, process, lost=(lost,))
        errors = finished(process, slow, slurm)
    assert f"job {lost.number} ended, or ran without a worker; submitted instead: job " in errors
    assert not tls.exists()
    settled(HERE, tmp_path, undisturbed)


@pytest.mark.long
def test_a_killed_driver_leaves_no_job_behind(tmp_path: Path, slow: Path, slurm: Slurm, undisturbed: Path) -> None:
    """D12, `kill -9` of the driver, with jobs that run and a job that waits."""
    processes = f"cluster.processes={CORES // 2}"
    with started(*TWO_JOBS, "cluster.jobs=3", processes, cwd=tmp_path) as process:
        at_work(slurm, tmp_path, process)
        assert len(slurm.jobs("PENDING")) == 1
        below = descendants(process.pid)
        assert all(job.name.startswith(f"orchard-{run_folder(tmp_path / 'outputs').name[4:]}") for job in slurm.jobs())
        kill(process.pid)
        process.wait()
    until(slurm.empty, seconds=GONE_SECONDS, every=LOOK_SECONDS)
    until(lambda: not any(map(alive, below)), seconds=30)
    slow.unlink()
    settled(HERE, tmp_path, undisturbed)


def test_what_slurm_refuses_is_reported(tmp_path: Path, slurm: Slurm) -> None:
    done = orchard(*TWO_JOBS, "cluster.queue=nowhere", cwd=tmp_path)
    assert done.returncode == 5, done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith("orchard: sbatch: invalid partition specified: nowhere")
    assert slurm.empty()


@pytest.mark.long
def test_a_requeued_job_is_replaced(tmp_path: Path, slow: Path, slurm: Slurm, undisturbed: Path) -> None:
    """D12, `scontrol requeue` of a job that may be requeued."""
    with started(*TWO_JOBS, "cluster.directives=[--requeue]", cwd=tmp_path) as process:
        at_work(slurm, tmp_path, process)
        lost = slurm.jobs()[0]
        slurm.call("scontrol", "requeue", lost.number)
        at_work(slurm, tmp_path, process, lost=(lost,))
        finished(process, slow, slurm)
    settled(HERE, tmp_path, undisturbed)


@pytest.mark.long
def test_preempted_jobs_are_replaced(tmp_path: Path, slow: Path, slurm: Slurm, undisturbed: Path) -> None:
    """D12, preemption by a partition of higher priority; jobs of several workers."""
    with started(*TWO_JOBS, f"cluster.processes={CORES // 2}", cwd=tmp_path) as process:
        at_work(slurm, tmp_path, process)
        lost = tuple(slurm.jobs())
        options = f"--partition=urgent --cpus-per-task={CORES} --mem=1G --output=/dev/null"
        slurm.call("sbatch", script=f"#!/bin/sh\n#SBATCH {options}\nsleep 3\n")
        at_work(slurm, tmp_path, process, lost=lost)
        finished(process, slow, slurm)
    settled(HERE, tmp_path, undisturbed)


@pytest.mark.long
def test_workers_retire_before_the_walltime_is_over(
    tmp_path: Path, slow: Path, slurm: Slurm, undisturbed: Path
) -> None:
    """D12, walltime < total work: workers go by themselves, others come, and Slurm ends no job for its time."""
    with started(*TWO_JOBS, "cluster.walltime=00:01:00", cwd=tmp_path) as process:
        at_work(slurm, tmp_path, process)
        first = tuple(slurm.jobs())
        numbers = {job.number for job in first}
        until(lambda: not numbers & {job.number for job in slurm.jobs("RUNNING")}, process, seconds=120)
        at_work(slurm, tmp_path, process, lost=first)
        finished(process, slow, slurm)
    for job in first:
        log = log_of(job, tmp_path).read_text()
        assert "worker-lifetime-reached" in log
        assert "DUE TO TIME LIMIT" not in log
    settled(HERE, tmp_path, undisturbed)


@pytest.mark.long
def test_a_killed_worker_process_is_started_again(tmp_path: Path, slow: Path, slurm: Slurm, undisturbed: Path) -> None:
    """D12, `kill -9` of a worker: its nanny starts another, and the job stays."""
    with started(*TWO_JOBS, cwd=tmp_path) as process:
        at_work(slurm, tmp_path, process)
        jobs = slurm.jobs()
        kill(worker_of(slurm, jobs[0]))
        until(lambda: log_of(jobs[0], tmp_path).read_text().count("Registered to") == 2, process)
        at_work(slurm, tmp_path, process)
        assert slurm.jobs() == jobs
        finished(process, slow, slurm)
    settled(HERE, tmp_path, undisturbed)


@pytest.mark.long
def test_a_job_that_goes_on_without_workers_is_replaced(
    tmp_path: Path, slow: Path, slurm: Slurm, undisturbed: Path
) -> None:
    """D12, as on a node that has lost its network: Slurm says that the job runs, and no worker of it is there."""
    prologue = f"cluster.prologue=['export {PRELOAD}','trap \"sleep 600\" EXIT']"
    with started(*TWO_JOBS, prologue, cwd=tmp_path) as process:
        at_work(slurm, tmp_path, process)
        lost = slurm.jobs()[0]
        worker = worker_of(slurm, lost)
        kill(parent(worker))
        until(lambda: not alive(worker), process)
        assert lost in slurm.jobs("RUNNING")
        at_work(slurm, tmp_path, process, lost=(lost,))
        finished(process, slow, slurm)
    settled(HERE, tmp_path, undisturbed)


@pytest.mark.long
def test_jobs_that_pend_for_ever(tmp_path: Path, slurm: Slurm) -> None:
    """D12, pending for ever: shown with Slurm's reason when patience ends, and Ctrl-C works while waiting."""
    closed = (*TWO_JOBS, "cluster.queue=closed")
    began = time.monotonic()
    done = orchard(*closed, "cluster.patience=10", cwd=tmp_path)
    assert time.monotonic() - began > 10
    assert done.returncode == 5, done.stderr
    assert "no worker for 10 s, the limit of cluster.patience (2 jobs pending: PartitionDown)" in done.stderr
    assert slurm.empty()
    with started(*closed, cwd=tmp_path) as process:
        until(lambda: len(slurm.jobs("PENDING")) == 2, process)
        os.killpg(process.pid, signal.SIGINT)
        status, errors = ended(process)
    assert status == 128 + signal.SIGINT, errors
    assert "Traceback" not in errors
    assert slurm.empty()


@pytest.mark.long
@pytest.mark.parametrize(
    ("override", "status", "message"),
    [
        ("cluster.memory=9TiB", 5, "Memory specification can not be satisfied"),
        ("cluster.interface=ib7", 2, "cluster.interface is 'ib7': expected an interface of this machine, one of "),
        ("cluster.python=/no/such/python", 5, "/no/such/python: No such file or directory"),
    ],
)
def test_impossible_requests_are_reported(
    tmp_path: Path, slurm: Slurm, override: str, status: int, message: str
) -> None:
    """A request that is too large is refused by Slurm; a worker that cannot start says so in its log."""
    done = orchard(*TWO_JOBS, override, cwd=tmp_path)
    assert done.returncode == status, done.stderr
    assert message in done.stderr.splitlines()[-1]
    assert slurm.empty()


@pytest.mark.long
def test_a_folder_of_any_name(tmp_path: Path, slurm: Slurm) -> None:
    """Job scripts contain paths of logs and of credentials."""
    folder = tmp_path / "my out%jput's $HOME"
    folder.mkdir()
    done = orchard(*QUEUED, cwd=folder)
    assert done.returncode == 0, done.stderr
    (log,) = (run_folder(folder / "outputs") / "_run/slurm").glob("*.log")
    assert "Registered to" in log.read_text()
    assert slurm.empty()
