"""The declaration of a grid's summary, and how it is computed from the part files of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
from rich.text import Text

from pipeline.arrow_arrays import array_of, table_of_rows
from pipeline.drawing.figures import ROW
from pipeline.grammar.by_part import ByPart, opened
from pipeline.grammar.columns import Row, titled
from pipeline.grammar.table import Table, executed
from pipeline.grid import RESULTS_TABLE, GridSummary, NotableTree, PartialViews, TableRows
from pipeline.sql import identifier
from pipeline.storage.parts import Part
from pipeline.summary.tables import FILE, FORMS, SummaryTable
from pipeline.words import out_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from rich.console import RenderableType


@dataclass(frozen=True)
class Results:
    """The results of a summary: the rows of its tables, and answers to further queries of the run's rows.

    Parameters
    ----------
    open : callable
        Opens the database of the run's rows at the first query.
    tables : mapping
        The rows of each table, keyed by its name.
    context : mapping
        What the grid reports about itself, such as `builders`: their names in order.
    """

    open: Callable[[], DuckDBPyConnection]
    tables: Mapping[str, Sequence[Row]]
    context: Mapping[str, Any]

    @cached_property
    def connection(self) -> DuckDBPyConnection:
        """The database of the run's rows."""
        return self.open()

    def rows(self, table: Table) -> Sequence[Row]:
        """The rows of a table; empty if the table was left out."""
        return self.tables.get(table.name, ())

    def query(self, question: str, **values: Any) -> list[Row]:
        """The rows that a query returns; `$name` in it is replaced by a value."""
        answer = self.connection.execute(question, values) if values else self.connection.execute(question)
        names = [column[0] for column in answer.description or ()]
        return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]

    def beside(self, table: Table, question: str, *names: str) -> list[Row]:
        """The rows that a query returns, each with the page element of the row of a table that has the same values."""
        elements = {tuple(row[name] for name in names): row[ROW] for row in self.rows(table)}
        return [row | {ROW: elements[tuple(row[name] for name in names)]} for row in self.query(question)]


@dataclass(frozen=True)
class Summary:
    """The declaration of a summary.

    Parameters
    ----------
    tables : sequence of Table or callable
        The tables, in the order in which readers see them. If the columns depend on the run, a function that makes the
        table from the grid's context.
    finding : callable or None
        States the result of the run: a text, or clauses, the first of which compares it with the paper if possible. By
        default, how many cells were computed.
    closing : callable
        Further clauses. Those of a section of a comparison come after the findings of all sections.
    views : mapping
        SQL views over the run's tables and over each other, keyed by name. Tables take observations from them.
    by_part : ByPart or None
        The views that are computed part file by part file, for runs of many millions of rows.
    printed : Path or None
        A folder of CSVs of printed values. Each becomes a view `printed_<stem>` with a column `place`, the row number.
    constants : mapping
        Further small tables keyed by name. Each is a sequence of rows, or of texts as `of` takes them.
    figures : sequence of callable
        Each draws into a folder and returns the written files.
    screen : callable or None
        Makes what the terminal shows, for a width in columns. By default the tables as they are written.
    trees : callable
        Chooses the few trees that a reader wants to see. By default none.
    cell : str
        Name of what a result row is about, used to count failures. If empty, `finding` and `screen` report failures.
    failed : str
        SQL condition that is true for a failed cell.
    failures_in : str
        The table that lists failures, if there is one of this name; otherwise only `query` lists them.
    has_results : callable
        Whether there is anything to report. By default, whether any result row is ok.
    nothing : str
        The finding if there is nothing to report; `{cell}` in it is replaced by `cell`. If empty, `finding` says so.
    """

    tables: Sequence[Table | Callable[[Mapping[str, Any]], Table]] = ()
    finding: Callable[[Results], Sequence[str]] | None = None
    closing: Callable[[Results], Sequence[str]] = lambda _: ()
    views: Mapping[str, str] = field(default_factory=dict)
    by_part: ByPart | None = None
    printed: Path | None = None
    constants: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    figures: Sequence[Callable[[Results, Path], Sequence[Path]]] = ()
    screen: Callable[[Results, int], list[RenderableType]] | None = None
    trees: Callable[[Results], Sequence[NotableTree]] = lambda _: ()
    cell: str = "fit"
    failed: str = "status <> 'ok'"
    failures_in: str = "accuracies"
    has_results: Callable[[Results], bool] | None = None
    nothing: str = "Nothing was tested: every {cell} failed."

    def __post_init__(self) -> None:
        """Raise ValueError if the tables or the figures are not a sequence, or if two tables have one name."""
        for name, values, example in (("tables", self.tables, "TABLE"), ("figures", self.figures, "draw")):
            if not isinstance(values, list | tuple):
                raise ValueError(f"`{name}` is a {type(values).__name__}: expected a tuple, such as ({example},)")
        names = [table.name for table in self.tables if isinstance(table, Table)]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(
                f"two tables of the summary have the name {twice[0]!r}: rename one of them, because files get this name"
            )

    def of(
        self, parts: Mapping[str, Sequence[Part]], computed: Sequence[PartialViews] = (), **context: Any
    ) -> GridSummary:
        """Compute the summary; nothing is written or drawn.

        Parameters
        ----------
        parts : mapping
            The verified part files of each table of the run, in order.
        computed : sequence of PartialViews
            Views already computed from some of the results' part files, for `by_part`.
        context : Any
            What the grid reports about itself. A sequence of texts becomes a table of that name with columns `name` and
            `place`; a sequence of rows becomes a table of these rows.
        """
        with self._computed(parts, context, computed) as results:
            documents = tuple(
                table.written_as(results.rows(table), self.views)
                for table in self._tables(context)
                if table.written and table.name in results.tables
            )
            counts = self.cell or not self.has_results
            failed, cells, first = _failed_cells(results, self.failed) if counts else (0, 0, None)
            has_results = self.has_results(results) if self.has_results else failed < cells
            failures = f"{out_of(failed, cells, self.cell)} failed" if failed and self.cell else ""
            if has_results or not self.nothing:
                clauses = self._clauses(results) or [f"{out_of(cells - failed, cells, self.cell)} computed"]
                clauses.append(failures if has_results else "")
            else:
                clauses = [self.nothing.format(cell=self.cell)]
            failures_in = self.failures_in if self.failures_in in results.tables else ""
            return GridSummary(
                has_results=has_results,
                finding=_sentence(clauses),
                documents=documents,
                trees=tuple(_checked_list("trees", self.trees(results), NotableTree, "a list of NotableTree")),
                screen=self._screen(results, documents, _failure_lines(failures, self.failed, failures_in, first)),
                rows=results.tables,
            )

    def _clauses(self, results: Results) -> list[str]:
        """The clauses of the finding."""
        finding = self.finding(results) if self.finding else []
        clauses = [finding] if isinstance(finding, str) else finding
        _checked_list("finding", clauses, str, "a text or a list of texts")
        return [*clauses, *self.closing(results)]

    def draw(
        self, parts: Mapping[str, Sequence[Part]], rows: TableRows, folder: Path, **context: Any
    ) -> tuple[Path, ...]:
        """Draw the figures from known rows of the tables into a folder, and return the files."""
        with ExitStack() as stack:
            results = Results(lambda: stack.enter_context(self._opened(parts, context)), rows, context)
            files: dict[str, Callable[..., Any]] = {}
            for draw in self.figures:
                for file in _files_of(draw, results, folder):
                    if files.setdefault(file.name, draw) is not draw:
                        raise ValueError(
                            f"{draw.__name__} wrote {file.name}, as {files[file.name].__name__} did: rename one figure"
                        )
        return tuple(folder / name for name in files)

    def rows_of(self, parts: Mapping[str, Sequence[Part]], **context: Any) -> Mapping[str, Sequence[Row]]:
        """The rows of the tables, keyed by name, hidden columns included; nothing is written."""
        with self._computed(parts, context) as results:
            return results.tables

    def _screen(
        self, results: Results, documents: Sequence[SummaryTable], failure_lines: Sequence[Text]
    ) -> Callable[[int], list[RenderableType]]:
        """What the terminal shows. It is made from the rows of the tables, after the database is closed."""
        screen = self.screen
        if screen is None:
            return lambda _: [*(document.as_rich() for document in documents), *failure_lines]
        return lambda width: [*screen(results, width), *failure_lines]

    def _tables(self, context: Mapping[str, Any]) -> list[Table]:
        return [table if isinstance(table, Table) else table(context) for table in self.tables]

    @contextmanager
    def _computed(
        self,
        parts: Mapping[str, Sequence[Part]],
        context: Mapping[str, Any],
        computed: Sequence[PartialViews] = (),
    ) -> Iterator[Results]:
        """Compute the tables, and keep the database open during the block."""
        with self._opened(parts, context, computed) as connection:
            filled = {name for name, of_table in parts.items() if any(part.rows for part in of_table)}
            filled |= {name for name, values in context.items() if values}
            tables = self._tables(context)
            needed = self.views.keys() & {table.needs for table in tables}
            filled |= {name for name in needed if connection.execute(f"from {identifier(name)}").fetchone()}
            wanted = [table for table in tables if not table.needs or table.needs in filled]
            yield Results(lambda: connection, {table.name: table.rows(connection) for table in wanted}, context)

    @contextmanager
    def _opened(
        self,
        parts: Mapping[str, Sequence[Part]],
        context: Mapping[str, Any],
        computed: Sequence[PartialViews] = (),
    ) -> Iterator[DuckDBPyConnection]:
        """Open a database of the run's rows, the declared views and the small tables, for the block."""
        with opened(parts) as connection:
            small = _small_tables({**self.constants, **context})
            small |= printed_values(self.printed) if self.printed else {}
            for name, rows in small.items():
                connection.register(name, rows if isinstance(rows, pa.Table) else table_of_rows(rows))
            if self.by_part:
                self.by_part.create(connection, parts[RESULTS_TABLE], self.views, computed)
            for name, sql in self.views.items():
                if self.by_part is None or name not in self.by_part.merged:
                    executed(connection, f"view '{name}'", f"create view {identifier(name)} as {sql}")
            yield connection


def printed_values(folder: Path) -> dict[str, pa.Table]:
    """The CSVs of a folder, each as a table `printed_<stem>` with a column `place`, the row number from 0.

    An empty cell is null.
    """
    alone = pyarrow.csv.ReadOptions(use_threads=False)  # to save memory: these files are small
    empty = pyarrow.csv.ConvertOptions(strings_can_be_null=True)
    result = {}
    for file in sorted(folder.glob("*.csv")):
        table = pyarrow.csv.read_csv(file, alone, convert_options=empty)
        result[f"printed_{file.stem}"] = table.append_column("place", array_of(np.arange(table.num_rows)))
    return result


def _small_tables(context: Mapping[str, Any]) -> dict[str, Any]:
    """Turn sequences of texts and of rows into tables."""
    result: dict[str, Any] = {}
    for name, values in context.items():
        if not isinstance(values, list | tuple) or not values:
            continue
        if all(isinstance(value, str) for value in values):
            result[name] = [{"name": value, "place": index} for index, value in enumerate(values)]
        elif all(isinstance(value, dict) for value in values):
            result[name] = values
    return result


def _failed_cells(results: Results, condition: str) -> tuple[int, int, Row | None]:
    """The number of failed cells, the number of all cells, and the first failed one."""
    ((failed, cells),) = results.connection.execute(
        f"select count(*) filter (where {condition}), count(*) from {RESULTS_TABLE}"
    ).fetchall()
    first = f"select * from {RESULTS_TABLE} where {condition} order by position limit 1"
    return failed, cells, results.query(first)[0] if failed else None


def _checked_list(what: str, value: Any, kind: type, expected: str) -> Sequence[Any]:
    """Return the value of a summary's function; ValueError if it is not a list of this type."""
    if not isinstance(value, list | tuple) or not all(isinstance(member, kind) for member in value):
        raise ValueError(f"{what} returned {value!r}: expected {expected}")
    return value


def _files_of(draw: Callable[[Results, Path], Sequence[Path]], results: Results, folder: Path) -> Sequence[Path]:
    """Draw a figure and return its files; ValueError if the function returns anything else."""
    files = draw(results, folder)
    if not isinstance(files, list | tuple) or not all(isinstance(file, Path) and file.is_file() for file in files):
        raise ValueError(
            f"{draw.__name__} returned {files!r}: expected the paths of the files that it wrote, `frame.files`"
        )
    for file in files:
        if file.parent != folder or not FILE.fullmatch(file.name) or file.suffix in (*FORMS, ".json"):
            raise ValueError(
                f"{draw.__name__} wrote {str(file)!r}: expected a figure in {folder}; give the figure a name without "
                "/, such as tables.svg"
            )
    return files


def _sentence(clauses: Sequence[str]) -> str:
    """Join clauses into a finding."""
    text = "; ".join(filter(None, clauses))
    return f"{text[:1].upper()}{text[1:]}".removesuffix(".") + "."


def _failure_lines(failures: str, condition: str, table: str, first: Row | None) -> list[Text]:
    """Report failures in two lines; `table`, unless empty, is the table that lists them."""
    if first is None or not failures:
        return []
    query = f'the query "select * from results where {condition}" of this run'
    which = f"{table}.csv says which, and so does {query}" if table else f"{query} says which"
    lines = [
        f"{failures}; {which}",
        f"the first: {first['builder']} on {titled(first)}: {first['error']}",
    ]
    return [Text("\n".join(lines), style="red")]
