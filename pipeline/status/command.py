"""`python -m pipeline.status`: the progress of the runs in an output folder."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rich.markup import escape
from rich.table import Table

from pipeline.errors import ConfigError
from pipeline.note.command import said
from pipeline.record.kept import KeptRun, chosen, current_summary, kept_below, note_left_out
from pipeline.record.provenance import environments
from pipeline.record.remarks import remarks
from pipeline.record.sessions import sessions
from pipeline.screen import console, labelled, tool
from pipeline.status.state import SILENT_SECONDS, Status, goes_on_with, status_of, whole
from pipeline.storage.atomic import in_object_store
from pipeline.storage.parts import Part, named_parts, read
from pipeline.storage.places import endless, located, storage_errors
from pipeline.summary.record import UnreadableSummaryError
from pipeline.tools import exit_status, parser_of_runs
from pipeline.words import counted, duration, out_of

__all__ = ["UNHARMED", "cells_of", "details", "main", "table"]
UNHARMED = {"ok", "skipped"}  # as in pipeline.schema, which imports pyarrow
READERS = 16  # part files that are read at a time: object stores answer slowly
COLUMNS = ["status", "made_with"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Report the progress of all runs, or of one; returns the exit status."""
    parser = parser_of_runs(
        "status",
        "Report the progress of the runs in an output folder, from its files only. Running runs are not disturbed.",
        run="only the run with this id, or these first characters, in detail",
    )
    parser.add_argument("--watch", type=float, metavar="SECONDS", help="repeat the report every SECONDS seconds")
    asked = parser.parse_args(arguments)

    def watch() -> int:
        if asked.watch is not None and not asked.watch > 0:
            msg = f"--watch is {asked.watch:g}: expected more than 0 seconds"
            raise ConfigError(msg)
        while _tell(located(asked.output), asked.run) and asked.watch is not None:
            time.sleep(asked.watch)
        return 0

    return exit_status("status", watch, asked.output)


def _tell(output: Path, run: str | None) -> bool:
    """Report the progress of the runs; returns whether one of them is running."""
    found = _statuses(output)
    if run is not None:
        runs = [one.run for one in found]
        wanted = chosen(runs, run, output).id
        found = [one for one in found if one.run.id == wanted]  # several if grids with two names have the same keys
    out = console()
    labelled([("Folder", whole(output))])
    if len(found) == 1:
        labelled(details(found[0]))
    else:
        out.print(table(found))
        for one in found:
            if one.left and not one.driven:
                out.print(f"[bold]{one.run.id}[/]: resume it with: {escape(goes_on_with(one))}", soft_wrap=True)
    return any(one.driven for one in found)


def _statuses(output: Path) -> list[Status]:
    """The runs below an output folder, the latest to begin last; ConfigError if the folder has no run."""
    result = []
    for run in kept_below(output):
        try:
            one = status_of(run)
        except OSError as error:
            if in_object_store(output):  # the fault may be in the connection
                raise
            note_left_out(error.filename or run.results, f"cannot be read: {error.strerror or error}")
            continue
        if one is None:
            note_left_out(run.notes / "run.json", "is damaged or of an earlier version")
        else:
            result.append(one)
    if not result:
        msg = f"no runs in {output}: run a grid ({tool()} lists them), or name another --output"
        raise ConfigError(msg)
    return result


def table(found: Sequence[Status]) -> Table:
    """One line a run, with its whole name for --run; speeds only if any run is running."""
    shown = Table(box=None, header_style="bold", pad_edge=False)
    shown.add_column("run", no_wrap=True)
    for name in ("grid", "state"):
        shown.add_column(name, overflow="fold")
    speeds = ("a second", "ends in") if any(one.driven for one in found) else ()
    for name in ("done", "of", "%", "failed", *speeds):
        shown.add_column(name, justify="right")
    tags = [remarks(one.run.notes).tags for one in found]
    if any(tags):
        shown.add_column("tags", overflow="fold")
    for one, own in zip(found, tags, strict=True):
        failed = sum(count for status, count in cells_of(one)[0].items() if status not in UNHARMED)
        cells = (
            one.run.id,
            escape(one.run.name),
            one.state,
            f"{one.done:,}",
            f"{one.run.items:,}",
            one.percent,
            f"{failed:,}",
        )
        shown.add_row(*cells, *(_speed(one) if speeds else ()), *([escape(", ".join(own))] if any(tags) else []))
    return shown


def _speed(one: Status) -> tuple[str, str]:
    """Items a second and time left of a running run."""
    rate = one.word[0].rate if one.word and one.driven and one.left else None
    ends = one.seconds_left if one.driven else None
    return "" if rate is None else f"{rate:,.3g}", "" if not ends else duration(ends)


def details(one: Status) -> Iterator[tuple[str, str]]:
    """The details of one run, line by line, each with its label."""
    yield "Run", f"{one.run.id} of grid {one.run.name}, {one.state}"
    yield "Done", f"{one.done:,} of {one.run.items:,} {one.run.noun} ({one.percent} %), {one.left:,} left"
    statuses, made = cells_of(one)
    failed = [f"{count:,} {status}" for status, count in sorted(statuses.items()) if status not in UNHARMED]
    yield "Failed", f"{', '.join(failed) or 'none'} of {statuses.total():,} cells"
    yield "Driver", _driver(one)
    if one.word and one.left:
        word, _ = one.word
        if word.rate:
            yield "Rate", f"{word.rate:,.3g} {one.run.noun} a second{'' if one.driven else ' in the last session'}"
        if one.seconds_left is not None:
            when = time.strftime("%Y-%m-%d %H:%M", time.localtime(time.time() + one.seconds_left))
            takes = duration(one.seconds_left)
            yield "Ends", f"in about {takes}, at {when}" if one.driven else f"about {takes} after it is resumed"
    kept = environments(one.run.notes)
    if len(made) == 1 and set(made) <= set(kept):
        (digest,) = made
        yield "Made with", f"{digest}: {_spelt(kept[digest])}"
    else:
        for digest, cells in made.items():
            yield "Made with", f"{digest}, {cells:,} cells: {_spelt(kept.get(digest, {}))}"
    past = sessions(one.run.notes)
    if past:
        ends = Counter(str(session.get("outcome")) for session in past)
        outcomes = ", ".join(f"{count} {outcome}" for outcome, count in ends.items())
        yield "Sessions", f"{len(past)} ended ({outcomes}), {sum(s.get('wall_seconds', 0) for s in past):,.0f} s in all"
    yield from said(remarks(one.run.notes))
    if one.left and not one.driven:
        yield "Next", goes_on_with(one)


def _driver(one: Status) -> str:
    if one.driver is None:
        last = "" if one.word is None else f"; the last one was process {one.word[0].pid} on {one.word[0].host}"
        return f"none{last}"
    if one.word is None or one.word[0].pid != one.driver.pid:
        return f"{one.driver}, preparing its work"
    word, _ = one.word
    workers = counted(word.workers, "worker") if word.wanted is None else out_of(word.workers, word.wanted, "worker")
    late = f", no message for {duration(one.silent_for)}" if one.silent_for > SILENT_SECONDS else ""
    return f"{one.driver}; {workers} ({word.cluster}){late}"


def _spelt(versions: dict[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in versions.items()) or "unknown versions"


def cells_of(status: Status) -> tuple[Counter[str], dict[str, int]]:
    """The number of cells with each status, and with each digest of versions, from a run's summary if it has one."""
    if not status.left:
        try:
            failures = current_summary(status.run).failures
        except UnreadableSummaryError:
            pass
        else:
            return Counter(failures.statuses), failures.made_with
    return _cells_of_parts(status.run)


def _cells_of_parts(run: KeptRun) -> tuple[Counter[str], dict[str, int]]:
    """The same from the part files; unreadable ones are left out."""
    statuses, made = Counter[str](), Counter[str]()
    with ThreadPoolExecutor(READERS) as pool:
        for found in pool.map(_counted(), named_parts(run.results)):
            for (status, digest), count in found.items():
                statuses[status] += count
                made[digest] += count
    return statuses, dict(made)


def _counted() -> Callable[[Part], dict[tuple[str, str], int]]:
    """Counts the rows of a part file by status and digest; a note names an unreadable one."""
    import pyarrow as pa

    def counted(part: Part) -> dict[tuple[str, str], int]:
        try:
            if endless(part.path):
                note_left_out(part.path, "is a pipe or a device, not a file; the run's command makes it again")
                return {}
            rows = read(part, COLUMNS, COLUMNS).group_by(COLUMNS).aggregate([([], "count_all")]).to_pydict()
        except (
            KeyError,
            pa.ArrowException,
            *storage_errors(),
        ):  # damaged, or merged into another part file
            if part.path.exists():
                note_left_out(part.path, "cannot be read; the run's command makes it again")
            return {}
        return dict(zip(zip(*(rows[name] for name in COLUMNS), strict=True), rows["count_all"], strict=True))

    return counted
