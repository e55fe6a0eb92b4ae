"""`python -m pipeline.report`: a page for each complete run of an output folder, and an index over all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from rich.markup import escape

from pipeline.discovery import SearchPath
from pipeline.errors import ConfigError, OrchardError, OutputError
from pipeline.plain_text import note
from pipeline.record.environment import ORCHARD, installed
from pipeline.record.kept import (
    PLUGINS,
    KeptRun,
    chosen,
    current_summary,
    kept_below,
    note_left_out,
    nothing_there,
    stored_runs,
)
from pipeline.report.drawings import figures_of, trees_of
from pipeline.report.index import UnreadableRunError, write_index
from pipeline.report.page import is_written, page, page_inputs
from pipeline.report.runs import ReportedRun, reported
from pipeline.report.several import INDEX, MOST_RUNS, comparison_page, write_comparison
from pipeline.screen import console, labelled
from pipeline.status.state import Status, resume_command, status_of
from pipeline.storage.atomic import in_object_store, write_atomically
from pipeline.storage.locations import located, storage_errors
from pipeline.summary.record import SummaryRecord, UnreadableSummaryError, read_summary
from pipeline.tools import exit_status, parser_of_runs
from pipeline.words import counted

REPORT = "report"
"""The folder of its pages, inside that of the results."""
NOTHING_REPORTED = 1  # an exit status


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the report of an output folder, or the page of one run; return the exit status."""
    parser = parser_of_runs(
        "report",
        "Write a page of HTML for each complete run, and an index over all runs, into OUTPUT/report.",
        run="write only the page of this run (id or its first characters), and no index",
    )
    parser.add_argument(
        "--compare", nargs="+", metavar="RUN", help="write only a page that compares these runs of a grid"
    )
    parser.add_argument("--plugins", **PLUGINS)
    options = parser.parse_args(arguments)

    def write() -> int:
        output = located(options.output)
        if options.compare:
            return _compare(output, options.compare)
        if options.run is not None:
            return _write_pages(output, options.run, SearchPath(tuple(options.plugins)))
        return 0 if write_report(output, options.plugins) else NOTHING_REPORTED

    return exit_status("report", write, options.output, writes=True)


def _write_pages(output: Path, run: str, search_path: SearchPath) -> int:
    """Write the page of a run, and those of runs with the same id of other grids, the newest first."""
    runs, folder = stored_runs(output), output / REPORT
    wanted = chosen(runs, run, output).id
    for kept in (kept for kept in reversed(runs) if kept.id == wanted):
        result = _reported(kept, search_path)
        if isinstance(result, Status):
            how = "" if result.driven else f"; resume it with: {resume_command(result)}"
            raise ConfigError(
                f"run {kept.id} is {result.state} with {result.progress} done: only complete runs have a page{how}"
            )
        _write_page(result, folder, index=(folder / INDEX).exists())
        _show_address(folder / result.page)
    return 0


def _compare(output: Path, ids: Sequence[str]) -> int:
    """Write the page that compares runs."""
    from pipeline.query.comparison import compared, runs_to_compare

    runs = runs_to_compare(output, ids)
    rows = compared(runs) if len(runs) == 2 else None
    _show_address(write_comparison(output / REPORT, runs, rows))
    return 0


def write_report(output: Path, plugins: Sequence[str] = ()) -> list[ReportedRun]:
    """Write the pages of all complete runs, newest first, and the index, which also lists runs without a page.

    An unchanged page is left as it is. A run whose summary cannot be used is first summarised again, as its own command
    does.

    plugins : packages besides `algorithms` whose builders may be imported to rebuild trees

    Raises ConfigError: there is no run, and no index to write again.
    """
    rejected: list[UnreadableRunError] = []

    def leave_out(what: object, why: str) -> None:
        note_left_out(what, why)
        rejected.append(UnreadableRunError(str(what), why))

    @contextmanager
    def leaving_out() -> Iterator[None]:
        try:
            yield
        except UnreadableRunError as error:
            leave_out(error.name, error.why)

    runs = kept_below(output, leave_out)
    folder, search_path = output / REPORT, SearchPath(tuple(plugins))
    if not runs and not rejected and not (folder / INDEX).exists():
        raise nothing_there(output)
    pages: list[ReportedRun] = []
    waiting: list[Status] = []
    complete: list[ReportedRun] = []
    for run in reversed(runs):
        with leaving_out():
            result = _reported(run, search_path)
            if isinstance(result, ReportedRun):
                complete.append(result)
            else:
                waiting.append(result)
    beside_each = neighbours(complete)
    for reported_run in complete:
        beside = beside_each.get((reported_run.run.name, reported_run.run.id), "")
        with leaving_out():
            _write_page(reported_run, folder, index=True, beside=beside)
            pages.append(reported_run)
    pages.sort(key=lambda page: page.provenance.finished, reverse=True)
    write_index(folder, pages, waiting, rejected, output, search_path)
    if waiting and not pages:
        note("no run is complete, so no run has a page yet: the index says how to resume each run")
    _show_address(folder / INDEX)
    return pages


def neighbours(runs: Sequence[ReportedRun]) -> dict[tuple[str, str], str]:
    """By grid and id of a run, the page that compares it with the previous run of its grid, else the next.

    A run that is the only one, or older than those that the page compares, has none.
    """
    by_grid: dict[str, list[str]] = {}
    for run in sorted(runs, key=lambda run: run.provenance.finished):
        by_grid.setdefault(run.run.name, []).append(run.run.id)
    return {
        (grid, run): f"{quote(comparison_page(grid))}#{run},{ids[index - 1 if index else 1]}"
        for grid, all_ids in by_grid.items()
        if len(ids := all_ids[-MOST_RUNS:]) > 1
        for index, run in enumerate(ids)
    }


def _reported(run: KeptRun, search_path: SearchPath) -> ReportedRun | Status:
    """The report of a run, or its status if it is not complete.

    Any error is an UnreadableRunError: a faulty run does not stop the others.
    """
    status: Status | None = None
    try:
        status = status_of(run)
        return status if status.left else reported(run, current(run, search_path))
    except Exception as error:
        mend = f"; this command makes the summary again: {resume_command(status)}" if status else ""
        raise _unreadable(run, error, mend) from error


def _write_page(run: ReportedRun, folder: Path, *, index: bool, beside: str = "") -> None:
    """Write the page of a run unless it is up to date, say so, and how many trees it lacks for which reason.

    index  : whether there is an index to link to
    beside : the page that compares the run with another

    Raises UnreadableRunError: the page cannot be made, for whatever reason.
    """
    back, content = INDEX if index else None, None
    try:
        made_from = page_inputs(run, back, beside)
        if not is_written(folder / run.page, made_from):
            content = page(run, figures_of(run), trees_of(run), index=back, beside=beside, made_from=made_from)
    except Exception as error:
        raise _unreadable(run.run, error, "") from error
    how = "unchanged"
    if content is not None:
        encoded = content.encode("utf-8", "replace")
        write_atomically(folder / run.page, encoded)
        how = f"{len(encoded) / 1e6:.2f} MB"
    console().print(f"{escape(run.page)}  {how}", soft_wrap=True)
    for why, trees in Counter(tree.why for tree in run.summary.trees if tree.tree is None).items():
        note(f"{run.page} lacks {counted(trees, 'tree')} that cannot be built again: {why}")


def _unreadable(run: KeptRun, error: Exception, mend: str) -> UnreadableRunError:
    """A run without a page because of an error; `mend` is what to type if the error is one of Orchard's."""
    reported_error = OutputError.of(error, run.output) if isinstance(error, storage_errors()) else error
    why = " ".join(str(reported_error).split()) or type(error).__name__
    if not isinstance(reported_error, OrchardError):
        why = f"cannot be summarised: {type(error).__name__}: {why}"
    elif reported_error is error:
        why = f"{why}{mend}"
    return UnreadableRunError(f"run {run.id} of grid {run.name}", why)


def _show_address(path: Path) -> None:
    """Print what to open."""
    address = str(path) if in_object_store(path) else path.absolute().as_uri()
    labelled([("Open", address)])


def current(run: KeptRun, search_path: SearchPath) -> SummaryRecord:
    """The up-to-date summary of a run that is complete by the names of its part files.

    The engine makes the summary again, from verified part files, if the stored one is missing, is of other part files,
    another format or another version of Orchard, or lacks trees whose data are here now.

    Raises OrchardError: it cannot be made again, and there is none to show instead.
    """
    stored, why = None, ""
    try:
        stored = current_summary(run)
        if stored.made_from.version == installed(ORCHARD) and not stored.lacks_trees:
            return stored
    except UnreadableSummaryError as error:
        why = str(error)
    from pipeline.driver.summarising import summarise_again
    from pipeline.record.runs import OTHER_GRID, grid_run

    try:
        grid = grid_run(run, search_path)
    except Exception as error:  # a record may be of any version, or damaged
        if stored is not None:
            return stored
        raise OrchardError(f"{why}, and {run.record_folder / 'run.json'} {OTHER_GRID}") from error
    summarise_again(grid, search_path)
    try:
        return read_summary(run.summaries, run.id, run.name)
    except UnreadableSummaryError as error:
        raise OrchardError(f"{error}, although the run has just been summarised") from error
