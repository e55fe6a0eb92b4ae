"""Writes a run's summary: tables and figures, the rebuilt trees, and finally `summary.json` for all readers."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from pipeline.discovery import SearchPath, conf_folder, grids
from pipeline.driver.drawing import Draw, Figures
from pipeline.driver.rebuilt_trees import InOtherProcess, rebuilt_trees
from pipeline.errors import ConfigError, OrchardError, raised_in
from pipeline.garbage import search_now
from pipeline.grid import RESULTS_TABLE, Grid, GridSummary, PartialViews
from pipeline.plain_text import note
from pipeline.plan import GridRun
from pipeline.record.environment import ORCHARD, code, installed
from pipeline.record.kept import chosen
from pipeline.record.requested_keys import default_keys, requested_keys
from pipeline.record.runs import kept_runs
from pipeline.storage.locations import copied_back, copies, listed, listed_with_sizes, storage_errors
from pipeline.storage.parts import Part, Range, items_in, missing_from_any, sizes
from pipeline.summary.exact_json import encoded
from pipeline.summary.failures import failures
from pipeline.summary.record import (
    NAME,
    MadeFrom,
    SummaryRecord,
    UnreadableSummaryError,
    read_summary,
    write_summary,
)
from pipeline.summary.tables import FORMS, SummaryTable

FIGURE_FORMS = (".svg", ".png")
"""The endings of a figure's files."""


def prepare_summary(run: GridRun, search_path: SearchPath, *, figures: bool) -> None:
    """Import the modules of a run's summary, and find what it compares and records, while workers compute.

    figures : whether they are drawn in this process

    Failures here are not errors yet: they are reported when the summary is made.
    """
    with suppress(Exception):
        import duckdb  # noqa: F401 - the summary's queries import both only when they are asked

        import pipeline.storage.part_files  # noqa: F401

        run.grid.load_summary(figures=figures)
        default_keys(run, search_path)
        code()
    search_now()


def summarise(
    run: GridRun,
    parts: Mapping[str, Sequence[Part]],
    search_path: SearchPath | None = None,
    views: Sequence[PartialViews] = (),
    in_other_process: InOtherProcess | None = None,
    draw: Draw | None = None,
) -> GridSummary:
    """Write the summary of a run from the verified parts of its tables.

    Tables and figures of a former summary of the run, such as one with another `summary=`, are removed. Trees are
    rebuilt and figures drawn while the tables are written. If a tree cannot be rebuilt, `summary.json` says why.
    Figures of a shipped grid are not drawn again if its rows, tables, keys and our code have not changed since.

    search_path      : where to look for the grid of a record, to rebuild its trees
    views            : views of some of the result part files, already computed
    in_other_process : calls a function there, such as the one that rebuilds trees
    draw             : draws figures in another process
    """
    search_path = search_path or SearchPath()
    former = _former(run)
    keys = requested_keys(run, search_path)
    part_sizes = {table: _sizes_by_name(run.folder(table), of_table) for table, of_table in parts.items()}
    made_from = MadeFrom(part_sizes, installed(ORCHARD), code())
    # only of a shipped grid, because a plugin's code is not in the digest of `made_from`
    shipped = search_path == SearchPath() and run.name in grids((conf_folder(),))
    unchanged = former if former and shipped and (former.made_from, former.requested) == (made_from, keys) else None
    if NAME in listed(run.summaries):
        (run.summaries / NAME).unlink(missing_ok=True)  # it would seem to describe the new tables
    with faults_named(run):
        summary = run.grid.summarise(parts, views)
    with (
        rebuilt_trees(run, summary.trees, former, search_path, in_other_process) as trees,
        copied_back(run.summaries) as folder,
    ):
        existing = _figures_of(unchanged, run.summaries, summary.documents)
        drawing = draw(parts, summary.rows, folder) if draw and not existing else lambda: existing
        with faults_named(run):
            summary = _written(run.grid, summary, parts, folder, drawing)
        figures = {path.name: path.stat().st_size for path in summary.figures}
        kept = {name for document in summary.documents for name in document.file_names} | figures.keys()
        _remove_others(run.summaries, kept)
        rebuilt = trees()
    record = SummaryRecord(
        run=run.id,
        grid=run.name,
        meaning=search_path.grids().get(run.name, ""),
        finding=summary.finding,
        has_results=summary.has_results,
        items=run.grid.items,
        rows=sum(part.rows for part in parts[RESULTS_TABLE]),
        tables=summary.documents,
        figures=figures,
        trees=rebuilt,
        failures=failures(parts[RESULTS_TABLE]),
        requested=keys,
        made_from=made_from,
    )
    try:
        write_summary(record, run.summaries)
    except UnreadableSummaryError as error:
        note(f"run {run.id} has tables, but no page in the report: {error}")
    return summary


def _written(
    grid: Grid, summary: GridSummary, parts: Mapping[str, Sequence[Part]], folder: Path, drawing: Figures
) -> GridSummary:
    """Write the tables of a summary, and draw its figures unless `drawing` gives them."""
    for document in summary.documents:
        document.write(folder)
    figures = drawing()
    return replace(summary, figures=grid.draw(parts, summary.rows, folder) if figures is None else figures)


def summarise_again(run: GridRun, search_path: SearchPath | None = None) -> None:
    """Write the summary of a complete run from its verified part files.

    Raises OrchardError: the run is not complete, or a part file cannot be read.
    """
    with copies(run.output) as kept:
        parts, left, reasons = _scanned(run, kept)
        if left:
            incomplete = f"lacks {items_in(left):,} of {run.grid.items:,} {run.grid.noun}"
            raise OrchardError("; ".join([incomplete, *reasons[:3]]))
        summarise(run, parts, search_path)


def _scanned(run: GridRun, copies: Path | None = None) -> tuple[dict[str, tuple[Part, ...]], list[Range], list[str]]:
    """The verified part files of each table, the items that some table lacks, and why other files do not count."""
    scans = {table: run.scan(table, copies) for table in run.grid.tables}
    parts = {table: scan.parts for table, scan in scans.items()}
    reasons = [f"{path.name} {why}" for scan in scans.values() for path, why in scan.rejected.items()]
    return parts, missing_from_any(parts.values(), run.grid.items), reasons


@contextmanager
def faults_named(run: GridRun) -> Iterator[None]:
    """Turn an error in the summary of a user's grid into an OrchardError with its file and line."""
    try:
        yield
    except OrchardError:
        raise
    except storage_errors():
        raise
    except (Exception, SystemExit) as error:
        folder = run.grid.summary_folder
        if folder is None:
            raise
        raise OrchardError(
            f"the summary of grid '{run.name}' failed in {raised_in(error, folder)}\nthe rows are "
            "kept: change the summary and run the same command again"
        ) from error


def _former(run: GridRun) -> SummaryRecord | None:
    """The existing summary, if the same code made it; its trees need not be rebuilt."""
    try:
        record = read_summary(run.summaries, run.id, run.name)
    except UnreadableSummaryError:
        return None
    return record if record.made_from.code == code() else None


def _figures_of(former: SummaryRecord | None, folder: Path, tables: Sequence[SummaryTable]) -> tuple[Path, ...] | None:
    """The figures of a former summary of the same rows, if it had the same tables and all files are as large still."""
    if former is None or [*map(encoded, former.tables)] != [*map(encoded, tables)]:
        return None
    unchanged = former.figures.items() <= dict(listed_with_sizes(folder)).items()
    return tuple(folder / name for name in former.figures) or None if unchanged else None


def _sizes_by_name(folder: Path, parts: Sequence[Part]) -> dict[str, int]:
    """The names of part files with their sizes in bytes, 0 for missing files."""
    existing = sizes(folder)
    return {part.path.name: existing.get(part.path.name, 0) for part in parts}


def _remove_others(folder: Path, kept: Container[str]) -> None:
    """Remove the summary tables and figures of a folder that are not kept, in every format."""
    existing = set(listed(folder))
    for stem in {Path(name).stem for name in existing}:
        for forms in (FORMS, FIGURE_FORMS):
            files = {f"{stem}{form}" for form in forms}
            if files <= existing and not any(file in kept for file in files):
                for file in files:
                    (folder / file).unlink(missing_ok=True)


def summarised(output: Path, run: str, folder: Path) -> GridSummary:
    """Write tables and figures of a run into a folder, as `pipeline.summarise`."""
    runs = kept_runs(output)
    of_grid = [grid_run for grid_run in runs if grid_run.name == run]
    planned = of_grid[-1] if of_grid else chosen(runs, run, output)
    parts, left, reasons = _scanned(planned)
    if left:
        incomplete = "; ".join([f"run {planned.id} of grid {planned.name} is not complete", *reasons])
        raise ConfigError(f"{incomplete}; to compute the rest, run the command of the run again")
    folder.mkdir(parents=True, exist_ok=True)
    return _written(planned.grid, planned.grid.summarise(parts), parts, folder, lambda: None)
