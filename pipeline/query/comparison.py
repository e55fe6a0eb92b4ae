"""Compare two runs of a grid: configuration keys and result rows that differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.errors import ConfigError
from pipeline.grid import RESULTS_TABLE
from pipeline.listing import cell
from pipeline.query.database import Database, opened
from pipeline.query.describe import sql_name
from pipeline.query.forms import rows_of
from pipeline.record.kept import KeptRun, chosen, stored_runs
from pipeline.record.requested_keys import Values, differing_keys
from pipeline.schema import IDENTITY, MADE_WITH
from pipeline.screen import output_flag, tool
from pipeline.sql import identifier, literal
from pipeline.storage.parts import missing_by_names
from pipeline.summary.tables import MEASURED_ANEW, SummaryTable
from pipeline.words import counted, out_of

PARAMETERS = "parameters"
ONLY_IN = "only_in"
FIRST_ROWS = 10


@dataclass(frozen=True)
class Comparison:
    """The difference between two runs of a grid.

    Attributes
    ----------
    a, b : str
        Ids of the runs.
    complete : (bool, bool)
        For each run, whether it has all of its rows.
    keys : dict
        Configuration keys whose values differ, with both values, without those that only set where and how a run is
        computed. Versions of results are included; if no key differs, other differences of the records, too.
    joined_by : tuple of str
        The columns by which the result rows of the runs are joined.
    both, differing, only_a, only_b : int
        Number of rows that both runs have, of these that differ, and that only one run has.
    columns : dict
        Columns that differ, with the number of differing rows. Columns that end in `_seconds` or `_bytes` are not
        compared.
    not_compared : tuple of str
        Columns that only one of the runs has.
    names, first : tuple
        The answer to `question`: its columns and its first rows.
    question : str
        SQL with which `pipeline.query` returns every row that differs or that one run lacks.
    """

    grid: str
    a: str
    b: str
    complete: tuple[bool, bool]
    keys: Values
    joined_by: tuple[str, ...]
    both: int
    differing: int
    only_a: int
    only_b: int
    columns: dict[str, int]
    not_compared: tuple[str, ...]
    names: tuple[str, ...]
    first: tuple[tuple[Any, ...], ...]
    question: str

    @property
    def total(self) -> int:
        """The number of rows of `question`."""
        return self.differing + self.only_a + self.only_b

    @property
    def finding(self) -> str:
        """The number of rows that differ, in a sentence or two."""
        rows = f"The runs differ in {out_of(self.differing, self.both, 'row')} that both have"
        alone = [
            f"{counted(count, 'row')} only in {side}"
            for side, count in (("a", self.only_a), ("b", self.only_b))
            if count
        ]
        left = [run for run, whole in zip((self.a, self.b), self.complete, strict=True) if not whole]
        return " ".join(
            [f"{'; '.join([rows, *alone])}."]
            + [f"Run {run} is not complete: only its existing rows are compared." for run in left]
        )

    def tables(self) -> list[SummaryTable]:
        """The keys, the columns and the first differing rows; tables without rows are left out."""
        lacking = f" Nor are columns that only one run has: {', '.join(self.not_compared)}."
        rows = [(*row[: len(self.joined_by)], self._changed(row)) for row in self.first]
        tables = (
            SummaryTable(
                "keys",
                "Keys that differ",
                ("key", "a", "b"),
                [(key, *values) for key, values in self.keys.items()],
                "Keys that only say where and how a run is computed are left out.",
            ),
            SummaryTable(
                "columns",
                "Columns that differ",
                ("column", "rows", "share"),
                [(name, count, count / self.both) for name, count in self.columns.items()],
                f"Of {counted(self.both, 'row')} that both runs have, joined by {', '.join(self.joined_by)}. Columns "
                f"that end in _seconds or _bytes are not compared.{lacking if self.not_compared else ''}",
            ),
            SummaryTable(
                "rows",
                "Rows that differ",
                (*self.joined_by, "what differs, a → b"),
                rows,
                f"The first {len(rows):,} of {self.total:,} rows." if len(rows) < self.total else "",
            ),
        )
        return [table for table in tables if table.rows]

    def _changed(self, row: Sequence[Any]) -> str:
        """The columns of a row that differ, each with both values; or the only run that has the row."""
        values = dict(zip(self.names, row, strict=True))
        if values[ONLY_IN]:
            return f"only in {'a' if values[ONLY_IN] == self.a else 'b'}"
        pairs = [(name, values[f"{name}_a"], values[f"{name}_b"]) for name in self.columns]
        differing = ((name, a, b) for name, a, b in pairs if a != b and str(a) != str(b))  # NaN is NaN
        return "; ".join(f"{name} {cell(a)} → {cell(b)}" for name, a, b in differing)


def runs_to_compare(output: Path, ids: Sequence[str]) -> list[KeptRun]:
    """Runs to compare, by their ids or how they begin.

    Raises ConfigError: there is no such run, only one is named, or they are of different grids.
    """
    stored = stored_runs(output)
    runs = [chosen(stored, name, output) for name in ids]
    first = runs[0]
    for index, other in enumerate(runs[1:], start=1):
        if other.id in {run.id for run in runs[:index]}:
            before = next(name for name, run in zip(ids, runs, strict=True) if run.id == other.id)
            raise ConfigError(f"'{before}' and '{ids[index]}' are both run {other.id}: give two different runs")
        if other.name != first.name:
            raise ConfigError(
                f"run {first.id} is of grid {first.name}, but run {other.id} is of grid {other.name}: give two runs "
                f"of the same grid; {tool('status')}{output_flag(output)} lists them"
            )
    if len(runs) == 1:
        which = f"{tool('status')}{output_flag(output)} lists them"
        raise ConfigError(f"run {first.id} alone cannot be compared: give two runs; {which}")
    return runs


def compared(runs: Sequence[KeptRun]) -> Comparison:
    """The comparison of two runs of a grid.

    Raises ConfigError: a run has no rows yet, or rows that no column distinguishes.
    """
    with opened(runs, runs[0].output) as database:
        return _compared(runs, database)


def _compared(runs: Sequence[KeptRun], database: Database) -> Comparison:
    columns_a, columns_b = (_columns(run, database) for run in runs)
    shared = [name for name in columns_a if name in columns_b]
    selected = [
        f"(from {RESULTS_TABLE} where grid = {literal(run.name)} and run = {literal(run.id)}) {side}"
        for run, side in zip(runs, "ab", strict=True)
    ]
    joined_by = _joined_by(runs, shared, database)
    measures = [
        name for name in shared if name not in joined_by and name != MADE_WITH.name and not name.endswith(MEASURED_ANEW)
    ]
    differs = {name: f"a.{sql_name(name)} is distinct from b.{sql_name(name)}" for name in measures}
    on = f"{_rows('a', joined_by)} is not distinct from {_rows('b', joined_by)}" if joined_by else "true"
    joined = f"from {selected[0]} full join {selected[1]} on {on}"
    in_both = "a.run is not null and b.run is not null"
    counts = [
        f"count(*) filter ({in_both})",
        f"count(*) filter ({in_both} and ({' or '.join(differs.values()) or 'false'}))",
        "count(*) filter (b.run is null)",
        "count(*) filter (a.run is null)",
        *(f"count(*) filter ({in_both} and {condition})" for condition in differs.values()),
    ]
    both, differing, only_a, only_b, *by_column = _row(database, f"select {', '.join(counts)} {joined}")
    columns = {name: count for name, count in zip(measures, by_column, strict=True) if count}
    question = _question(joined, joined_by, list(columns))
    answer = database.answer(question)
    first = database.fetched(lambda: answer.limit(FIRST_ROWS).to_arrow_table())
    return Comparison(
        grid=runs[0].name,
        a=runs[0].id,
        b=runs[1].id,
        complete=(_is_complete(runs[0]), _is_complete(runs[1])),
        keys=differing_keys(runs),
        joined_by=tuple(joined_by),
        both=both,
        differing=differing,
        only_a=only_a,
        only_b=only_b,
        columns=columns,
        not_compared=tuple(sorted({*columns_a} ^ {*columns_b})),
        names=tuple(first.column_names),
        first=tuple(rows_of(first)),
        question=question,
    )


def _question(joined: str, joined_by: Sequence[str], columns: Sequence[str]) -> str:
    """Every row that differs, or that one run lacks."""
    shown = [
        *(f"coalesce(a.{name}, b.{name}) as {name}" for name in map(sql_name, joined_by)),
        f"case when b.run is null then a.run when a.run is null then b.run end as {ONLY_IN}",
        *(f"{side}.{sql_name(name)} as {sql_name(f'{name}_{side}')}" for name in columns for side in "ab"),
    ]
    differs = f" or {_rows('a', columns)} is distinct from {_rows('b', columns)}" if columns else ""
    order = f" order by {', '.join(map(sql_name, joined_by))}" if joined_by else ""
    return f"select {', '.join(shown)} {joined} where a.run is null or b.run is null{differs}{order}"


def _rows(side: str, names: Sequence[str]) -> str:
    """The values of a row's columns as one value."""
    return f"row({', '.join(f'{side}.{sql_name(name)}' for name in names)})"


def _columns(run: KeptRun, database: Database) -> list[str]:
    """The columns of a run's result rows; ConfigError if it has none yet."""
    pieces = next(view.pieces for view in database.views if view.name == RESULTS_TABLE)
    file = next((piece.files[0] for piece in pieces if piece.run == run), None)
    if file is None:
        raise ConfigError(f"run {run.id} has no complete part file yet: wait, or start the run again")
    answer = database.answer(f"from read_parquet([{literal(file)}], hive_partitioning = false)")
    return database.fetched(lambda: list(answer.columns))


def _joined_by(runs: Sequence[KeptRun], shared: Sequence[str], database: Database) -> list[str]:
    """The columns that distinguish the rows of either run; parameters, which should be compared, only if needed."""
    known = [name for name in IDENTITY if name in shared]
    of_runs = f"from {RESULTS_TABLE} where run in ({', '.join(literal(run.id) for run in runs)})"
    filled = _row(database, f"select {', '.join(f'count({identifier(name)})' for name in known)} {of_runs}")
    identifying = [name for name, count in zip(known, filled, strict=True) if count]
    for names in ([name for name in identifying if name != PARAMETERS], identifying):
        alike = f"select 1 {of_runs} group by {', '.join(['run', *map(identifier, names)])} having count(*) > 1"
        (twice,) = _row(database, f"select count(*) from ({alike})")  # noqa: S608 - names are quoted
        if not twice:
            return names
    raise ConfigError(
        f"a run of grid {runs[0].name} has several result rows with the same {', '.join(identifying)}: compare the "
        "rows in SQL"
    )


def _is_complete(run: KeptRun) -> bool:
    return not missing_by_names([run.results], run.items)


def _row(database: Database, question: str) -> tuple[Any, ...]:
    answer = database.answer(question)
    (row,) = database.fetched(answer.fetchall)
    return tuple(row)
