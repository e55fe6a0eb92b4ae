"""Job scripts, and how jobs are kept at their number, against a queue that is a few lines of ours."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pipeline.cluster import slurm_jobs
from pipeline.cluster.slurm import SlurmJobs
from pipeline.cluster.slurm_jobs import Jobs
from pipeline.cluster.slurm_queue import WATCHDOG, QueuedJob, SlurmError, queued
from pipeline.configuration.settings import Slurm
from pipeline.errors import ConfigError, WorkersLostError

USUAL: dict[str, Any] = {
    "jobs": 2,
    "processes": 4,
    "memory": "8GiB",
    "walltime": "01:00:00",
    "queue": None,
    "account": None,
    "interface": None,
    "prologue": [],
    "directives": [],
    "python": None,
    "patience": None,
    "dashboard": False,
}


def script(**changed: Any) -> list[str]:
    text = SlurmJobs(Slurm(**USUAL | changed)).job_script()
    assert text is not None
    return text.splitlines()


def test_a_script_has_the_command_in_it() -> None:
    lines = script(
        queue="short",
        account="trees",
        interface="ib0",
        prologue=["module load gcc"],
        directives=["--constraint=avx2"],
        python="/my python/bin/python",
    )
    assert lines[0] == "#!/usr/bin/env bash"
    directives = [line.removeprefix("#SBATCH ") for line in lines if line.startswith("#SBATCH ")]
    for directive in ("-p short", "-A trees", "--cpus-per-task=4", "--mem=8G", "-t 01:00:00", "--no-requeue"):
        assert directive in directives
    assert directives[-1] == "--constraint=avx2"
    assert lines.index("export OMP_NUM_THREADS=1") < lines.index("module load gcc")
    assert "export PYTHONSAFEPATH=1" in lines
    (command,) = [line for line in lines if "dask_worker" in line]
    assert command.startswith("'/my python/bin/python' -m distributed.cli.dask_worker tls://")
    for option in ("--nthreads 1", "--nworkers 4", "--memory-limit 2.00GiB", "--interface ib0", "--protocol tls://"):
        assert f" {option} " in f"{command} "
    assert " --tls-key " in command
    assert " --name $SLURM_JOB_ID " in command  # so that no worker has the name of another


@pytest.mark.parametrize(
    ("memory", "of_job", "of_worker"),
    [("4G", "4G", "1.00GiB"), ("4GiB", "4G", "1.00GiB"), ("2GB", "2G", "476.84MiB"), ("1200M", "2G", "300.00MiB")],
)
def test_memory_means_what_it_means_to_slurm(memory: str, of_job: str, of_worker: str) -> None:
    lines = script(memory=memory)
    assert f"#SBATCH --mem={of_job}" in lines
    assert f" --memory-limit {of_worker} " in lines[-1]


@pytest.mark.parametrize(
    ("walltime", "lifetime", "stagger"),
    [
        ("00:01:00", 40, 5),
        ("00:30:00", 1620, 45),
        ("01:00:00", 3300, 75),
        ("2-00:00:00", 172_500, 75),
        ("100:00:00", 359_700, 75),
    ],
)
def test_workers_retire_a_margin_before_the_walltime_is_over(walltime: str, lifetime: int, stagger: int) -> None:
    (command,) = [line for line in script(walltime=walltime) if "dask_worker" in line]
    assert f"--lifetime $(({lifetime} - SECONDS))s --lifetime-stagger {stagger}s" in command


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("jobs", 0),
        ("processes", -1),
        ("patience", 0.0),
        *(("queue", value) for value in ("a b", "a;b", "$(id)", "a\nb", "-x", "", "a'b", "a\0b", "a#b")),
        ("account", "me\n#SBATCH --uid=0"),
        ("interface", "eth0 --preload=x"),
        *(
            ("memory", value)
            for value in ("4", "lots", "4 parsecs", "-1GiB", "0GiB", "4GiB\n", "1e3GiB", "1K", "200MiB")
        ),
        *(("walltime", value) for value in ("3600", "1:2:3", "00:60:00", "00:00:30", "1-00:00:00\n", "tomorrow")),
        *(("directives", [value]) for value in ("rm -rf /", "--x\n--y", "", "--job-name=x", "-Jx", "-a 1-3", "-t 1")),
        ("prologue", ["a\nb"]),
        ("prologue", [" "]),
        ("python", "py\nthon"),
    ],
)
def test_values_that_a_script_cannot_contain_are_refused_by_their_key(key: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=rf"^cluster\.{key} "):
        script(**{key: value})


def test_no_signal_is_handled_otherwise_than_before() -> None:
    """Dask-jobqueue's import makes Ctrl-C an exit with status 0."""
    before = signal.getsignal(signal.SIGINT)
    script()
    assert signal.getsignal(signal.SIGINT) is before


class FakeQueue:
    """Slurm, as far as jobs are concerned; each that is submitted runs, and its worker is there."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.jobs: dict[str, QueuedJob] = {}
        self.workers: set[str] = set()
        self.submitted: list[str] = []
        self.cancelled: list[str] = []
        self.state, self.reason, self.comes, self.refusal = "RUNNING", "None", True, ""
        self.seconds = 1000.0
        monkeypatch.setattr(slurm_jobs, "submit", self.submit)
        monkeypatch.setattr(slurm_jobs, "queued", lambda name: dict(self.jobs))
        monkeypatch.setattr(slurm_jobs, "cancel", self.cancelled.append)
        monkeypatch.setattr(slurm_jobs.time, "monotonic", lambda: self.seconds)

    def submit(self, script: str) -> str:
        if self.refusal:
            raise SlurmError(self.refusal)
        self.submitted.append(script)
        number = str(len(self.submitted))
        self.jobs[number] = QueuedJob(self.state, self.reason)
        if self.comes:
            self.workers.add(number)
        return number

    def end(self, number: str) -> None:
        del self.jobs[number]
        self.workers.discard(number)


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> FakeQueue:
    return FakeQueue(monkeypatch)


def jobs(queue: FakeQueue, wanted: int, folder: Path = Path("/nowhere")) -> Jobs:
    return Jobs(wanted, "orchard-x", "script", lambda: queue.workers, folder)


def test_an_ended_job_is_submitted_again(queue: FakeQueue, capsys: pytest.CaptureFixture[str]) -> None:
    kept = jobs(queue, 3)
    kept.submit()
    kept.update()
    assert list(queue.jobs) == ["1", "2", "3"]
    kept.update()
    queue.end("2")
    kept.update()
    assert list(queue.jobs) == ["1", "3", "4"]
    assert queue.submitted == ["script"] * 4
    expected = "job 2 ended, or ran without a worker; submitted instead: job 4\n"
    assert capsys.readouterr().err == expected
    assert queue.cancelled == []


def test_a_job_without_its_workers_is_given_up(queue: FakeQueue) -> None:
    kept = jobs(queue, 1)
    kept.update()
    kept.update()
    queue.workers = {"10", "2-1"}  # others', whose names begin with the same letters
    queue.seconds += 59
    kept.update()
    assert list(queue.jobs) == ["1"]
    queue.seconds += 2
    kept.update()
    assert queue.cancelled == ["1"]
    assert len(queue.submitted) == 2


def test_a_requeued_job_is_given_up_at_once(queue: FakeQueue) -> None:
    kept = jobs(queue, 1)
    kept.update()
    kept.update()
    queue.workers.clear()
    queue.jobs["1"] = QueuedJob("PENDING", "BeginTime")
    kept.update()
    assert queue.cancelled == ["1"]
    assert len(queue.submitted) == 2


def test_a_node_that_ends_all_jobs_is_not_fed_for_ever(queue: FakeQueue) -> None:
    kept = jobs(queue, 2)
    kept.update()
    queue.comes = False
    queue.end("2")
    for _ in range(60):  # five minutes
        kept.update()
        for number in set(queue.jobs) - {"1"}:
            queue.end(number)
        queue.seconds += 5
    kept.check()
    assert 10 <= len(queue.submitted) <= 25
    queue.comes = True
    queue.seconds += 60
    kept.update()
    assert len(queue.jobs) == 2


def test_one_of_several_workers_is_enough_for_a_job_to_stay(queue: FakeQueue) -> None:
    kept = jobs(queue, 1)
    kept.update()
    queue.workers = {"1-1"}
    for _ in range(5):
        queue.seconds += 60
        kept.update()
    assert (len(queue.submitted), queue.cancelled) == (1, [])


def test_a_job_that_pends_is_waited_for_and_shown(queue: FakeQueue) -> None:
    queue.state, queue.reason, queue.comes = "PENDING", "Resources", False
    kept = jobs(queue, 2)
    for _ in range(3):
        kept.update()
        queue.seconds += 10_000
    kept.check()
    assert len(queue.submitted) == 2
    assert kept.why_none() == "2 jobs pending: Resources"
    queue.jobs["1"] = QueuedJob("RUNNING", "None")
    kept.update()
    assert kept.why_none() == "1 job pending: Resources, 1 job running"


def test_jobs_that_end_before_a_worker_comes_end_the_run(
    queue: FakeQueue, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    queue.comes = False
    kept = jobs(queue, 1, tmp_path)
    for number in ("1", "2", "3"):
        kept.update()
        kept.check()
        (tmp_path / f"{number}.log").write_text(f"python: not found on {number}\n\n")
        queue.end(number)
    kept.update()
    with pytest.raises(WorkersLostError, match=r"3 jobs in a row ended before .*: python: not found on 3 \(/"):
        kept.check()
    kept.update()
    assert len(queue.submitted) == 3
    assert (
        f"job 1 ended before a worker connected: python: not found on 1 ({tmp_path / '1.log'})"
        in capsys.readouterr().err
    )


def test_jobs_that_are_cancelled_before_a_worker_came_are_replaced_all_the_same(
    queue: FakeQueue, capsys: pytest.CaptureFixture[str]
) -> None:
    queue.comes = False
    kept = jobs(queue, 2)
    for _ in range(60):  # five minutes
        kept.update()
        kept.check()
        for number in set(queue.jobs):
            state = "COMPLETING" if queue.jobs[number].state == "RUNNING" else "CANCELLED"
            queue.jobs[number] = QueuedJob(state, "None")
        queue.seconds += 5
    assert 10 <= len(queue.submitted) <= 20  # a minute's rest after every few
    assert "jobs 1, 2 ended before a worker connected; Slurm says: cancelled\n" in capsys.readouterr().err


def test_a_refusal_is_reported_once_and_tried_again_later(queue: FakeQueue, capsys: pytest.CaptureFixture[str]) -> None:
    kept = jobs(queue, 2)
    kept.submit()
    queue.refusal = "sbatch: QOSMaxSubmitJobPerUserLimit"
    for _ in range(10):
        kept.update()
        queue.seconds += 30
    assert capsys.readouterr().err == "sbatch: QOSMaxSubmitJobPerUserLimit\n"
    queue.refusal = ""
    queue.seconds += 60
    kept.update()
    assert list(queue.jobs) == ["1", "2"]


def test_a_controller_that_does_not_answer_loses_no_job(queue: FakeQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = jobs(queue, 1)
    kept.update()

    def silent(name: str) -> dict[str, QueuedJob]:
        raise SlurmError("squeue: Unable to contact slurm controller")

    monkeypatch.setattr(slurm_jobs, "queued", silent)
    queue.workers.clear()
    queue.seconds += 1000
    kept.update()
    assert (len(queue.submitted), queue.cancelled) == (1, [])
    assert "Unable to contact" in kept.why_none()


def test_without_slurm_there_is_a_line_that_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    kept = Jobs(1, "orchard-x", "script", set, tmp_path)
    with pytest.raises(SlurmError, match="the command sbatch is missing"):
        kept.submit()


def squeue(monkeypatch: pytest.MonkeyPatch, folder: Path, *lines: str) -> None:
    """Have `squeue` print these lines."""
    program = folder / "squeue"
    program.write_text(f"#!/bin/sh\ncat <<'END'\n{chr(10).join(lines)}\nEND\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_a_warning_beside_the_jobs_is_skipped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    squeue(monkeypatch, tmp_path, "site: | maintenance | on Friday", "7|RUNNING|None", "", "8|PENDING|a|b", "bye")
    assert queued("orchard-x") == {"7": QueuedJob("RUNNING", "None"), "8": QueuedJob("PENDING", "a|b")}


def test_an_answer_without_a_job_is_an_error_and_loses_no_job(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The queue is then unknown, not empty."""
    squeue(monkeypatch, tmp_path, "", "site: maintenance on Friday")
    kept = Jobs(0, "orchard-x", "script", set, tmp_path)
    kept.update()
    expected = "squeue: expected lines <number>|<state>|<reason>, found 'site: maintenance on Friday'"
    assert capsys.readouterr().err == f"{expected}\n"
    assert kept.why_none() == expected
    squeue(monkeypatch, tmp_path, "")
    assert queued("orchard-x") == {}


def test_the_last_driver_to_die_has_its_jobs_cancelled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What watches over a driver outlives it, whatever kills it, and cancels by the name of its jobs."""
    log = tmp_path / "told"
    for program, line in (("scancel", f'echo "$@" >> {log}'), ("sleep", "true")):
        (tmp_path / program).write_text(f"#!/bin/sh\n{line}\n")
        (tmp_path / program).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    watch = ["/bin/sh", "-c", WATCHDOG, "sh", "orchard-x"]
    with subprocess.Popen(watch, stdin=subprocess.PIPE) as dog:
        dog.communicate(b"\n")
    assert not log.exists()
    with subprocess.Popen(watch, stdin=subprocess.PIPE) as dog:
        dog.communicate(b"")
    assert set(log.read_text().splitlines()) == {"--name=orchard-x"}
