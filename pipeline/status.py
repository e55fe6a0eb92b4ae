"""`python -m pipeline.status`: how far the runs of an output folder are, from their files alone."""

from __future__ import annotations

import re
import shlex
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from pipeline.driver.lock import Holder, holder
from pipeline.driver.progress import Word, last_word
from pipeline.errors import ConfigError
from pipeline.masking import masked
from pipeline.record.kept import KeptRun, current_summary
from pipeline.record.provenance import environments, notes_below, read_record, sessions
from pipeline.screen import console, counted, duration, note, out_of
from pipeline.storage.atomic import in_object_store
from pipeline.storage.parts import Part, missing_from_any, named_parts, read
from pipeline.storage.places import endless, listed, located, storage_errors
from pipeline.summary.record import UnreadableSummaryError
from pipeline.tools import exit_status, parser_of_runs

__all__ = ["Status", "goes_on_with", "main", "status_of"]

PLAIN = re.compile(r"[\w/.-]+|\w+://[\w/.-]+")
CENTURY = 100 * 365.25 * 86_400  # seconds
SILENT_SECONDS = 30.0  # after which it is told that a driver says nothing
CONNECTIONS = 16  # to an object store
UNHARMED = {"ok", "skipped"}  # as in pipeline.schema, which takes pyarrow to load


@dataclass(frozen=True)
class Status:
    """How far a run is.

    folder : of its results
    record : what it was begun with
    done   : items that all tables have parts of, by their names
    parts  : those of its results
    driver : which process holds it
    word   : what its last driver last said, and how many seconds ago; None: none said anything
    """

    folder: Path
    record: dict[str, Any]
    done: int
    parts: tuple[Part, ...]
    driver: Holder | None
    word: tuple[Word, float] | None

    @property
    def items(self) -> int:
        """All items of its grid."""
        return int(self.record["items"])

    @property
    def left(self) -> int:
        """Items that are not done."""
        return self.items - self.done

    @property
    def driven(self) -> bool:
        """Whether a process drives it."""
        return self.driver is not None

    @property
    def output(self) -> Path:
        """The folder or address of all results."""
        return self.folder.parents[2]

    @property
    def name(self) -> str:
        """Its id."""
        return self.folder.name.removeprefix("run=")

    @property
    def grid(self) -> str:
        """What its folders call the grid."""
        return self.folder.parent.name.removeprefix("grid=")

    @property
    def state(self) -> str:
        """What becomes of it, in a word or two."""
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Tell how far all runs are, or one of them; the exit status."""
    parser = parser_of_runs(
        "status",
        "Report how far the runs of an output folder are, from its files alone: nothing is disturbed.",
        run="only the run of this id, or of one that begins so, in detail",
    )
    parser.add_argument("--watch", type=float, metavar="SECONDS", help="report again and again, so many seconds apart")
    asked = parser.parse_args(arguments)

    def watch() -> int:
        if asked.watch is not None and not asked.watch > 0:
            msg = f"--watch is {asked.watch:g}: expected more than 0 seconds"
            raise ConfigError(msg)
        while _tell(located(asked.output), asked.run) and asked.watch is not None:
            time.sleep(asked.watch)
        return 0

    return exit_status("status", watch, asked.output)


def status_of(notes: Path) -> Status | None:
    """How far the run is whose notes these are; None where its record is damaged or of an earlier version."""
    record = read_record(notes)
    if record is None or not {"items", "noun", "tables"} <= record.keys():
        return None
    folder = notes.parent
    output = folder.parents[2]
    tables = [named_parts(output / table / folder.parent.name / folder.name) for table in record["tables"]]
    left = missing_from_any(tables, record["items"])
    parts = named_parts(folder)
    done = record["items"] - sum(stop - first for first, stop in left)
    return Status(folder, record, done, tuple(parts), holder(folder), last_word(notes))


def _tell(output: Path, run: str | None) -> bool:
    """Tell how far the runs are; whether one of them is driven."""
    found = _statuses(output)
    if run is not None:
        matching = [one for one in found if one.name.startswith(run)]
        if len({one.name for one in matching}) != 1:  # which several are where grids of two names have the same keys
            known = ", ".join(f"{one.name} ({one.grid})" for one in found)
            msg = f"run '{run}' is {'not' if not matching else 'more than one'} of the runs in {output}: {known}"
            raise ConfigError(msg)
        found = matching
    out = console()
    out.print(f"[bold]{'Folder':10}[/] {escape(_whole(output))}", soft_wrap=True)
    if len(found) == 1:
        for label, words in _details(found[0]):
            out.print(f"[bold]{label:10}[/] {escape(words)}", soft_wrap=True)
    else:
        out.print(_table(found))
        for one in found:
            if one.left and not one.driven:
                out.print(f"[bold]{one.name}[/] goes on with: {escape(goes_on_with(one))}", soft_wrap=True)
    return any(one.driven for one in found)


def _statuses(output: Path) -> list[Status]:
    """The runs below an output folder, the latest to be begun last; ConfigError where there is none."""
    found = []
    below, rejected = notes_below(output)
    for folder, why in rejected.items():
        note(f"left out: {folder} {why}")
    for notes in below:
        try:
            if notes.name not in listed(notes.parent):
                continue
            one = status_of(notes)
        except OSError as error:
            if in_object_store(notes):  # of which the way there may be at fault
                raise
            note(f"left out: {error.filename or notes} cannot be read: {error.strerror or error}")
            continue
        if one is None:
            note(f"left out: {notes / 'run.json'} is missing, damaged or of an earlier version")
        else:
            found.append(one)
    if not found:
        msg = f"no runs in {output}: run a grid (python -m pipeline lists them), or name another --output"
        raise ConfigError(msg)
    return found


def _table(found: Sequence[Status]) -> Table:
    """A line a run, its name whole, for it is what --run asks for; speeds only where any is driven."""
    shown = Table(box=None, header_style="bold", pad_edge=False)
    shown.add_column("run", no_wrap=True)
    for name in ("grid", "state"):
        shown.add_column(name, overflow="fold")
    speeds = ("a second", "ends in") if any(one.driven for one in found) else ()
    for name in ("done", "of", "%", "failed", *speeds):
        shown.add_column(name, justify="right")
    for one in found:
        failed = sum(count for status, count in _cells(one)[0].items() if status not in UNHARMED)
        share = f"{100 * one.done / max(one.items, 1):.1f}"
        cells = (one.name, escape(one.grid), one.state, f"{one.done:,}", f"{one.items:,}", share, f"{failed:,}")
        shown.add_row(*cells, *(_speed(one) if speeds else ()))
    return shown


def _speed(one: Status) -> tuple[str, str]:
    """Items a second and time left of a run that is driven."""
    rate = one.word[0].rate if one.word and one.driven and one.left else None
    ends = one.seconds_left if one.driven else None
    return "" if rate is None else f"{rate:,.3g}", "" if not ends else duration(ends)


def _details(one: Status) -> Iterator[tuple[str, str]]:
    noun = one.record["noun"]
    yield "Run", f"{one.name} of grid {one.grid}, {one.state}"
    share = 100 * one.done / max(one.items, 1)
    yield "Done", f"{one.done:,} of {one.items:,} {noun} ({share:.1f} %), {one.left:,} left"
    statuses, made = _cells(one)
    failed = [f"{count:,} {status}" for status, count in sorted(statuses.items()) if status not in UNHARMED]
    yield "Failed", f"{', '.join(failed) or 'none'} of {statuses.total():,} cells"
    yield "Driver", _driver(one)
    if one.word and one.left:
        word, _ = one.word
        if word.rate:
            yield "Rate", f"{word.rate:,.3g} {noun} a second{'' if one.driven else ', when it was last driven'}"
        if one.seconds_left is not None:
            when = time.strftime("%Y-%m-%d %H:%M", time.localtime(time.time() + one.seconds_left))
            takes = duration(one.seconds_left)
            yield "Ends", f"in about {takes}, at {when}" if one.driven else f"about {takes} after it goes on"
    kept = environments(one.folder / "_run")
    if len(made) == 1 and set(made) <= set(kept):
        (digest,) = made
        yield "Made with", f"{digest}: {_spelt(kept[digest])}"
    else:
        for digest, cells in made.items():
            yield "Made with", f"{digest}, {cells:,} cells: {_spelt(kept.get(digest, {}))}"
    past = sessions(one.folder / "_run")
    if past:
        ends = Counter(str(session.get("outcome")) for session in past)
        outcomes = ", ".join(f"{count} {outcome}" for outcome, count in ends.items())
        yield "Sessions", f"{len(past)} ended ({outcomes}), {sum(s.get('wall_seconds', 0) for s in past):,.0f} s in all"
    if one.left and not one.driven:
        yield "Next", goes_on_with(one)


def _driver(one: Status) -> str:
    if one.driver is None:
        last = "" if one.word is None else f"; the last was process {one.word[0].pid} on {one.word[0].host}"
        return f"none{last}"
    if one.word is None or one.word[0].pid != one.driver.pid:
        return f"{one.driver}, which prepares its work"
    word, _ = one.word
    workers = counted(word.workers, "worker") if word.wanted is None else out_of(word.workers, word.wanted, "worker")
    late = f", but nothing was heard for {duration(one.silent_for)}" if one.silent_for > SILENT_SECONDS else ""
    return f"{one.driver}; {workers} ({word.cluster}){late}"


def _cells(one: Status) -> tuple[Counter[str], dict[str, int]]:
    """How many cells have each status, and each digest of what made them, by the summary of a run that has one."""
    if not one.left:
        try:
            lost = current_summary(KeptRun(one.record, one.grid, one.name, one.output)).failures
        except UnreadableSummaryError:
            pass
        else:
            return Counter(lost.statuses), lost.made_with
    return _cells_of_parts(one)


def _cells_of_parts(one: Status) -> tuple[Counter[str], dict[str, int]]:
    """The same by the parts; those that cannot be read are left out."""
    found: Counter[tuple[str, str]] = Counter()
    pipes = [part.path for part in one.parts if endless(part.path)]
    for path in pipes:
        note(f"left out: {path} is a pipe or a device, and no file; the run's command makes it again")
    paths = [part.path for part in one.parts if part.path not in pipes]
    try:
        found = _counted(paths)
    except _unreadable():  # a part that is damaged, or was merged into another in the meantime
        for path in paths:
            try:
                found += _counted([path])
            except _unreadable():
                if path.exists():
                    note(f"left out: {path} cannot be read; the run's command makes it again")
    statuses: Counter[str] = Counter()
    made: Counter[str] = Counter()
    for (status, digest), count in found.items():
        statuses[status] += count
        made[digest] += count
    return statuses, dict(made)


def _counted(paths: Sequence[Path]) -> Counter[tuple[str, str]]:
    """How many rows of parts have each status and each digest."""
    if not paths:
        return Counter()
    if in_object_store(paths[0]):
        with ThreadPoolExecutor(CONNECTIONS) as pool:
            return sum(pool.map(_counted_remotely, paths), Counter[tuple[str, str]]())
    import duckdb

    question = "SELECT status, made_with, count(*) FROM read_parquet($1, hive_partitioning=false) GROUP BY ALL"
    with duckdb.connect() as database:
        rows = database.execute(question, [list(map(str, paths))]).fetchall()
    return Counter({(status, digest): count for status, digest, count in rows})


def _counted_remotely(path: Path) -> Counter[tuple[str, str]]:
    rows = read(Part(0, 0, path), ["status", "made_with"])
    return Counter(zip(rows["status"].to_pylist(), rows["made_with"].to_pylist(), strict=True))


def _unreadable() -> tuple[type[Exception], ...]:
    import duckdb
    import pyarrow as pa

    return (duckdb.Error, pa.ArrowException, *storage_errors())


def goes_on_with(one: Status) -> str:
    """What to type to have the run go on, from any folder; of results that were copied it continues the copy."""
    folder, command = one.record.get("folder"), one.record.get("command")
    if command is None or folder is None:
        return "the command that began it"
    command = masked(command)  # of a run that was made before secrets were
    here = _whole(one.output)
    if one.record.get("output", here) != here:
        command = f"{command} {shlex.quote(_override(here))}"
    return command if Path(folder) == Path.cwd() else f"cd {shlex.quote(folder)} && {command}"


def _whole(output: Path) -> str:
    """The output folder from the root, links followed; an address as it is."""
    return str(output if in_object_store(output) else output.resolve())


def _override(output: str) -> str:
    """The key `output` with a value, in quotes where Hydra needs them."""
    if PLAIN.fullmatch(output):
        return f"output={output}"
    escaped = output.replace("\\", "\\\\").replace('"', '\\"')
    return f'output="{escaped}"'


def _spelt(versions: dict[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in versions.items()) or "what that is, is not known any more"


if __name__ == "__main__":
    from pipeline.command import main as orchard

    sys.exit(orchard(["status", *sys.argv[1:]]))
