"""The jobs of a run, kept at their number: what Slurm ends, preempts or loses is submitted again."""

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
from pipeline.screen import note
from pipeline.work.dask_log import last_line

__all__ = ["Jobs", "kept"]

LOOK_SECONDS = 5.0  # between looks at the queue; Slurm's controllers do not like to be asked more often
LOST_SECONDS = 60.0  # after which a job whose workers have left, but which goes on, is given up
PAUSE_SECONDS = 60.0  # before jobs that Slurm refuses, or that end at once, are submitted again
FEWEST_FRUITLESS = 3  # jobs in a row that may end before a worker has come


@dataclass
class Jobs:
    """So many jobs of one name in the queue.

    script  : what each job runs; its workers must be named `<number of the job>` or `<number of the job>-<index>`
    workers : gives the names of all workers that are there
    logs    : the folder of `<number of the job>.log`
    """

    wanted: int
    name: str
    script: str
    workers: Callable[[], set[str]]
    logs: Path
    _last_seen: dict[str, float | None] = field(default_factory=dict)  # of our jobs: when a worker of it was there
    _queue: dict[str, QueuedJob] = field(default_factory=dict)  # replaced, never changed: other threads read it
    _fruitless: int = 0  # jobs in a row that ended by themselves before a worker came
    _taken: int = 0  # jobs in a row that Slurm or a person ended before a worker came
    _paused_at: float = -PAUSE_SECONDS
    _complaint: str = ""

    def submit(self) -> str:
        """Submit one more job; its number. Raises SlurmError where Slurm refuses it."""
        number = submit(self.script)
        self._last_seen[number] = None
        return number

    def tend(self) -> None:
        """Look at the queue once, and submit what is missing from it."""
        try:
            known = queued(self.name)
        except SlurmError as error:
            self._complain(str(error))
            return
        self._queue = {number: job for number, job in known.items() if not self._has_ended(number, job)}
        now, there = time.monotonic(), {name.partition("-")[0] for name in self.workers()}
        ended = [number for number in list(self._last_seen) if self._is_over(number, number in there, now)]
        barren = [number for number in ended if self._last_seen.pop(number) is None]
        if len(barren) < len(ended):
            self._fruitless = self._taken = 0
        self._count(barren, known)
        if self._taken >= self._most_fruitless:  # whoever cancels them, or what, is not to be kept busy
            self._taken, self._paused_at = 0, now
        if there and self._fruitless >= self._most_fruitless:  # a node that ends all jobs, beside nodes that work
            self._fruitless, self._paused_at = 0, now
        new = list(self._submitted())
        if ended and new:
            note(f"ended in Slurm: {_listed(ended)}; submitted instead: {_listed(new)}")

    def why_none(self) -> str:
        """What Slurm says of the jobs: `2 jobs pending: Resources`; and what went wrong last, if anything did."""
        kinds = Counter((job.state.lower(), job.reason) for job in self._queue.values())
        states = [
            f"{number} job{'s' * (number > 1)} {state}{f': {reason}' if reason not in {'', 'None'} else ''}"
            for (state, reason), number in sorted(kinds.items())
        ]
        return "; ".join(filter(None, [", ".join(states), self._complaint]))

    def check(self) -> None:
        """Raise WorkersLostError where there is no worker, and job after job ends before one comes."""
        if self._fruitless >= self._most_fruitless and not self.workers():
            msg = f"Slurm has ended {self._fruitless} jobs before any worker came; the last: {self._complaint}"
            raise WorkersLostError(msg)

    @property
    def _most_fruitless(self) -> int:
        return max(FEWEST_FRUITLESS, self.wanted)

    def _submitted(self) -> Iterator[str]:
        """Submit the jobs that are missing, unless jobs were refused or ended at once a moment ago."""
        while (
            len(self._last_seen) < self.wanted
            and self._fruitless < self._most_fruitless
            and time.monotonic() - self._paused_at >= PAUSE_SECONDS
        ):
            try:
                yield self.submit()
            except SlurmError as error:
                self._paused_at = time.monotonic()
                self._complain(str(error))

    def _count(self, barren: list[str], known: dict[str, QueuedJob]) -> None:
        """Count the jobs that ended before a worker came, and say why they did."""
        taken = [number for number in barren if number in known and known[number].was_taken]
        fruitless = [number for number in barren if number not in taken]
        self._taken, self._fruitless = self._taken + len(taken), self._fruitless + len(fruitless)
        if taken:
            self._complain(f"{_listed(taken)} ended before a worker came: {known[taken[-1]].state.lower()} in Slurm")
        if fruitless:
            log = self.logs / f"{fruitless[-1]}.log"
            self._complain(f"{_listed(fruitless)} ended before a worker came: {last_line(log) or 'no output'} ({log})")

    def _has_ended(self, number: str, job: QueuedJob) -> bool:
        """Whether a job has ended; before a worker came, it has not until Slurm says how."""
        return job.has_ended and not (job.state == "COMPLETING" and self._last_seen.get(number, 0.0) is None)

    def _is_over(self, number: str, has_workers: bool, now: float) -> bool:
        """Whether a job has ended, or has gone on without its workers for too long: then it is cancelled."""
        if has_workers:
            self._last_seen[number] = now
            return False
        if number not in self._queue:
            return True
        last_seen = self._last_seen[number]
        requeued = self._queue[number].state == "PENDING"  # then Slurm has the job wait, while another could begin
        if last_seen is None or not (requeued or now - last_seen >= LOST_SECONDS):
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
def kept(jobs: Jobs) -> Iterator[None]:
    """Have the jobs there for the time of the block, tended by a thread; none of their name is left after it."""
    over = Event()

    def tend() -> None:
        while not over.is_set():
            jobs.tend()
            over.wait(LOOK_SECONDS)

    with cancelled_at_the_end(jobs.name):
        jobs.submit()  # here, so that the run ends where Slurm refuses: it would refuse all others, too
        tending = Thread(target=tend, name="slurm jobs", daemon=True)
        tending.start()
        try:
            yield
        finally:
            over.set()
            tending.join()
