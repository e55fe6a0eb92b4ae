"""The progress of a run, from its files only: record, names of part files, lock and its driver's last message."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from pipeline.driver.lock import Holder, holder
from pipeline.driver.progress import ProgressRecord, read_progress
from pipeline.masking import masked
from pipeline.record.kept import KeptRun
from pipeline.storage.atomic import in_object_store
from pipeline.storage.parts import items_in, missing_by_names

PLAIN = re.compile(r"[\w/.-]+|\w+://[\w/.-]+")
CENTURY = 100 * 365.25 * 86_400  # seconds
SILENT_SECONDS = 30.0  # of silence of a driver, after which this is reported


@dataclass(frozen=True)
class Status:
    """The progress of a run.

    run         : the run with its record
    done        : items that part files of all tables cover, by their names
    driver      : the process that holds it
    message     : the last message of its last driver, or None
    message_age : seconds since that message
    """

    run: KeptRun
    done: int
    driver: Holder | None
    message: ProgressRecord | None
    message_age: float = 0.0

    @property
    def left(self) -> int:
        """Items that are not done."""
        return self.run.items - self.done

    @property
    def progress(self) -> str:
        """The number of items that are done, of all."""
        return f"{self.done:,} of {self.run.items:,} {self.run.noun}"

    @property
    def percent(self) -> str:
        """The share of its items that are done, rounded down to a tenth: only a complete run has 100.0."""
        return f"{1000 * self.done // max(self.run.items, 1) / 10:.1f}"

    @property
    def driven(self) -> bool:
        """Whether a process is running it."""
        return self.driver is not None

    @property
    def state(self) -> str:
        """Complete, stopped, running, or not responding: its process has sent no recent message."""
        if not self.left:
            return "complete"
        if not self.driven:
            return "stopped"
        return "not responding" if self.silent_for > SILENT_SECONDS else "running"

    @property
    def silent_for(self) -> float:
        """Seconds since its driver's last message; 0 before the first."""
        if self.driver is None or self.message is None or self.message.pid != self.driver.pid:
            return 0.0
        return self.message_age

    @property
    def seconds_left(self) -> float | None:
        """Seconds until its end at the last rate; None if unknown, or beyond this century."""
        rate = self.message.rate if self.message else None
        seconds = self.left / rate if rate else CENTURY
        return seconds if seconds < CENTURY else None


def status_of(run: KeptRun) -> Status:
    """The progress of a run."""
    left = missing_by_names(map(run.folder, run.tables), run.items)
    done = run.items - items_in(left)
    message, message_age = read_progress(run.record_folder) or (None, 0.0)
    return Status(run, done, holder(run.results), message, message_age)


def resume_command(status: Status) -> str:
    """The command that continues the run from any folder; for copied results it continues the copy."""
    record = status.run.record
    if not record.folder:
        return "the command that began it"
    command = masked(record.command)  # the run may be older than the masking of secrets
    here = absolute(status.run.output)
    if record.output != here:
        command = f"{command} {shlex.quote(_override(here))}"
    return command if Path(record.folder) == Path.cwd() else f"cd {shlex.quote(record.folder)} && {command}"


def absolute(output: Path) -> str:
    """The output folder as an absolute path, links resolved; an address unchanged."""
    return str(output if in_object_store(output) else output.resolve())


def _override(output: str) -> str:
    """The key `output` with a value, in quotes if Hydra needs them."""
    if PLAIN.fullmatch(output):
        return f"output={output}"
    escaped = output.replace("\\", "\\\\").replace('"', '\\"')
    return f'output="{escaped}"'
