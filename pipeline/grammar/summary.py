"""What a grid's summary is declared as, and how it is computed from the part files of a run."""

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
from pipeline.grammar.by_part import ByPart, opened
from pipeline.grammar.columns import Row, titled
from pipeline.grammar.table import Table, executed
from pipeline.grid import RESULTS_TABLE, Drawn, GridSummary, NotableTree, PartialViews, TableRows
from pipeline.sql import identifier
from pipeline.storage.parts import Part
from pipeline.words import out_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from rich.console import RenderableType

    from pipeline.summary.tables import SummaryTable

__all__ = ["Found", "Summary", "printed_values"]


@dataclass(frozen=True)
class Found:
    """What a summary found: the rows of its tables, and answers to further questions of the run's rows.

    Parameters
    ----------
    open : callable
        Opens the database of the run's rows, when something is first asked.
    context : mapping
        What the grid says of itself, such as `builders`: their names in order.
    """

    open: Callable[[], DuckDBPyConnection]
    tables: Mapping[str, Sequence[Row]]
    context: Mapping[str, Any]

    @cached_property
    def connection(self) -> DuckDBPyConnection:
        """The database of the run's rows."""
        return self.open()

    def rows(self, table: Table) -> Sequence[Row]:
        """The rows of a table; none of one that was left out."""
        return self.tables.get(table.name, ())

    def ask(self, question: str, **values: Any) -> list[Row]:
        """The answer to a question, `$name` standing in it for a value."""
        answer = self.connection.execute(question, values) if values else self.connection.execute(question)
        names = [column[0] for column in answer.description or ()]
        return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]


@dataclass(frozen=True)
class Summary:
    """A summary as it is declared.

    Parameters
    ----------
    tables : sequence of Table
        In the order in which readers see them; where the columns depend on the run, a function of what the grid says
        of itself that gives the table.
    finding : callable or None
        What the run found: a text, or clauses, the first of which compares it with the paper where it can. By default
        how many cells were computed.
    views : mapping
        Views over the run's tables and over each other, by name, as SQL: what tables take observations from.
    by_part : ByPart or None
        Those of the views that are computed part file by part file, for runs of many millions of rows.
    printed : Path or None
        A folder of CSVs of printed values; each is a view `printed_<stem>` with a column `place`, its row's number.
    constants : mapping
        Further small tables by name, each a sequence of rows, or of texts as `of` takes them.
    figures : sequence of callable
        Each draws into a folder and returns the files that it wrote.
    screen : callable or None
        What a person reads first, for so many columns; by default the tables as they are written.
    trees : callable
        The trees that a reader wants to see; few. By default none.
    cell : str
        What a result row is of, for the count of those that failed; empty: `finding` and `screen` say what failed.
    failed : str
        Condition by which a result row is of a cell that failed.
    failures_in : str
        The table that says which failed, where there is one of this name; else only `query` does.
    worked : callable
        Whether there is anything to say; by default whether any result row is ok.
    nothing : str
        The finding where there is not, in which `{cell}` stands for the cell; empty: `finding` says so.
    """

    tables: Sequence[Table | Callable[[Mapping[str, Any]], Table]]
    finding: Callable[[Found], Sequence[str]] | None = None
    views: Mapping[str, str] = field(default_factory=dict)
    by_part: ByPart | None = None
    printed: Path | None = None
    constants: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    figures: Sequence[Callable[[Found, Path], Sequence[Path]]] = ()
    screen: Callable[[Found, int], list[RenderableType]] | None = None
    trees: Callable[[Found], Sequence[NotableTree]] = lambda _: ()
    cell: str = "fit"
    failed: str = "status <> 'ok'"
    failures_in: str = "accuracies"
    worked: Callable[[Found], bool] | None = None
    nothing: str = "Nothing was tested: every {cell} failed."

    def of(
        self,
        parts: Mapping[str, Sequence[Part]],
        folder: Path,
        computed: Sequence[PartialViews] = (),
        drawn: Drawn | None = None,
        **context: Any,
    ) -> GridSummary:
        """Compute and write it.

        Parameters
        ----------
        parts : mapping
            The verified part files of each table of the run, in order.
        folder : Path
            Where its tables and figures go.
        computed : sequence of PartialViews
            Views of some of the part files of the results, for `by_part`.
        drawn : callable
            Gives its figures, or None where they are to be drawn here; by default they are drawn here.
        context : Any
            What the grid says of itself; a sequence of texts becomes a table of that name with columns `name` and
            `place`, a sequence of rows a table of these.
        """
        with self._computed(parts, context, computed) as found:
            documents = tuple(
                table.written_as(found.rows(table), self.views)
                for table in self._tables(context)
                if table.written and table.name in found.tables
            )
            for document in documents:
                document.write(folder)
            failed, cells, first = _lost(found, self.failed) if self.cell or not self.worked else (0, 0, None)
            worked = self.worked(found) if self.worked else failed < cells
            lost = f"{out_of(failed, cells, self.cell)} failed" if failed and self.cell else ""
            clauses = [self.nothing.format(cell=self.cell)]
            if worked or not self.nothing:
                said = self.finding(found) if self.finding else []
                clauses = [*_listed_by("finding", [said] if isinstance(said, str) else said)]
                clauses = clauses or [f"{out_of(cells - failed, cells, self.cell)} computed"]
                clauses.append(lost if worked else "")
            trees = tuple(_listed_by("trees", self.trees(found)))
            figures = drawn(documents, trees, found.tables) if drawn else None
            if figures is None:
                figures = self._drawn(found, folder)
            failures_in = self.failures_in if self.failures_in in found.tables else ""
            return GridSummary(
                worked=worked,
                finding=_sentence(clauses),
                documents=documents,
                figures=figures,
                trees=trees,
                screen=self._screen(found, documents, _failures(lost, failures_in, first)),
            )

    def draw(
        self, parts: Mapping[str, Sequence[Part]], rows: TableRows, folder: Path, **context: Any
    ) -> tuple[Path, ...]:
        """Draw its figures into the folder where the rows of its tables are known, and return their files."""
        with ExitStack() as stack:
            return self._drawn(Found(lambda: stack.enter_context(self._opened(parts, context)), rows, context), folder)

    def _drawn(self, found: Found, folder: Path) -> tuple[Path, ...]:
        return tuple(path for draw in self.figures for path in _files_of(draw, found, folder))

    def found(self, parts: Mapping[str, Sequence[Part]], **context: Any) -> Mapping[str, Sequence[Row]]:
        """The rows of its tables, by name, with the columns that are not shown; nothing is written."""
        with self._computed(parts, context) as found:
            return found.tables

    def _screen(
        self, found: Found, documents: Sequence[SummaryTable], failures: Sequence[Text]
    ) -> Callable[[int], list[RenderableType]]:
        """What a person reads, once the database is closed: it is made of the rows of the tables."""
        screen = self.screen
        if screen is None:
            return lambda _: [*(document.as_rich() for document in documents), *failures]
        return lambda width: [*screen(found, width), *failures]

    def _tables(self, context: Mapping[str, Any]) -> list[Table]:
        return [one if isinstance(one, Table) else one(context) for one in self.tables]

    @contextmanager
    def _computed(
        self,
        parts: Mapping[str, Sequence[Part]],
        context: Mapping[str, Any],
        computed: Sequence[PartialViews] = (),
    ) -> Iterator[Found]:
        """What it finds, for the block."""
        with self._opened(parts, context, computed) as connection:
            held = {name for name, own in parts.items() if any(part.rows for part in own)}
            tables = self._tables(context)
            needed = self.views.keys() & {table.needs for table in tables}
            held |= {name for name in needed if connection.execute(f"from {identifier(name)}").fetchone()}
            wanted = [table for table in tables if not table.needs or table.needs in held]
            yield Found(lambda: connection, {table.name: table.rows(connection) for table in wanted}, context)

    @contextmanager
    def _opened(
        self,
        parts: Mapping[str, Sequence[Part]],
        context: Mapping[str, Any],
        computed: Sequence[PartialViews] = (),
    ) -> Iterator[DuckDBPyConnection]:
        """A database of the run's rows, with the views and small tables that it declares, for the block."""
        with opened(parts) as connection:
            listed = _listed({**self.constants, **context})
            constants = listed | (printed_values(self.printed) if self.printed else {})
            for name, rows in constants.items():
                connection.register(name, rows if isinstance(rows, pa.Table) else table_of_rows(rows))
            if self.by_part:
                self.by_part.create(connection, parts[RESULTS_TABLE], self.views, computed)
            for name, sql in self.views.items():
                if self.by_part is None or name not in self.by_part.merged:
                    executed(connection, f"view '{name}'", f"create view {identifier(name)} as {sql}")
            yield connection


def printed_values(folder: Path) -> dict[str, pa.Table]:
    """The CSVs of a folder, each as a table `printed_<stem>` with a column `place`, the number of its row from 0.

    An empty cell is null.
    """
    alone = pyarrow.csv.ReadOptions(use_threads=False)  # for the memory: these files are small
    empty = pyarrow.csv.ConvertOptions(strings_can_be_null=True)
    found = {}
    for file in sorted(folder.glob("*.csv")):
        table = pyarrow.csv.read_csv(file, alone, convert_options=empty)
        found[f"printed_{file.stem}"] = table.append_column("place", array_of(np.arange(table.num_rows)))
    return found


def _listed(context: Mapping[str, Any]) -> dict[str, Any]:
    """The sequences of texts, and of rows, as tables."""
    found: dict[str, Any] = {}
    for name, values in context.items():
        if not isinstance(values, list | tuple) or not values:
            continue
        if all(isinstance(one, str) for one in values):
            found[name] = [{"name": one, "place": place} for place, one in enumerate(values)]
        elif all(isinstance(one, dict) for one in values):
            found[name] = values
    return found


def _lost(found: Found, which: str) -> tuple[int, int, Row | None]:
    """How many cells failed, of how many, and the first of them."""
    ((failed, cells),) = found.connection.execute(
        f"select count(*) filter (where {which}), count(*) from {RESULTS_TABLE}"
    ).fetchall()
    first = found.ask(f"select * from {RESULTS_TABLE} where {which} order by position limit 1") if failed else []
    return failed, cells, first[0] if first else None


def _listed_by(what: str, value: Any) -> Sequence[Any]:
    """What a function of a summary returned; ValueError where that is no list."""
    if not isinstance(value, list | tuple):
        msg = f"{what} returned {value!r}: expected a list"
        raise ValueError(msg)
    return value


def _files_of(draw: Callable[[Found, Path], Sequence[Path]], found: Found, folder: Path) -> Sequence[Path]:
    """The files of a figure; ValueError where the function that draws it returns something else."""
    files = draw(found, folder)
    if not isinstance(files, list | tuple) or not all(isinstance(one, Path) and one.is_file() for one in files):
        msg = f"{draw.__name__} returned {files!r}: expected the paths of the files that it wrote, `frame.files`"
        raise ValueError(msg)
    return files


def _sentence(clauses: Sequence[str]) -> str:
    """A finding of some clauses."""
    text = "; ".join(filter(None, clauses))
    return f"{text[:1].upper()}{text[1:]}".removesuffix(".") + "."


def _failures(lost: str, table: str, first: Row | None) -> list[Text]:
    """What failed, in two lines; `table` says which, where it is not empty."""
    if first is None or not lost:
        return []
    which = f"{table}.csv and query say which" if table else "query says which"
    lines = [
        f"{lost}; {which}",
        f"the first: {first['builder']} on {titled(first)}: {first['error']}",
    ]
    return [Text("\n".join(lines), style="red")]
