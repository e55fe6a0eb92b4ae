"""D12: whatever becomes of jobs in a Slurm queue, the run ends with the rows of one that nothing disturbed."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.drills.oracle import settled
from tests.drills.slurm_daemons import Job, Slurm, slurm_daemons
from tests.pipeline.command_line import alive, descendants, ended, kill, orchard, parts, run_folder, started, until

TABLES = ("+grid=greedy_vs_dp", "tables.groups=1", "tables.rows=60", "tables.attributes=20", "chunk=25")
WORK = (*TABLES, "tables.count=4000")  # some ten seconds of two workers
HERE = (*WORK, "cluster.workers=2")
QUEUED = ("cluster=slurm", "cluster.interface=lo", "cluster.memory=1GiB")
SUBMITTED = (*WORK, *QUEUED, "cluster.jobs=2")
GONE_SECONDS = 60


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Slurm]:
    """Daemons of this file's own."""
    with slurm_daemons(tmp_path_factory.mktemp("slurm")) as daemons:
        yield daemons


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output folder of a run that nothing disturbed, on processes of this machine."""
    folder = tmp_path_factory.mktemp("undisturbed")
    done = orchard(*HERE, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "outputs"


def busy(slurm: Slurm, cwd: Path, process: subprocess.Popen[str], jobs: int = 2, more: int = 5) -> list[Job]:
    """Wait until so many jobs run and their workers are at work; the jobs."""
    output = cwd / "outputs"
    until(lambda: len(slurm.jobs("RUNNING")) == jobs, process)
    running = slurm.jobs("RUNNING")
    until(lambda: all(at_work(output, job) for job in running), process)
    before = len(parts(output))
    until(lambda: len(parts(output)) >= before + more, process)
    return running


def at_work(output: Path, job: Job) -> bool:
    """Whether the scheduler has taken a job's worker."""
    log = run_folder(output) / "_run/slurm" / f"{job.number}.log"
    return log.exists() and "Registered to" in log.read_text()


def replaced(slurm: Slurm, cwd: Path, process: subprocess.Popen[str], lost: list[Job]) -> None:
    """Wait until as many jobs run as before, none of them of the lost, and their workers are at work."""
    gone = {job.number for job in lost}
    until(lambda: len([job for job in slurm.jobs("RUNNING") if job.number not in gone]) == 2, process)
    now = slurm.jobs("RUNNING")
    until(lambda: all(at_work(cwd / "outputs", job) for job in now), process)


def test_a_cancelled_job_is_replaced(tmp_path: Path, slurm: Slurm, undisturbed: Path) -> None:
    """D12, `scancel`."""
    with started(*SUBMITTED, cwd=tmp_path) as process:
        lost = busy(slurm, tmp_path, process)[0]
        slurm.call("scancel", lost.number)
        replaced(slurm, tmp_path, process, [lost])
        status, errors = ended(process)
    assert status == 0, errors
    assert f"Slurm job {lost.number} has ended: submitted job " in errors
    assert slurm.empty()
    assert not (run_folder(tmp_path / "outputs") / "_run/slurm/tls").exists()
    settled(HERE, tmp_path, undisturbed)


def test_a_killed_driver_leaves_no_job_behind(tmp_path: Path, slurm: Slurm, undisturbed: Path) -> None:
    """D12, `kill -9` of the driver, with jobs that run and jobs that wait."""
    with started(*WORK, *QUEUED, "cluster.jobs=6", cwd=tmp_path) as process:
        busy(slurm, tmp_path, process, jobs=4)
        assert len(slurm.jobs("PENDING")) == 2
        below = descendants(process.pid)
        kill(process.pid)
        process.wait()
    until(slurm.empty, seconds=GONE_SECONDS)
    until(lambda: not any(map(alive, below)), seconds=30)
    settled(HERE, tmp_path, undisturbed)


@pytest.mark.long
def test_a_requeued_job_is_replaced(tmp_path: Path, slurm: Slurm, undisturbed: Path) -> None:
    """D12, `scontrol requeue`: Slurm would let the job wait for two minutes."""
    with started(*SUBMITTED, "cluster.directives=[--requeue]", cwd=tmp_path) as process:
        lost = busy(slurm, tmp_path, process)[0]
        slurm.call("scontrol", "requeue", lost.number)
        replaced(slurm, tmp_path, process, [lost])
        status, errors = ended(process)
    assert status == 0, errors
    assert slurm.empty()
    settled(HERE, tmp_path, undisturbed)


def test_slurm_is_asked_not_to_requeue_what_is_replaced(tmp_path: Path, slurm: Slurm) -> None:
    """D12, `scontrol requeue` as jobs are submitted by default: refused, and nothing is lost."""
    with started(*SUBMITTED, cwd=tmp_path) as process:
        until(lambda: bool(slurm.jobs()), process)
        job = slurm.jobs()[0]
        refused = subprocess.run(["scontrol", "requeue", job.number], capture_output=True, text=True, check=False)
        assert refused.returncode != 0
        assert "disabled" in refused.stderr
        os.kill(process.pid, signal.SIGINT)
        status, errors = ended(process)
    assert status == 128 + signal.SIGINT, errors
    assert slurm.empty()


@pytest.mark.long
def test_preempted_jobs_are_replaced(tmp_path: Path, slurm: Slurm, undisturbed: Path) -> None:
    """D12, preemption by a partition of higher priority."""
    with started(*SUBMITTED, "cluster.processes=2", cwd=tmp_path) as process:
        lost = busy(slurm, tmp_path, process)
        urgent = "#!/bin/sh\n#SBATCH --partition=urgent --cpus-per-task=4 --mem=1G --output=/dev/null\nsleep 5\n"
        slurm.call("sbatch", script=urgent)
        replaced(slurm, tmp_path, process, lost)
        status, errors = ended(process)
    assert status == 0, errors
    assert slurm.empty()
    settled(HERE, tmp_path, undisturbed)


@pytest.mark.long
def test_workers_retire_before_the_walltime_is_over(tmp_path: Path, slurm: Slurm) -> None:
    """D12, walltime < total work: workers go by themselves, others come, and Slurm ends no job for its time."""
    more = (*TABLES, "tables.count=20000")
    with started(*more, *QUEUED, "cluster.jobs=2", "cluster.walltime=00:01:00", cwd=tmp_path) as process:
        first = busy(slurm, tmp_path, process)
        until(lambda: not {job.number for job in first} & {job.number for job in slurm.jobs()}, process, seconds=120)
        replaced(slurm, tmp_path, process, first)
        logs = [(run_folder(tmp_path / "outputs") / "_run/slurm" / f"{job.number}.log").read_text() for job in first]
        os.kill(process.pid, signal.SIGTERM)
        status, errors = ended(process)
    assert status == 128 + signal.SIGTERM, errors
    for log in logs:
        assert "worker-lifetime-reached" in log
        assert "DUE TO TIME LIMIT" not in log
    before = len(parts(tmp_path / "outputs"))
    assert before > 10
    until(slurm.empty, seconds=GONE_SECONDS)


@pytest.mark.long
def test_a_killed_worker_process_is_started_again(tmp_path: Path, slurm: Slurm, undisturbed: Path) -> None:
    """D12, `kill -9` of a worker: its nanny starts another, and the job stays."""
    with started(*SUBMITTED, cwd=tmp_path) as process:
        jobs = busy(slurm, tmp_path, process)
        log = run_folder(tmp_path / "outputs") / "_run/slurm" / f"{jobs[0].number}.log"
        kill(worker_of(slurm, jobs[0]))
        until(lambda: log.read_text().count("Registered to") == 2, process)
        assert slurm.jobs("RUNNING") == jobs
        status, errors = ended(process)
    assert status == 0, errors
    settled(HERE, tmp_path, undisturbed)


@pytest.mark.long
def test_a_job_whose_workers_are_gone_is_replaced(tmp_path: Path, slurm: Slurm, undisturbed: Path) -> None:
    """D12, a job that goes on without its workers, as on a node that has lost its network: given up, and replaced."""
    with started(*SUBMITTED, "cluster.prologue=[trap 'sleep 600' EXIT]", cwd=tmp_path) as process:
        lost = busy(slurm, tmp_path, process)[0]
        nanny = parent(worker_of(slurm, lost))
        worker = worker_of(slurm, lost)
        kill(nanny)
        kill(worker)
        replaced(slurm, tmp_path, process, [lost])
        status, errors = ended(process)
    assert status == 0, errors
    settled(HERE, tmp_path, undisturbed)


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        (("cluster.queue=closed",), "2 jobs pending: PartitionDown"),
        (("cluster.directives=[--begin=now+3hours]",), "2 jobs pending: BeginTime"),
    ],
)
@pytest.mark.long
def test_jobs_that_pend_for_ever(tmp_path: Path, slurm: Slurm, overrides: tuple[str, ...], said: str) -> None:
    """D12, pending for ever: shown with Slurm's reason until patience ends, and Ctrl-C works while waiting."""
    with started(*SUBMITTED, *overrides, "cluster.patience=12", cwd=tmp_path) as process:
        began = time.monotonic()
        status, errors = ended(process)
        assert time.monotonic() - began > 12
    assert status == 5, errors
    assert f"no worker for 12 seconds ({said})" in errors
    assert slurm.empty()
    with started(*SUBMITTED, *overrides, cwd=tmp_path) as process:
        until(lambda: len(slurm.jobs("PENDING")) == 2, process)
        os.killpg(process.pid, signal.SIGINT)
        status, errors = ended(process)
    assert status == 128 + signal.SIGINT, errors
    assert "Traceback" not in errors
    assert slurm.empty()


@pytest.mark.parametrize(
    ("overrides", "status", "said"),
    [
        (("cluster.queue=nowhere",), 5, "sbatch: invalid partition specified: nowhere"),
        (("cluster.memory=9TiB",), 5, "Memory specification can not be satisfied"),
        (("cluster.interface=ib7",), 2, "cluster.interface is 'ib7': this machine has "),
        (("cluster.python=/no/such/python",), 5, "/no/such/python: No such file or directory"),
    ],
)
def test_what_cannot_be_is_told(
    tmp_path: Path, slurm: Slurm, overrides: tuple[str, ...], status: int, said: str
) -> None:
    """A job that Slurm refuses, or whose worker cannot start, ends the run with what Slurm or the job says."""
    done = orchard(*SUBMITTED, *overrides, cwd=tmp_path)
    assert done.returncode == status, done.stderr
    assert said in done.stderr.splitlines()[-1]
    assert slurm.empty()


def test_a_folder_with_a_blank_in_its_name(tmp_path: Path, slurm: Slurm) -> None:
    """Paths stand in job scripts: of logs, of credentials, of the interpreter."""
    place = tmp_path / "my out%put's"
    place.mkdir()
    done = orchard("+grid=greedy_vs_dp", "tables.groups=1", "tables.count=50", *QUEUED, cwd=place)
    assert done.returncode == 0, done.stderr
    (log,) = (run_folder(place / "outputs") / "_run/slurm").glob("*.log")
    assert "Registered to" in log.read_text()
    assert slurm.empty()


def worker_of(slurm: Slurm, job: Job) -> int:
    """The process of a job's worker: the youngest below what Slurm calls the job's steps."""
    pids = [int(line.split()[0]) for line in slurm.call("scontrol", "listpids", job.number).splitlines()[1:]]
    spawned = [pid for pid in pids if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text()]
    assert len(spawned) == 1
    return spawned[0]


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
