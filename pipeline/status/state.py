"""How far a run is, by its files alone: its record, the names of its parts, its lock and its driver's last word."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from pipeline.driver.lock import Holder, holder
from pipeline.driver.progress import Word, last_word
from pipeline.masking import masked
from pipeline.record.kept import KeptRun
from pipeline.storage.atomic import in_object_store
from pipeline.storage.parts import left_by_names

__all__ = ["SILENT_SECONDS", "Status", "goes_on_with", "status_of", "whole"]

PLAIN = re.compile(r"[\w/.-]+|\w+://[\w/.-]+")
CENTURY = 100 * 365.25 * 86_400  # seconds
SILENT_SECONDS = 30.0  # without a word of a driver, after which this is reported


@dataclass(frozen=True)
class Status:
    """How far a run is.

    run    : with its record
    done   : items that all tables have parts of, by their names
    driver : which process holds it
    word   : what its last driver last said, and how many seconds ago; None: none said anything
    """

    run: KeptRun
    done: int
    driver: Holder | None
    word: tuple[Word, float] | None

    @property
    def items(self) -> int:
        """All items of its grid."""
        return int(self.run.record["items"])

    @property
    def noun(self) -> str:
        """What its items are called, in the plural."""
        return str(self.run.record["noun"])

    @property
    def left(self) -> int:
        """Items that are not done."""
        return self.items - self.done

    @property
    def percent(self) -> str:
        """The share of its items that are done, to a tenth."""
        return f"{100 * self.done / max(self.items, 1):.1f}"

    @property
    def driven(self) -> bool:
        """Whether a process drives it."""
        return self.driver is not None

    @property
    def state(self) -> str:
        """Complete, stopped, running, or silent: driven by a process that has said nothing for a while."""
        if not self.left:
            return "complete"
        if not self.driven:
            return "stopped"
        return "silent" if self.silent_for > SILENT_SECONDS else "running"

    @property
    def silent_for(self) -> float:
        """Seconds since its driver last said something; 0 where it has not yet begun to speak."""
        if self.driver is None or self.word is None or self.word[0].pid != self.driver.pid:
            return 0.0
        return self.word[1]

    @property
    def seconds_left(self) -> float | None:
        """Seconds until its end at the last rate; None where that is not known, or no matter of this century."""
        rate = self.word[0].rate if self.word else None
        seconds = self.left / rate if rate else CENTURY
        return seconds if seconds < CENTURY else None


def status_of(run: KeptRun) -> Status | None:
    """How far a run is; None where its record is of an earlier version."""
    if not {"items", "noun", "tables"} <= run.record.keys():
        return None
    left = left_by_names(map(run.folder, run.tables), run.record["items"])
    done = run.record["items"] - sum(stop - first for first, stop in left)
    return Status(run, done, holder(run.results), last_word(run.notes))


def goes_on_with(status: Status) -> str:
    """What to type to have the run go on, from any folder; of results that were copied it continues the copy."""
    folder, command = status.run.record.get("folder"), status.run.record.get("command")
    if command is None or folder is None:
        return "the command that began it"
    command = masked(command)  # of a run that was made before secrets were
    here = whole(status.run.output)
    if status.run.record.get("output", here) != here:
        command = f"{command} {shlex.quote(_override(here))}"
    return command if Path(folder) == Path.cwd() else f"cd {shlex.quote(folder)} && {command}"


def whole(output: Path) -> str:
    """The output folder from the root, links followed; an address as it is."""
    return str(output if in_object_store(output) else output.resolve())


def _override(output: str) -> str:
    """The key `output` with a value, in quotes where Hydra needs them."""
    if PLAIN.fullmatch(output):
        return f"output={output}"
    escaped = output.replace("\\", "\\\\").replace('"', '\\"')
    return f'output="{escaped}"'
