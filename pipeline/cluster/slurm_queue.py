"""Submit, list and cancel Slurm jobs; cancel them even if the driver is killed."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pipeline.errors import WorkersLostError
from pipeline.plain_text import note
from pipeline.storage.scratch import remote_environment

FIELDS = 3  # of a job in the answer of squeue
PATIENCE_SECONDS = 120  # with a controller that is busy or restarts
ENDED = {"COMPLETING", "COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "PREEMPTED", "NODE_FAIL", "OUT_OF_MEMORY"}
INTERRUPTED = {"CANCELLED", "PREEMPTED", "NODE_FAIL"}
"""States of jobs that did not fail themselves; the next job may succeed."""

WATCHDOG = 'read -r _ || for pause in 0 2 8; do sleep "$pause"; scancel --name="$1"; done'
"""Cancels the jobs of a name once its standard input ends without a line, which means that the driver is dead.

It tries again later, because the driver may have submitted a job just before.
"""


class SlurmError(WorkersLostError):
    """Slurm refused a request or did not answer."""


@dataclass(frozen=True)
class QueuedJob:
    """State of a job, such as PENDING, and Slurm's reason for it."""

    state: str
    reason: str

    @property
    def has_ended(self) -> bool:
        """Whether the job neither waits nor runs."""
        return self.state in ENDED

    @property
    def was_interrupted(self) -> bool:
        """Whether Slurm or a person ended the job, rather than its own program."""
        return self.state in INTERRUPTED


def submit(script: str) -> str:
    """Submit a job and return its number. Raises SlurmError with Slurm's message."""
    return _run("sbatch", "--parsable", script=script).partition(";")[0].strip()


def queued(name: str) -> dict[str, QueuedJob]:
    """Jobs with this name that wait, run or ended recently, by their numbers.

    A line of another form, such as a warning that a site's wrapper prints, is skipped if there are jobs. Raises
    SlurmError with such a line if there are none, since it could hide them, or with Slurm's message.
    """
    lines = _run("squeue", "--noheader", "--states=all", f"--name={name}", "--format=%i|%T|%r").splitlines()
    fields = [line.split("|", 2) for line in lines]
    jobs = {words[0]: QueuedJob(*words[1:]) for words in fields if len(words) == FIELDS and words[0].isdecimal()}
    if any(lines) and not jobs:
        raise SlurmError(f"squeue: expected lines <number>|<state>|<reason>, found {next(filter(None, lines))!r}")
    return jobs


def cancel(*jobs: str) -> None:
    """Cancel jobs by their numbers or `--name=…`, if there are any. Raises SlurmError with Slurm's message."""
    _run("scancel", "--quiet", *jobs)


@contextmanager
def cancelled_at_the_end(name: str) -> Iterator[None]:
    """Cancel all jobs with this name after the block, also if this process is killed within it."""
    watchdog = subprocess.Popen(  # noqa: S603 - in its own session, so that it survives signals to the driver's
        ["/bin/sh", "-c", WATCHDOG, "sh", name],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        start_new_session=True,
    )
    try:
        yield
    finally:
        try:
            cancel(f"--name={name}")
            watchdog.communicate(b"\n")
        except SlurmError as error:  # the watchdog tries again
            note(f"{error}; once Slurm answers, cancel the jobs that are left: scancel --name={name}")
        if watchdog.stdin and not watchdog.stdin.closed:
            watchdog.stdin.close()


def _run(*words: str, script: str | None = None) -> str:
    """Run one of Slurm's programs and return its output."""
    try:
        done = subprocess.run(  # noqa: S603 - the words are ours, and no shell reads them
            words,
            input=script,
            stdin=subprocess.DEVNULL if script is None else None,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE_SECONDS,
            check=False,
            env=remote_environment(),  # sbatch passes it to the nodes
            start_new_session=True,  # Ctrl-C is for the driver alone
        )
    except FileNotFoundError as error:
        raise SlurmError(
            f"the command {words[0]} is missing: run this on a machine that can submit jobs to Slurm"
        ) from error
    except subprocess.TimeoutExpired as error:
        raise SlurmError(f"{words[0]} has not answered for {PATIENCE_SECONDS} seconds") from error
    if done.returncode:
        lines = [line.partition("error: ")[2] or line for line in done.stderr.splitlines() if line.strip()]
        raise SlurmError(f"{words[0]}: {'; '.join(lines) or f'exit status {done.returncode}'}")
    return done.stdout
