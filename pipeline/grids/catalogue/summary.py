"""The summary of the catalogue: the contents of each data set, and the missing ones."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from pipeline.grammar.columns import Key, Known, Row, Value, titled
from pipeline.grammar.findings import does, listed, listing
from pipeline.grammar.summary import Results, Summary
from pipeline.grammar.table import Table
from pipeline.words import counted, first_of, out_of

COUNTS = (
    *("rows", "nominal", "numeric", "classes", "missing_cells", "missing_classes", "distinct_rows", "contradictions"),
)
SHOWN = {
    "rows": "rows",
    "nominal": "nominal",
    "numeric": "numeric",
    "classes": "classes",
    "missing_cells": "missing\ncells",
    "distinct_rows": "distinct\nrows",
    "contradictions": "contra-\ndictory",
}
NUMBERS_WIDTH = 60  # width of all columns except the names
MOST_NAMED = 8


def _note(rows: Sequence[Row]) -> str:
    undeclared = list(dict.fromkeys(row["source"] for row in rows if not row["_declared"]))
    unknown = f", except for {listed(undeclared)}, for which the catalogue has none" if undeclared else ""
    return (
        f"n = {counted(len({row['source'] for row in rows}), 'data set')}. distinct_rows: rows with different values "
        "of the attributes, where missing is a value too; contradictions: distinct rows with more than one class. "
        "fingerprint: of the content, not of the bytes; if the status is ok, it equals that of the "
        f"catalogue{unknown}."
    )


def _finding(results: Results) -> list[str]:
    """Count the data sets whose contents match the catalogue, and those without a fingerprint."""
    rows, sentences = results.rows(DATA_SETS), []
    failed = {row["source"] for row in rows if row["status"] != "ok"}
    declared, free = ({row["source"] for row in rows if row["_declared"] is known} for known in (True, False))
    if declared:
        good = out_of(len(declared - failed), len(declared), "data set")
        its = "its" if len(declared) == 1 else "their"
        sentences.append(f"{good} {does('agree', len(declared))} with {its} description in the catalogue")
    if free:
        nouns = ("data set without a fingerprint", "data sets without a fingerprint")
        read = out_of(len(free - failed), len(free), *nouns)
        sentences.append(
            f"{read} could be read; the catalogue has nothing to compare {'it' if len(free) == 1 else 'them'} with"
        )
    return sentences


def _screen(results: Results, width: int) -> list[RenderableType]:
    """A line for each part, then the data sets that differ from the catalogue."""
    rows = results.rows(DATA_SETS)
    read = [(titled(row), *(f"{row[name]:,}" for name in SHOWN)) for row in rows if row["status"] == "ok"]
    names_width = max(12, width - NUMBERS_WIDTH)
    shown = listing("Data sets", ("", *SHOWN.values()), read, names=names_width, apart=1)
    failed = [row for row in rows if row["status"] != "ok"]
    lines = []
    if failed:
        first, *others = failed
        lines.append(f"the first failure: {first['error']}")
        if others:
            names = first_of([row["source"] for row in others], MOST_NAMED)
            lines.append(f"the others: {names}; data_sets.csv has the reasons")
        lines.append("run the same command to try them again")
    return [shown, "", Text("\n".join(lines))]


DATA_SETS = Table(
    "data_sets",
    "Data sets of the catalogue",
    of="data_sets",
    columns=[
        Key("source"),
        Key("part"),
        *(Value(name) for name in (*COUNTS, "fingerprint", "status", "error")),
        Known("_declared", "declared"),
    ],
    beside="ours join known using (source)",
    order="_position",
    note=_note,
)
SUMMARY = Summary(
    tables=(DATA_SETS,),
    finding=_finding,
    screen=_screen,
    has_results=lambda results: any(row["status"] == "ok" for row in results.rows(DATA_SETS)),
    nothing="",
    cell="",
)
