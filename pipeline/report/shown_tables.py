"""A summary table on a page: the meaning of its cells, the query behind its rows, and as many rows as fit."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from markupsafe import escape

from pipeline.report.laid_out import NO_VERDICTS, PaperTable, Verdicts, laid_out
from pipeline.report.rendering import clipped, in_double_quotes, query_command
from pipeline.screen import output_flag
from pipeline.summary.rounding import PRINTED, is_printed, reader_of, with_minus
from pipeline.summary.tables import OUTCOME, VERDICT, SummaryTable, Value
from pipeline.summary.verdicts import Verdict, tally

MOST_ROWS = 500
CELL_BYTES = 40  # of the markup around a cell, and around a row's value in the query
LONGEST_WORD = 40
BETWEEN = "\0"
"""Placeholder for the slots of a query until its pieces are known; SQL does not contain it."""
OPTIONS = {"source": "--source", "group": "--group", "order": "--order", "removed": "--removed", "builder": "--builder"}
"""The options of `show` that select a row, by the columns of its table."""
NODES, WHOLE, MINIMA = "nodes", "all", "exact"
HEURISTIC = ("impurity_type", "uncertainty")
IDENTIFIED = (("source", "builder"), ("source", *HEURISTIC), ("group", *HEURISTIC))
"""The columns of a row whose tree can be found: all of one of these."""
NAMED_IN_TABLES = {"removal_order": "order", "removed_attributes": "removed"}
"""Columns of result rows that summary tables name otherwise."""
WIDTHS = ((80, "prose"), (20, "phrase"))  # characters beyond which a text gets extra width


@dataclass(frozen=True)
class Cell:
    """A value as it is read.

    exact   : the value to sort by, if it differs from the text
    verdict : the verdict whose badge it is
    """

    text: str
    exact: str = ""
    verdict: Verdict | None = None

    @property
    def width(self) -> str:
        """The class of a text that would make its row tall in a narrow column, or whose words may be broken."""
        if len(self.text) > LONGEST_WORD and max(map(len, self.text.split()), default=0) > LONGEST_WORD:
            return "long"
        return next((name for least, name in WIDTHS if len(self.text) > least), "")


@dataclass(frozen=True)
class Row:
    """The cells of a row, and its values for the slots of the query behind it.

    tree : arguments of `python -m pipeline.show` for its tree; empty if it has none
    """

    cells: tuple[Cell, ...]
    slots: tuple[str, ...]
    tree: str = ""

    @property
    def listed(self) -> str:
        """The slots as a JSON list."""
        return json.dumps(self.slots)


@dataclass(frozen=True)
class Query:
    """The command that returns the numbers of a row.

    pieces : the parts of it around its slots
    slots  : the names of these
    """

    pieces: tuple[str, ...]
    slots: tuple[str, ...]


@dataclass(frozen=True)
class ShownTable:
    """A table on a page.

    columns : those that have a value in any row, and not the same text in all
    numeric : for each column, whether it has numbers and no text
    rows    : its first rows, as many as fit
    total   : rows of the whole table
    query   : None: the table has none
    laid    : the tables of the paper whose values it has
    show    : the command to which the `tree` of a row is appended
    empty   : the columns that are left out, since no row has a value
    same    : the text of each column that is left out, since all rows have it
    drawn   : the numbers of the page's trees that are of a row, by its position
    """

    name: str
    title: str
    note: str
    columns: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[Row, ...]
    total: int
    verdicts: dict[Verdict, int]
    files: tuple[str, ...]
    query: Query | None = None
    laid: tuple[PaperTable, ...] = ()
    show: str = ""
    empty: tuple[str, ...] = ()
    same: Mapping[str, str] = field(default_factory=dict)
    drawn: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    @property
    def named(self) -> set[str]:
        """All its columns."""
        return {*self.columns, *self.empty, *self.same}

    @property
    def kinds(self) -> tuple[str, ...]:
        """The classes of each column's cells: n for numbers, printed, judged (verdicts), named (first, if names)."""
        kinds = ["printed" if is_printed(name) else "judged" * (name == VERDICT) for name in self.columns]
        if kinds and not (kinds[0] or any(row.cells[0].width in {"prose", "long"} for row in self.rows)):
            kinds[0] = "named"
        return tuple(
            f"{'n' if numeric else ''} {kind}".strip() for numeric, kind in zip(self.numeric, kinds, strict=True)
        )


def shown_table(
    table: SummaryTable,
    run: str,
    output: str,
    files: Sequence[str],
    limit: int,
    rebuildable: Container[tuple[Value, Value]] = (),
    *,
    rule: str = "",
    verdicts: Verdicts = NO_VERDICTS,
) -> tuple[ShownTable, int]:
    """A table within a size limit on a page, and its size in bytes.

    run, output : used by its query
    files       : names of the files with the whole table
    rebuildable : the data sets and builders whose trees `show` can rebuild
    rule        : of `verdicts`
    verdicts    : on the printed values of a table that has no column of them
    """
    records, numeric = table.records, dict(zip(table.columns, table.numeric(), strict=True))
    values = {name: [row[name] for row in records] for name in table.columns}
    filled = [name for name in values if any(value is not None for value in values[name])]
    same = [name for name in filled if not numeric[name] and _is_same(name, values[name])]
    present = [name for name in filled if name not in same] or filled
    readers = {name: cell_reader(name, values[name]) for name in present}
    rows: list[Row] = []
    size = 0
    for row, text in zip_longest(records[:MOST_ROWS], table.printed[:MOST_ROWS]):
        cells = tuple(_cell(read(row[name]), text if name == PRINTED else None) for name, read in readers.items())
        shown = Row(cells, tuple(map(in_double_quotes, table.slots_of(row))), _tree(row, rebuildable))
        size += _bytes(shown)
        if size > limit:
            break
        rows.append(shown)
    return ShownTable(
        name=table.name,
        title=table.title,
        note=" ".join(filter(None, [table.note, rule])),
        columns=tuple(present),
        numeric=tuple(numeric[name] for name in present),
        rows=tuple(rows),
        total=len(table.rows),
        verdicts=tally(verdicts.values()) or table.verdicts,
        files=tuple(files),
        query=_query(table, run, output),
        laid=tuple(laid_out(table, verdicts)),
        show=f"python -m pipeline.show --run {run}{output_flag(output)}",
        empty=tuple(name for name in values if name not in filled),
        same={name: clipped(str(values[name][0])) for name in same if name not in present},
    ), min(size, limit)


def _is_same(name: str, texts: Sequence[Value]) -> bool:
    """Whether several rows have the same text in a column that is neither a result of tests nor a printed value."""
    return len(texts) > 1 and len(set(texts)) == 1 and name not in (VERDICT, OUTCOME) and not is_printed(name)


def rebuildable_trees(tables: Iterable[SummaryTable]) -> set[tuple[Value, Value]]:
    """The data sets and builders for which tables give nodes, because the fits are trees.

    Tables with a row of minima are left out: for their rows `show` needs a heuristic or a cost.
    """
    grown: set[tuple[Value, Value]] = set()
    for table in tables:
        if {"source", "builder", NODES} <= set(table.columns):
            rows = [(row["source"], row["builder"], row[NODES]) for row in table.records]
            if not any(builder == MINIMA for _, builder, _ in rows):
                grown |= {(source, builder) for source, builder, nodes in rows if None not in (source, nodes)}
    return grown


def drawn_trees(table: SummaryTable, trees: Mapping[int, Mapping[str, Value]]) -> dict[int, tuple[int, ...]]:
    """For each row that has a tree on the page, by its position: the numbers of its trees.

    A tree is of a row of one builder, or one heuristic, if no column of the row says otherwise.

    trees : for the number of each tree, the columns that identify its result row
    """
    if not any(set(identified) <= set(table.columns) for identified in IDENTIFIED):
        return {}
    facts = {number: _facts(tree) for number, tree in trees.items()}
    of_rows = {
        position: tuple(number for number, fact in facts.items() if _is_of(row, fact))
        for position, row in enumerate(table.records[:MOST_ROWS])
    }
    return {position: numbers for position, numbers in of_rows.items() if numbers}


def _facts(tree: Mapping[str, Value]) -> dict[str, Value]:
    """What identifies a tree, as the columns of summary tables: its parameters, too, which a result row has as JSON."""
    try:
        parameters = json.loads(str(tree.get("parameters", "{}")))
    except ValueError:
        parameters = {}
    named = {NAMED_IN_TABLES.get(name, name): value for name, value in tree.items()}
    return named | (parameters if isinstance(parameters, dict) else {})


def _is_of(row: Mapping[str, Value], fact: Mapping[str, Value]) -> bool:
    """Whether a tree's facts are those of a row, in every column that both have, and identify it."""
    values = {name: value for name, value in row.items() if name in fact and value is not None}
    if "part" in fact:
        values.setdefault("part", WHOLE)
    identified = any(set(names) <= set(values) for names in IDENTIFIED)
    return identified and all(fact.get(name) == value for name, value in values.items())


def _tree(row: Mapping[str, Value], rebuildable: Container[tuple[Value, Value]]) -> str:
    """The arguments with which `show` rebuilds the first tree of a row.

    Empty if the row is neither of a heuristic nor of one data set and one builder that grew trees for it.
    """
    values = {name: value for name, value in row.items() if value is not None}
    if values.get("part", WHOLE) != WHOLE or values.get("order") == "random":  # all random orders together
        return ""
    options = [word for name, option in OPTIONS.items() if name in values for word in (option, str(values[name]))]
    if all(name in values for name in HEURISTIC):
        return shlex.join([*options, "--heuristic", "/".join(str(values[name]) for name in HEURISTIC)])
    if (values.get("source"), values.get("builder")) not in rebuildable:
        return ""
    depth = ["--parameters", f"max_depth={values['max_depth']}"] if "max_depth" in values else []
    return shlex.join([*options, *depth])


def _query(table: SummaryTable, run: str, output: str) -> Query | None:
    """The command behind the rows of a table."""
    if not table.question:
        return None
    command = query_command(table.question_between([BETWEEN] * len(table.slots)), run, output)
    return Query(tuple(command.split(BETWEEN)), tuple(name for name, _ in table.slots))


def cell_reader(column: str, values: Sequence[Value]) -> Callable[[Value], Cell]:
    """The function that makes the cells of a column's values."""
    written = reader_of(column, values)

    def read(value: Value) -> Cell:
        if value is None:
            return Cell("")
        if isinstance(value, str):
            known = column == VERDICT and value in list(Verdict)
            return Cell(clipped(value), verdict=Verdict(value) if known else None)
        exact = text = repr(float(value)) if isinstance(value, float) else str(value)
        if isinstance(value, float):
            text = written(value)
        text = with_minus(text)
        return Cell(text, exact if text != exact else "")

    return read


def _cell(cell: Cell, text: str | None) -> Cell:
    """The cell of a printed value, with its text in the paper if that is known."""
    return replace(cell, text=text, exact=cell.exact or cell.text) if text else cell


def _bytes(row: Row) -> int:
    """Approximate bytes of a row on a page."""
    texts = [word for cell in row.cells for word in (cell.text, cell.exact)]
    written = escape("".join([*texts, row.listed, row.tree])).encode("utf-8", "replace")
    return len(written) + CELL_BYTES * (len(row.cells) + 2)
