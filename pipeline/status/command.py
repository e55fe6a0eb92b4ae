"""`python -m pipeline.status`: the progress of the runs in an output folder."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from rich.markup import escape
from rich.table import Table

from pipeline.errors import ConfigError
from pipeline.failures import UNHARMED
from pipeline.note.command import labelled_remarks
from pipeline.record.kept import chosen, current_summary, kept_below, note_left_out
from pipeline.record.provenance import environments
from pipeline.record.remarks import remarks
from pipeline.record.sessions import sessions
from pipeline.screen import console, labelled, tool
from pipeline.status.state import SILENT_SECONDS, Status, absolute, resume_command, status_of
from pipeline.storage.locations import endless, located, storage_errors, why_unreadable
from pipeline.storage.parts import Part, named_parts
from pipeline.summary.failures import outcomes_in
from pipeline.summary.record import UnreadableSummaryError
from pipeline.tools import check_seconds, exit_status, parser_of_runs
from pipeline.words import counted, duration, out_of

READERS = 16  # part files that are read at a time: object stores answer slowly


def main(arguments: Sequence[str] | None = None) -> int:
    """Report the progress of all runs, or of one; returns the exit status."""
    parser = parser_of_runs(
        "status",
        "Report the progress of the runs in an output folder, from its files only. Runs in progress are not disturbed.",
        run="only this run (id or its first characters), in detail",
    )
    parser.add_argument("--watch", type=float, metavar="SECONDS", help="repeat the report every SECONDS seconds")
    options = parser.parse_args(arguments)

    def watch() -> int:
        check_seconds("--watch", options.watch)
        while _show(located(options.output), options.run) and options.watch is not None:
            time.sleep(options.watch)
        return 0

    return exit_status("status", watch, options.output)


def _show(output: Path, run: str | None) -> bool:
    """Report the progress of the runs; returns whether one of them is running."""
    statuses = _statuses(output)
    if run is not None:
        wanted = chosen([status.run for status in statuses], run, output).id
        # several if grids with two names have the same keys
        statuses = [status for status in statuses if status.run.id == wanted]
    out = console()
    labelled([("Folder", absolute(output))])
    if len(statuses) == 1:
        labelled(details(statuses[0]))
    else:
        out.print(table(statuses))
        for status in statuses:
            if status.left and not status.driven:
                out.print(f"[bold]{status.run.id}[/]: resume it with: {escape(resume_command(status))}", soft_wrap=True)
    return any(status.driven for status in statuses)


def _statuses(output: Path) -> list[Status]:
    """The runs below an output folder, the latest to begin last; ConfigError if the folder has no run."""
    result = []
    for run in kept_below(output):
        try:
            result.append(status_of(run))
        except OSError as error:
            why = why_unreadable(output, error)
            note_left_out(error.filename or run.results, f"cannot be read: {why}")
    if not result:
        raise ConfigError(f"no runs in {output}: run a grid ({tool()} lists them), or give another --output")
    return result


def table(statuses: Sequence[Status]) -> Table:
    """One line a run, with its whole name for --run; speeds only if any run is running."""
    shown = Table(box=None, header_style="bold", pad_edge=False)
    shown.add_column("run", no_wrap=True)
    for name in ("grid", "state"):
        shown.add_column(name, overflow="fold")
    speeds = ("per second", "ends in") if any(status.driven for status in statuses) else ()
    for name in ("done", "of", "%", "failed", *speeds):
        shown.add_column(name, justify="right")
    tags = [remarks(status.run.record_folder).tags for status in statuses]
    if any(tags):
        shown.add_column("tags", overflow="fold")
    for status, own in zip(statuses, tags, strict=True):
        failed = sum(count for name, count in cells_of(status)[0].items() if name not in UNHARMED)
        cells = (
            status.run.id,
            escape(status.run.name),
            status.state,
            f"{status.done:,}",
            f"{status.run.items:,}",
            status.percent,
            f"{failed:,}",
        )
        shown.add_row(*cells, *(_speed(status) if speeds else ()), *([escape(", ".join(own))] if any(tags) else []))
    return shown


def _speed(status: Status) -> tuple[str, str]:
    """Items a second and time left of a running run."""
    rate = status.message.rate if status.message and status.driven and status.left else None
    ends = status.seconds_left if status.driven else None
    return "" if rate is None else f"{rate:,.3g}", "" if not ends else duration(ends)


def details(status: Status) -> Iterator[tuple[str, str]]:
    """The details of one run, line by line, each with its label."""
    run = status.run
    yield "Run", f"{run.id} of grid {run.name}, {status.state}"
    yield "Done", f"{status.progress} ({status.percent} %), {status.left:,} left"
    cells_by_status, made_with = cells_of(status)
    failed = [f"{count:,} {name}" for name, count in sorted(cells_by_status.items()) if name not in UNHARMED]
    yield "Failed", f"{', '.join(failed) or 'none'} of {counted(cells_by_status.total(), 'cell')}"
    yield "Driver", _driver(status)
    if status.message and status.left:
        if status.message.rate:
            session = "" if status.driven else " in the last session"
            yield "Rate", f"{status.message.rate:,.3g} {run.noun} a second{session}"
        if status.seconds_left is not None:
            when = time.strftime("%Y-%m-%d %H:%M", time.localtime(time.time() + status.seconds_left))
            takes = duration(status.seconds_left)
            yield "Ends", f"in about {takes}, at {when}" if status.driven else f"about {takes} after the run is resumed"
    kept = environments(run.record_folder)
    if len(made_with) == 1 and set(made_with) <= set(kept):
        (digest,) = made_with
        yield "Made with", f"{digest}: {_listed(kept[digest])}"
    else:
        for digest, cells in made_with.items():
            yield "Made with", f"{digest}, {counted(cells, 'cell')}: {_listed(kept.get(digest, {}))}"
    past = sessions(run.record_folder)
    if past:
        ends = Counter(session.outcome for session in past)
        outcomes = ", ".join(f"{count} {outcome}" for outcome, count in ends.items())
        seconds = sum(session.wall_seconds for session in past)
        yield "Sessions", f"{len(past)} ended ({outcomes}), {seconds:,.0f} s in all"
    yield from labelled_remarks(remarks(run.record_folder))
    if status.left and not status.driven:
        yield "Next", resume_command(status)


def _driver(status: Status) -> str:
    message = status.message
    if status.driver is None:
        return f"none; the last driver was process {message.pid} on {message.host}" if message else "none"
    if message is None or message.pid != status.driver.pid:
        return f"{status.driver}, preparing its work"
    workers, wanted = message.workers, message.wanted
    of_workers = counted(workers, "worker") if wanted is None else out_of(workers, wanted, "worker")
    late = f", no message for {duration(status.silent_for)}" if status.silent_for > SILENT_SECONDS else ""
    return f"{status.driver}; {of_workers} ({message.cluster}){late}"


def _listed(versions: dict[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in versions.items()) or "unknown versions"


def cells_of(status: Status) -> tuple[Counter[str], dict[str, int]]:
    """The number of cells with each status, and with each digest of versions.

    They are those of the run's summary if it has one, else of its part files; unreadable ones are left out.
    """
    if not status.left:
        with suppress(UnreadableSummaryError):
            failures = current_summary(status.run).failures
            return Counter(failures.statuses), failures.made_with
    statuses, made_with = Counter[str](), Counter[str]()
    with ThreadPoolExecutor(READERS) as pool:
        for of_part, made in pool.map(_outcomes_in, named_parts(status.run.results)):
            statuses += of_part
            made_with += made
    return statuses, made_with


def _outcomes_in(part: Part) -> tuple[Counter[str], Counter[str]]:
    """The outcomes in a part file; a note names an unreadable file."""
    import pyarrow as pa

    try:
        if not endless(part.path):
            return outcomes_in(part)
        note_left_out(part.path, "is a pipe or a device, not a file; the run's command makes it again")
    except (KeyError, pa.ArrowException, *storage_errors()):  # damaged, or merged into another part file
        if part.path.exists() or part.path.is_symlink():
            note_left_out(part.path, "cannot be read; the run's command makes it again")
    return Counter(), Counter()
