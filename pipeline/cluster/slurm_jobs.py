"""Keep the number of a run's Slurm jobs constant: submit again what Slurm ends, preempts or loses."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread

from pipeline.cluster.slurm_queue import QueuedJob, SlurmError, cancel, cancelled_at_the_end, queued, submit
from pipeline.errors import WorkersLostError
from pipeline.plain_text import note
from pipeline.words import counted
from pipeline.work.dask_log import last_line

LOOK_SECONDS = 5.0  # between calls of squeue, which load Slurm's controller
LOST_SECONDS = 60.0  # after which a running job without workers is cancelled
PAUSE_SECONDS = 60.0  # before jobs that Slurm refuses, or that end at once, are submitted again
LEAST_TOLERATED = 3  # jobs in a row that may end before a worker has come, even if fewer are wanted


@dataclass
class Jobs:
    """A constant number of jobs with one name.

    script  : the batch script of each job; its workers are named `<number of the job>` or `<number of the job>-<index>`
    workers : returns the names of all connected workers
    logs    : the folder of `<number of the job>.log`
    """

    wanted: int
    name: str
    script: str
    workers: Callable[[], set[str]]
    logs: Path
    _last_seen: dict[str, float | None] = field(default_factory=dict)  # by job: when it last had a worker
    _queue: dict[str, QueuedJob] = field(default_factory=dict)  # replaced, never changed: other threads read it
    _failed: int = 0  # jobs in a row that ended by themselves before a worker came
    _interrupted: int = 0  # jobs in a row that Slurm or a person ended before a worker came
    _paused_at: float = -PAUSE_SECONDS
    _complaint: str = ""

    def submit(self) -> str:
        """Submit one more job and return its number. Raises SlurmError if Slurm refuses it."""
        number = submit(self.script)
        self._last_seen[number] = None
        return number

    def update(self) -> None:
        """Read the queue once and submit missing jobs."""
        try:
            jobs = queued(self.name)
        except SlurmError as error:
            self._complain(str(error))
            return
        self._queue = {number: job for number, job in jobs.items() if not self._has_ended(number, job)}
        now, with_workers = time.monotonic(), {name.partition("-")[0] for name in self.workers()}
        ended = [number for number in list(self._last_seen) if self._is_over(number, number in with_workers, now)]
        never_used = [number for number in ended if self._last_seen.pop(number) is None]
        if len(never_used) < len(ended):
            self._failed = self._interrupted = 0
        self._count(never_used, jobs)
        if self._interrupted >= self._tolerated:  # pause for whoever cancels them
            self._interrupted, self._paused_at = 0, now
        if with_workers and self._failed >= self._tolerated:  # one bad node among good ones
            self._failed, self._paused_at = 0, now
        new = list(self._submitted())
        if ended and new:
            note(f"{_listed(ended)} ended, or ran without a worker; submitted instead: {_listed(new)}")

    def why_none(self) -> str:
        """States of the jobs, such as `2 jobs pending: Resources`, and the last error, if any."""
        kinds = Counter((job.state.lower(), job.reason) for job in self._queue.values())
        states = [
            f"{number} job{'s' * (number > 1)} {state}{f': {reason}' if reason not in {'', 'None'} else ''}"
            for (state, reason), number in sorted(kinds.items())
        ]
        return "; ".join(filter(None, [", ".join(states), self._complaint]))

    def check(self) -> None:
        """Raise WorkersLostError if there is no worker and successive jobs end before one connects."""
        if self._failed >= self._tolerated and not self.workers():
            raise WorkersLostError(
                f"{counted(self._failed, 'job')} in a row ended before a worker connected; the last error: "
                f"{self._complaint}"
            )

    @property
    def _tolerated(self) -> int:
        return max(LEAST_TOLERATED, self.wanted)

    def _submitted(self) -> Iterator[str]:
        """Submit missing jobs, except in the pause after jobs that were refused or ended at once."""
        while (
            len(self._last_seen) < self.wanted
            and self._failed < self._tolerated
            and time.monotonic() - self._paused_at >= PAUSE_SECONDS
        ):
            try:
                yield self.submit()
            except SlurmError as error:
                self._paused_at = time.monotonic()
                self._complain(str(error))

    def _count(self, never_used: list[str], jobs: dict[str, QueuedJob]) -> None:
        """Count jobs that ended before a worker connected, and report why."""
        interrupted = [number for number in never_used if number in jobs and jobs[number].was_interrupted]
        failed = [number for number in never_used if number not in interrupted]
        self._interrupted, self._failed = self._interrupted + len(interrupted), self._failed + len(failed)
        if interrupted:
            state = jobs[interrupted[-1]].state.lower()
            self._complain(f"{_listed(interrupted)} ended before a worker connected; Slurm says: {state}")
        if failed:
            log = self.logs / f"{failed[-1]}.log"
            self._complain(
                f"{_listed(failed)} ended before a worker connected: {last_line(log) or 'no output'} ({log})"
            )

    def _has_ended(self, number: str, job: QueuedJob) -> bool:
        """Whether a job has ended; without a worker so far, only once Slurm reports how."""
        return job.has_ended and not (job.state == "COMPLETING" and self._last_seen.get(number, 0.0) is None)

    def _is_over(self, number: str, has_workers: bool, now: float) -> bool:
        """Whether a job has ended; a job that runs without workers for too long is cancelled."""
        if has_workers:
            self._last_seen[number] = now
            return False
        if number not in self._queue:
            return True
        last_seen = self._last_seen[number]
        requeued = self._queue[number].state == "PENDING"  # Slurm delays it, and a new job would begin sooner
        if last_seen is None or not (requeued or now - last_seen >= LOST_SECONDS):
            return False
        with suppress(SlurmError):
            cancel(number)
        return True

    def _complain(self, complaint: str) -> None:
        """Report an error, unless it equals the last one."""
        if complaint != self._complaint:
            note(complaint)
        self._complaint = complaint


def _listed(numbers: list[str]) -> str:
    return f"job{'s' * (len(numbers) > 1)} {', '.join(numbers)}"


@contextmanager
def kept_running(jobs: Jobs) -> Iterator[None]:
    """Keep the jobs running during the block, in a thread; cancel all of them after it."""
    stop = Event()

    def update() -> None:
        while not stop.is_set():
            jobs.update()
            stop.wait(LOOK_SECONDS)

    with cancelled_at_the_end(jobs.name):
        jobs.submit()  # here, so that the run ends if Slurm refuses the first job
        updating = Thread(target=update, name="slurm jobs", daemon=True)
        updating.start()
        try:
            yield
        finally:
            stop.set()
            updating.join()
