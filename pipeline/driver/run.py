"""Runs one grid, from its configuration to its summary."""

from __future__ import annotations

import os
import shlex
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from threading import Thread

from pipeline.cluster.base import Cluster
from pipeline.cluster.inspection import code_name, inspected
from pipeline.cluster.kinds import cluster_of, kind_of
from pipeline.cluster.local import LocalProcesses, forked, start_fork_server
from pipeline.configuration.rules import Rule, at_least
from pipeline.configuration.settings import Settings
from pipeline.discovery import SearchPath
from pipeline.driver.compaction import compacted
from pipeline.driver.drawing import Draw, drawing
from pipeline.driver.lock import Hold, held
from pipeline.driver.outcome import Outcome
from pipeline.driver.progress import Progress, SessionTotals
from pipeline.driver.signals import StopRequest, watched
from pipeline.driver.summarising import faults_named, prepare_summary, summarise
from pipeline.driver.visibility import wait_until_listed
from pipeline.errors import ConfigError, StoppedError
from pipeline.garbage import search_now
from pipeline.grid import RESULTS_TABLE, GridSummary, PartialViews
from pipeline.kinds import grid_of
from pipeline.plain_text import note
from pipeline.plan import Chunks, GridRun, run_id
from pipeline.record import provenance
from pipeline.record.sessions import Session, record_session
from pipeline.screen import FINDING, console, labelled, output_flag, tool
from pipeline.storage.atomic import in_object_store
from pipeline.storage.locations import copied_back, located, storage_errors_named
from pipeline.storage.parts import (
    Part,
    Range,
    inside,
    items_in,
    missing_by_names,
    missing_from_any,
    not_ok,
    remove,
    remove_unfinished,
    set_aside,
    union,
)
from pipeline.words import counted
from pipeline.work.limits import Limits, check_limits
from pipeline.work.publication import Receipt

FAILED = "failed"
SAME, ANY = "same", "any"
LONGEST_NAME = 100
LIMIT_SHARE = 0.25  # share of a cell's time limit that a chunk should take at most
NO_RESULTS = 1  # an exit status


def planned_run(settings: Settings, search_path: SearchPath | None = None) -> tuple[GridRun, Cluster]:
    """The requested run and its cluster; ConfigError for wrong values.

    settings    : the composed configuration
    search_path : where to look for grids and builders; by default the shipped and the installed ones
    """
    grid = grid_of(settings, search_path)
    cluster = checked_cluster(settings)
    return GridRun(grid, settings.grid, run_id(grid), located(settings.output)), cluster


def run(
    planned: GridRun,
    cluster: Cluster,
    settings: Settings,
    configuration: str,
    command: str,
    search_path: SearchPath | None = None,
) -> Outcome:
    """Compute what is missing of the grid, summarise it and show the summary.

    Parameters
    ----------
    planned, cluster : as from `planned_run`
    settings         : the composed configuration
    configuration    : the text of the settings, kept beside the results
    command          : the command that runs it again
    search_path      : where to look for grids and builders; by default the shipped and the installed ones

    Returns
    -------
    How it ended.
    """
    grid, search_path = planned.grid, search_path or SearchPath(tuple(settings.plugins))
    local = isinstance(cluster, LocalProcesses)
    if not local:
        search_now()  # a run may wait long for other workers
    # not a daemon: C++ imports fail when Python ends during them
    preparation = Thread(target=prepare_summary, args=[planned, search_path], kwargs={"figures": not local})
    notices: list[str] = []

    def notify(words: str) -> None:
        note(words)
        notices.append(words)

    with storage_errors_named(settings.output, writes=True), ExitStack() as beside:
        if settings.redo or missing_by_names(map(planned.folder, grid.tables), grid.items):
            if local:
                start_fork_server(planned.package)  # first, because it loads the workers' imports beside our own
            grid.prepare(notify)
        with held(planned.results) as hold:
            digests = inspected([], settings.plugins, str(Path.cwd()))
            plugins = {name: digests[name] for name in map(code_name, settings.plugins)}
            if changed := provenance.changed_plugins(planned, plugins):
                note(
                    f"{changed} changed after this run began: existing rows are kept; redo=failed computes failed cells"
                    f" again; to compute all rows again, type {tool('trash')} {planned.id}"
                    f"{output_flag(planned.output)}, and then this command"
                )
            changes = provenance.begin(planned, configuration, command, notices, plugins)
            for folder in (*map(planned.folder, grid.tables), planned.record_folder, planned.summaries):
                remove_unfinished(folder)
            with watched() as stop:
                work = _Work(planned, cluster, settings, stop, hold, beside, preparation)
                parts = work.until_complete()
                hold.check()
                parts = compacted(planned, parts, stop.__bool__)
            if changes and work.session is None:
                note(f"this run was made with {'; '.join(changes)}: its rows are kept and summarised again")
            if preparation.ident is not None:
                preparation.join()
            search_now()
            in_other_process = forked if work.session and local else None
            summary = summarise(planned, parts, search_path, work.views, in_other_process, work.draw)
            _show(planned, summary, command, work.session, search_path)
    return Outcome(
        0 if summary.has_results else NO_RESULTS, planned.id, summary.finding, str(planned.output), planned.name
    )


def checked_cluster(settings: Settings) -> Cluster:
    """The cluster of the configuration; ConfigError for wrong values, before anything is written."""
    if not settings.grid.replace("_", "").replace("-", "").isalnum() or len(settings.grid) > LONGEST_NAME:
        expected = f"expected at most {LONGEST_NAME} letters, digits, _ and -, because a folder gets this name"
        raise ConfigError(f"grid is {settings.grid!r}: {expected}")
    at_least(1).check("chunk", settings.chunk, null=True)
    Rule(f"'{SAME}' or '{ANY}'", {SAME, ANY}.__contains__).check("versions", settings.versions)
    _check_output(settings.output)
    Rule(f"'{FAILED}'", FAILED.__eq__).check("redo", settings.redo, null=True)
    check_limits(settings.limits)
    return cluster_of(settings.cluster)


def _check_output(output: str) -> None:
    """Raise ConfigError if there can be no such folder, or it cannot be written to."""
    if not output.strip():
        raise ConfigError("`output` is empty: give a folder")
    location = located(output)
    if in_object_store(location):
        if location.protocol == "memory":  # type: ignore[attr-defined] # of universal_pathlib's
            raise ConfigError(
                f"`output` is {output}, a folder in the memory of this process, and it is lost when the process ends: "
                "give a folder, or an address such as s3://bucket/prefix"
            )
        return
    try:
        with suppress(FileNotFoundError, NotADirectoryError):
            os.stat(location)  # noqa: PTH116 - Path.exists of Python 3.14 hides why there can be no such folder
        there = next(folder for folder in (location, *location.absolute().parents) if os.path.lexists(folder))
        kind = "a link to a folder that does not exist" if there.is_symlink() else "not a folder"
        why = "" if there.is_dir() else f"{there} is {kind}"
        if not why and not os.access(there, os.W_OK | os.X_OK):
            why = f"{there} is not writable"
    except (OSError, ValueError) as error:  # such as a name that is too long, or has a null byte
        why = f"there can be no such folder ({getattr(error, 'strerror', None) or error})"
    if why:
        raise ConfigError(f"`output` is {output}, but {why}: give a folder that you can write to")


@dataclass(eq=False)
class _Work:
    """The computation of what is missing of a run.

    beside      : at its end, ends the process that draws figures
    preparation : imports what the summary needs; it starts when workers are ready
    draw        : draws the figures of the summary in a process of its own; None if no such process was started
    published   : the items of the part files that workers have published
    session     : the record of this computation; None if nothing was missing
    views       : the views of the summary that workers computed
    """

    planned: GridRun
    cluster: Cluster
    settings: Settings
    stop: StopRequest
    hold: Hold
    beside: ExitStack
    preparation: Thread
    draw: Draw | None = None
    published: list[Range] = field(default_factory=list)
    session: Session | None = None
    views: tuple[PartialViews, ...] = ()

    def until_complete(self) -> dict[str, tuple[Part, ...]]:
        """Compute until nothing is missing, and return the part files of every table."""
        planned, mixed = self.planned, self.settings.versions == ANY
        again: list[Range] = []
        if self.settings.redo == FAILED:
            provenance.record_versions(planned, begun=True, mixed=mixed)
            _set_aside_failed(planned)
        while True:
            parts = _scanned(planned)
            left = missing_from_any(parts.values(), planned.grid.items)
            if not left:
                return parts
            # each item has the rows of one computation in all tables: another one may have met a limit
            stale = set(inside(chain(*parts.values()), left))
            parts = {table: tuple(part for part in of_table if part not in stale) for table, of_table in parts.items()}
            planned.grid.check_rows(parts[RESULTS_TABLE])
            provenance.record_versions(planned, begun=any(parts.values()), mixed=mixed)
            set_aside(part.path for part in stale)
            self._compute(replace(planned, grid=planned.grid.knowing(parts[RESULTS_TABLE])), left)
            again = wait_until_listed(planned, self.published, again, self.stop.__bool__)

    def _compute(self, run: GridRun, left: list[Range]) -> None:
        """Compute what is missing, with the knowledge of the run's rows so far."""
        from pipeline.driver.part_views import views_by_workers
        from pipeline.driver.submission import submit_all

        grid = run.grid
        limits = Limits.of(self.settings.limits, self.cluster.wanted if self.cluster.on_this_machine else None)
        done = grid.items - items_in(left)
        if done:
            note(f"done already: {done:,} of {grid.items:,} {grid.noun}")
        for change in provenance.changed_code(run):
            note(change)
        totals = SessionTotals()
        for_workers = replace(run, output=run.output.absolute())  # they may have another working folder
        chunks = Chunks(
            left, grid, self.cluster.wanted or 1, self.settings.chunk, most_seconds=limits.seconds * LIMIT_SHARE
        )
        outcome = "failed"
        try:
            with (
                copied_back(run.record_folder, None if self.cluster.on_this_machine else Path.cwd()) as record_folder,
                self.cluster.opened(record_folder, self.settings.plugins, for_workers.results) as workers,
                Progress(run, kind_of(self.settings.cluster), self.cluster.wanted, done) as progress,
            ):

                def on_receipt(receipt: Receipt) -> None:
                    self.hold.check()
                    self.published.extend((part.first, part.stop) for part in receipt.parts)
                    totals.add(receipt)
                    progress.add(receipt)

                if self.preparation.ident is None:
                    self.preparation.start()
                    if isinstance(self.cluster, LocalProcesses):
                        self.draw = self.beside.enter_context(drawing(self.planned, forked))
                submit_all(
                    progress.reporting(workers), for_workers, chunks, limits, self.stop, on_receipt, resumed=done > 0
                )
                self.views = views_by_workers(workers, for_workers, self.stop.__bool__)
            outcome = "complete"
        except StoppedError as error:
            outcome = "stopped"
            raise StoppedError(
                f"{error}; done: {done + totals.items:,} of {grid.items:,} {grid.noun}", self.stop.number or 0
            ) from error
        finally:
            self.session = totals.session(chunks.workers, outcome)
            record_session(run.record_folder, self.session)


def _set_aside_failed(planned: GridRun) -> None:
    """Set aside every part file of the items that have a row whose status is not ok."""
    parts = [part for table in planned.grid.tables for part in planned.scan(table).parts]
    failed = not_ok(parts)
    set_aside(part.path for part in parts if any(part.first < stop and first < part.stop for first, stop in failed))
    if items := items_in(union(failed)):
        note(f"computing {items:,} of {planned.grid.items:,} {planned.grid.noun} again, because of failed cells")


def _scanned(planned: GridRun) -> dict[str, tuple[Part, ...]]:
    """The verified part files of every table; the others are set aside or removed."""
    scans = {table: planned.scan(table) for table in planned.grid.tables}
    for scan in scans.values():
        if scan.doubled:
            remove(scan.doubled)
            note(f"removed {counted(len(scan.doubled), 'part file')}: other part files have the same rows")
        for path, why in scan.rejected.items():
            twice = why.startswith("covers items")
            note(f"{path} {why}: the file is set aside" + ("" if twice else ", and missing rows are computed again"))
        set_aside(scan.rejected)
    return {table: scan.parts for table, scan in scans.items()}


def _show(
    planned: GridRun, summary: GridSummary, command: str, session: Session | None, search_path: SearchPath
) -> None:
    """Show the summary, where its files are, and what to do next."""
    grid = planned.grid
    out = console(markup=False)  # titles and names are texts of users
    with faults_named(planned):
        screen = summary.screen(out.width)
    for shown in screen:
        out.print(shown)
    files = [*(f"{document.name}.csv" for document in summary.documents), *(path.name for path in summary.figures)]
    done = f"{grid.items:,} of {grid.items:,} {grid.noun} by earlier commands; summarised again"
    if session:
        computed = f"{session.items:,} of {grid.items:,} {grid.noun}"
        done = f"{computed} in {session.wall_seconds:.1f} s on {counted(session.workers, 'worker')}"
    where = f"--run {planned.id}{output_flag(planned.output)}"
    plugins = f" --plugins {shlex.quote(','.join(search_path.plugins))}" if search_path.plugins else ""
    example = f"{grid.example} " if grid.example else ""
    out.print()
    lines = (
        (FINDING, summary.finding),
        ("Run", planned.id),
        ("Command", command),
        ("Done", done),
        ("Results", str(planned.results)),
        ("Summaries", str(planned.summaries)),
        ("", ", ".join(files)),
        ("Next", f"{tool('show')} {example}{where}{plugins}"),
        ("", f"{tool('query')} {grid.question} {where}"),
        ("", f"{tool('report')} {where}{plugins}"),
    )
    labelled(lines)
