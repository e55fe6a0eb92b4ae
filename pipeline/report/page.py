"""The page of a run, within a size limit."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pipeline.record.environment import code
from pipeline.report.answers import verdicts_by_rule
from pipeline.report.drawings import Picture
from pipeline.report.rendering import assets, environment
from pipeline.report.runs import ReportedRun
from pipeline.report.shown_tables import ShownTable, drawn_trees, rebuildable_trees, shown_table
from pipeline.storage.locations import contents, listed_with_sizes, storage_errors
from pipeline.summary.record import NAME

TABLES_BYTES = 2_500_000
"""Bytes of a page for all its tables. A table that needs less than its share leaves the rest to the next tables."""

NOT_OK_ROWS = (
    "select status, error, count(*) as cells from results where status <> 'ok' group by all order by cells desc"
)

MADE_FROM = "orchard-made-from"
"""The name under which a page stores the digest of its inputs."""


def page(
    reported: ReportedRun,
    figures: Sequence[Picture],
    trees: Sequence[Picture],
    *,
    index: str | None = None,
    beside: str = "",
    made_from: str = "",
) -> str:
    """The page of a run with its figures and trees.

    index     : the name of the page to go back to
    beside    : the page that compares the run with another of its grid; empty if there is none
    made_from : the digest by `page_inputs`
    """
    shown = {"reported": reported, "run": reported.run, "tables": list(_tables(reported, trees))}
    pictures = {"figures": figures, "trees": trees}
    template = environment().get_template("run.html")
    links = {"index": index, "beside": beside}
    texts = {"not_ok_rows": NOT_OK_ROWS, "made_from_name": MADE_FROM, "made_from": made_from}
    return template.render(shown | pictures | links | texts)


def page_inputs(reported: ReportedRun, index: str | None, beside: str = "") -> str:
    """The digest of all inputs of a run's page, including our own code and templates."""
    digest = hashlib.blake2b(digest_size=16)
    for text in (
        *(f"{code()} {assets()}", str(index), beside, str(reported.run.output), reported.run.noun),
        *(repr(reported.provenance), repr(reported.remarks), repr(listed_with_sizes(reported.run.summaries))),
    ):
        digest.update(f"{len(text)}\0{text}".encode("utf-8", "surrogatepass"))
    digest.update(contents(reported.run.summaries / NAME))
    return digest.hexdigest()


def is_written(path: Path, made_from: str) -> bool:
    """Whether a page with the same inputs exists."""
    try:
        return f'<meta name="{MADE_FROM}" content="{made_from}">'.encode() in contents(path)
    except storage_errors():
        return False


def _tables(reported: ReportedRun, trees: Sequence[Picture]) -> Iterator[ShownTable]:
    """The tables of a run, each with a fair share of the remaining bytes."""
    left = TABLES_BYTES
    tables = reported.tables
    numbered = enumerate(zip(trees, reported.summary.trees, strict=False), start=1)
    drawn = {number: recorded.row for number, (picture, recorded) in numbered if picture.svg}
    rebuildable, by_rule = rebuildable_trees(tables), verdicts_by_rule(reported)
    for index, table in enumerate(tables):
        files = [name for name in table.file_names if name in reported.files]
        share = left // (len(tables) - index)
        rule, verdicts = by_rule.get(table.name, ("", {}))
        shown, taken = shown_table(
            table, reported.run.id, str(reported.run.output), files, share, rebuildable, rule=rule, verdicts=verdicts
        )
        left -= taken
        yield replace(shown, drawn=drawn_trees(table, drawn))
