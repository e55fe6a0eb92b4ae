"""The jobs of a run, kept at their number: what Slurm ends, preempts or loses is submitted again."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from pipeline.cluster.dask_log import last_line
from pipeline.cluster.slurm_queue import QueuedJob, SlurmError, cancel, cancelled_at_the_end, queued, submit
from pipeline.cluster.tending import tended
from pipeline.errors import WorkersLostError
from pipeline.screen import note

__all__ = ["Jobs", "kept"]

LOOK_SECONDS = 5.0  # between looks at the queue; Slurm's controllers do not like to be asked more often
LOST_SECONDS = 60.0  # after which a job whose workers have left, but which goes on, is given up
REFUSED_SECONDS = 60.0  # before jobs that Slurm refuses, or that end at once, are submitted again
FEWEST_FRUITLESS = 3  # jobs in a row that may end before a worker has come


@dataclass
class _Job:
    """A job that was submitted, and when a worker of it was last there."""

    worker: str
    last_seen: float | None = None


class Jobs:
    """So many jobs of a name in the queue.

    `script` gives what to submit, from the name of the job's worker; `workers` the names of all workers there are: that
    name or, where a job has several, such as begin with it and a hyphen; `log` the file of a job, from its number.
    """

    def __init__(
        self,
        wanted: int,
        name: str,
        script: Callable[[str], str],
        workers: Callable[[], set[str]],
        log: Callable[[str], Path],
    ) -> None:
        self._wanted, self._name, self._script, self._workers, self._log = wanted, name, script, workers, log
        self._jobs: dict[str, _Job] = {}
        self._queue: dict[str, QueuedJob] = {}
        self._submitted = self._fruitless = self._taken = 0
        self._complaint = ""
        self._refused_at = -REFUSED_SECONDS
        self._lock = Lock()

    def submit_first(self) -> None:
        """Submit one job. Raises SlurmError where Slurm will not have it: then it would have no other either."""
        self._submit()

    def tend(self) -> None:
        """Look at the queue once, and submit what is missing from it."""
        try:
            known = queued(self._name)
        except SlurmError as error:
            self._complain(str(error))
            return
        with self._lock:
            self._queue = {number: job for number, job in known.items() if not self._has_ended(number, job)}
        now, there = time.monotonic(), {name.partition("-")[0] for name in self._workers()}
        ended = [number for number, job in self._jobs.items() if self._is_over(number, job, job.worker in there, now)]
        barren = [number for number in ended if self._jobs.pop(number).last_seen is None]
        taken = [number for number in barren if number in known and known[number].was_taken]
        fruitless = [number for number in barren if number not in taken]
        if taken:
            self._complain(f"{_listed(taken)} ended before a worker came: {known[taken[-1]].state.lower()} in Slurm")
        if fruitless:
            log = self._log(fruitless[-1])
            said = last_line(log) or "no word of it"
            self._complain(f"{_listed(fruitless)} ended before a worker came: {said} ({log})")
        if len(barren) < len(ended):
            self._fruitless = self._taken = 0
        self._fruitless, self._taken = self._fruitless + len(fruitless), self._taken + len(taken)
        if self._taken >= self._most_fruitless:  # whoever cancels them, or what, is not to be kept busy
            self._taken, self._refused_at = 0, now
        if there and self._fruitless >= self._most_fruitless:  # a node that ends all jobs, beside nodes that work
            self._fruitless, self._refused_at = 0, now
        new = []
        while len(self._jobs) < self._wanted and self._may_submit():
            try:
                new.append(self._submit())
            except SlurmError as error:
                self._refused_at = time.monotonic()
                self._complain(str(error))
        if ended and new:
            note(f"ended in Slurm: {_listed(ended)}; submitted instead: {_listed(new)}")

    def why_none(self) -> str:
        """What Slurm says of the jobs: `2 jobs pending: Resources`; and what went wrong last, if anything did."""
        with self._lock:
            kinds = Counter((job.state.lower(), job.reason) for job in self._queue.values())
        told = [
            f"{number} job{'s' * (number > 1)} {state}{f': {reason}' if reason not in {'', 'None'} else ''}"
            for (state, reason), number in sorted(kinds.items())
        ]
        return "; ".join(filter(None, [", ".join(told), self._complaint]))

    def check(self) -> None:
        """Raise WorkersLostError where there is no worker, and job after job ends before one comes."""
        if self._fruitless >= self._most_fruitless and not self._workers():
            msg = f"Slurm has ended {self._fruitless} jobs before any worker came; the last: {self._complaint}"
            raise WorkersLostError(msg)

    @property
    def _most_fruitless(self) -> int:
        return max(FEWEST_FRUITLESS, self._wanted)

    def _may_submit(self) -> bool:
        refused = time.monotonic() - self._refused_at < REFUSED_SECONDS
        return not refused and self._fruitless < self._most_fruitless

    def _submit(self) -> str:
        worker = f"job{self._submitted}"
        number = submit(self._script(worker))
        self._submitted += 1
        self._jobs[number] = _Job(worker)
        return number

    def _has_ended(self, number: str, job: QueuedJob) -> bool:
        """Whether a job has; before a worker came it is waited for what Slurm will say of its end."""
        ours = self._jobs.get(number)
        unknown = ours is not None and ours.last_seen is None and job.state == "COMPLETING"
        return job.has_ended and not unknown

    def _is_over(self, number: str, job: _Job, has_workers: bool, now: float) -> bool:
        """Whether a job has ended, or has gone on without its workers for too long: then it is cancelled."""
        if has_workers:
            job.last_seen = now
            return False
        if number not in self._queue:
            return True
        requeued = job.last_seen is not None and self._queue[number].state == "PENDING"  # Slurm lets it wait
        if not requeued and (job.last_seen is None or now - job.last_seen < LOST_SECONDS):
            return False
        with suppress(SlurmError):
            cancel(number)
        return True

    def _complain(self, complaint: str) -> None:
        """Say what went wrong, unless it is what was said last."""
        if complaint != self._complaint:
            note(complaint)
        self._complaint = complaint


def _listed(numbers: list[str]) -> str:
    return f"job{'s' * (len(numbers) > 1)} {', '.join(numbers)}"


@contextmanager
def kept(jobs: Jobs, name: str) -> Iterator[None]:
    """Have the jobs there for the time of the block, tended from a thread; none of that name is left after it."""
    with cancelled_at_the_end(name):
        jobs.submit_first()
        with tended("slurm jobs", jobs.tend, LOOK_SECONDS):
            yield
