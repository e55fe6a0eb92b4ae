"""Runs of one grid beside each other: the keys and the cells that differ, on one axis for each measure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from algorithms.pictures.fronts import Axis
from pipeline.record.requested_keys import differing_keys
from pipeline.report.rendering import clipped
from pipeline.report.shown_tables import Cell, cell_reader
from pipeline.storage.run_folders import RunFolders
from pipeline.summary.record import SummaryRecord
from pipeline.summary.tables import MEASURED_ANEW, Row, SummaryTable, Value, joined
from pipeline.words import counted, readable, text_of

LOOKS = 8
"""Number of different marks; if there are more runs, they share marks."""
MOST_ROWS = 500
MANY = 6
"""Number of runs beyond which a table shows their mean or range instead of each value."""
CELL_BYTES, ROW_BYTES = 190, 400  # of the markup of a run's value with its mark, and of the rest of a row
WIDTH, MARGIN, LANES = 260, 8, 34.0  # pixels: of an axis, at its ends, and of all lanes together
BAND = 3
"""Number of runs that differ only in the seed from which on they are drawn as a band with their mean."""
LONGEST_LABEL = 30
LARGEST = 1e300
"""Numbers from here on are not drawn: the range of an axis could not be a number."""


@dataclass(frozen=True)
class ComparedRun:
    """A run that is compared.

    page   : its page; empty if it has none
    values : of the keys that differ; None if it has no such key
    label  : distinguishes it from the others, in a word or two
    lane   : number of the line on which its values are drawn
    look   : number of its mark
    """

    id: str
    page: str
    values: tuple[str | None, ...]
    label: str
    lane: int
    look: int


@dataclass(frozen=True)
class Line:
    """A cell of a summary table whose value differs between runs.

    names   : the values that identify its row
    cells   : its value in each run; None if the run has no such row
    pixels  : the position of each value on the axis; None if it is not drawn
    summary : the difference of two runs; of more, their range, means or counts
    """

    names: tuple[str, ...]
    cells: tuple[Cell | None, ...]
    pixels: tuple[float | None, ...]
    summary: str

    def span(self, runs: Sequence[int]) -> tuple[float, float, float] | None:
        """The positions of the least, the mean and the greatest value of some runs; None unless two are drawn."""
        drawn = [pixel for run in runs if (pixel := self.pixels[run]) is not None]
        return (min(drawn), sum(drawn) / len(drawn), max(drawn)) if len(drawn) > 1 else None


@dataclass(frozen=True)
class ComparedColumn:
    """A column of a summary table, with a line for each cell that differs.

    numeric : whether it holds numbers
    ticks   : pixel and text of each tick of its axis; empty if no axis can be drawn
    """

    name: str
    numeric: bool
    ticks: tuple[tuple[float, str], ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class ComparedTable:
    """A summary table of several runs.

    total : cells that differ, shown or not
    cells : cells that several runs have
    alone : rows that only one run has
    """

    name: str
    title: str
    key: tuple[str, ...]
    measures: tuple[ComparedColumn, ...]
    total: int
    cells: int
    alone: int

    @property
    def shown(self) -> int:
        """Number of differing cells that are shown."""
        return sum(len(measure.lines) for measure in self.measures)

    @property
    def note(self) -> str:
        """What is not shown."""
        left = [f"The first {self.shown:,} of {self.total:,} cells that differ."] if self.shown < self.total else []
        alone = [f"Left out: {counted(self.alone, 'row')} that only one of the runs has."] if self.alone else []
        return " ".join([*left, *alone])


@dataclass(frozen=True)
class ComparedRuns:
    """Runs of one grid beside each other.

    keys  : configuration keys whose values differ
    lanes : for each lane, a label that distinguishes its runs from those of the others
    bands : whether a lane has the runs of several seeds
    """

    runs: tuple[ComparedRun, ...]
    keys: tuple[str, ...]
    lanes: tuple[str, ...]
    bands: bool
    tables: tuple[ComparedTable, ...]

    least_band = BAND
    many = MANY
    width = WIDTH

    @property
    def finding(self) -> str:
        """The number of cells that differ, in a sentence."""
        total, cells = sum(table.total for table in self.tables), sum(table.cells for table in self.tables)
        return f"{counted(len(self.runs), 'run')}; cells of their tables that differ: {total:,} of {cells:,}."

    @property
    def height(self) -> float:
        """Pixels of the picture of a line."""
        return self.lane_at(len(self.lanes) - 1) + 9

    def lane_at(self, lane: int) -> float:
        """Pixels from the upper edge of a line's picture to a lane."""
        return 9 + lane * min(9.0, LANES / max(len(self.lanes), 1))

    @cached_property
    def by_lane(self) -> list[list[int]]:
        """The numbers of the runs of each lane."""
        result: list[list[int]] = [[] for _ in self.lanes]
        for number, run in enumerate(self.runs):
            result[run.lane].append(number)
        return result


def compared_runs(runs: Sequence[tuple[RunFolders, str, SummaryRecord | None]], limit: int) -> ComparedRuns:
    """Runs of a grid beside each other.

    runs  : each run with its page, empty if it has none, and its summary, None if it has none
    limit : bytes of the page for all tables
    """
    folders, pages, summaries = zip(*runs, strict=True)
    keys = differing_keys(folders)
    by_run = list(zip(*keys.values(), strict=True)) if keys else [()] * len(runs)
    lanes, bands = lanes_of(list(keys), by_run)
    shown = [
        ComparedRun(run.id, page, values, label, lane, number % LOOKS)
        for number, (run, page, values, label, (lane, _)) in enumerate(
            zip(folders, pages, by_run, labels_of(folders, list(keys), by_run), lanes, strict=True)
        )
    ]
    names = tuple(dict(lanes).values())
    table_names = dict.fromkeys(table.name for summary in summaries if summary for table in summary.tables)
    tables = []
    for index, name in enumerate(table_names):
        of_runs = [_table(summary, name) for summary in summaries]
        if sum(table is not None for table in of_runs) > 1:
            share = limit // (len(table_names) - index)
            tables.append(_compared(of_runs, shown, names, share))
            limit -= tables[-1].shown * _row_bytes(len(shown))
    return ComparedRuns(tuple(shown), tuple(keys), names, bands, tuple(tables))


def _table(summary: SummaryRecord | None, name: str) -> SummaryTable | None:
    """A table of a summary; None if it is missing, or has no rows."""
    tables = summary.tables if summary else ()
    return next((table for table in tables if table.name == name and table.rows), None)


def _compared(
    tables: Sequence[SummaryTable | None], runs: Sequence[ComparedRun], lanes: Sequence[str], limit: int
) -> ComparedTable:
    """The cells of a table that differ, as many as fit into `limit` bytes."""
    first = next(table for table in tables if table is not None)
    shared = joined(tables)
    left = min(MOST_ROWS, limit // _row_bytes(len(runs)))
    rows = {key: row for key, row in shared.rows.items() if sum(values is not None for values in row) > 1}
    names = [name for name in shared.measures if not name.endswith(MEASURED_ANEW)]
    measures, total = [], 0
    for name in names:
        differing = {key: row for key, row in rows.items() if _differs(row, name)}
        total += len(differing)
        chosen = dict(list(differing.items())[:left])
        left -= len(chosen)
        if chosen:
            measures.append(_compared_column(name, chosen, runs, lanes))
    alone = len(shared.rows) - len(rows)
    key = tuple(map(readable, shared.key))
    return ComparedTable(first.name, first.title, key, tuple(measures), total, len(rows) * len(names), alone)


def _differs(row: Sequence[Row | None], name: str) -> bool:
    """Whether the values of a column differ between runs that have the row."""
    values = [of_run[name] for of_run in row if of_run is not None]
    # + 0.0: 0 has no sign
    return len({str(value if (number := number_of(value)) is None else number + 0.0) for value in values}) > 1


def _compared_column(
    name: str,
    rows: dict[tuple[Value, ...], Sequence[Row | None]],
    runs: Sequence[ComparedRun],
    lanes: Sequence[str],
) -> ComparedColumn:
    """The lines of a column, on an axis of their own if it holds numbers that can be drawn."""
    values = [[None if of_run is None else of_run[name] for of_run in row] for row in rows.values()]
    all_values = [value for line in values for value in line]
    read = cell_reader(name, all_values)
    numeric = all(value is None or number_of(value) is not None for value in all_values)
    drawn = {number for number in map(number_of, all_values) if number is not None and abs(number) < LARGEST}
    axis = Axis(sorted(drawn), WIDTH - 2 * MARGIN) if numeric and len(drawn) > 1 else None

    def pixel(value: Value) -> float | None:
        number = number_of(value)
        return round(MARGIN + axis.of(number), 1) if axis and number is not None and number in drawn else None

    lines = tuple(
        Line(
            tuple(clipped(text_of(part), 200) for part in key),
            tuple(None if of_run is None else read(value) for of_run, value in zip(row, line, strict=True)),
            tuple(map(pixel, line)),
            summary_of(line, [run.lane for run in runs], lanes),
        )
        for (key, row), line in zip(rows.items(), values, strict=True)
    )
    ticks = tuple((round(MARGIN + axis.of(value), 1), text) for value, text in axis.ticks) if axis else ()
    return ComparedColumn(readable(name), numeric, ticks, lines)


def _row_bytes(runs: int) -> int:
    return ROW_BYTES + CELL_BYTES * runs


def lanes_of(keys: Sequence[str], by_run: Sequence[Sequence[str | None]]) -> tuple[list[tuple[int, str]], bool]:
    """The lane of each run with its label, and whether runs that differ only in the seed share a lane."""
    others = [index for index, key in enumerate(keys) if key.rpartition(".")[2] != "seed"]
    settings = [tuple(values[index] for index in others) for values in by_run]
    bands = max(Counter(settings).values(), default=0) >= BAND
    if not bands:
        return [(lane, "") for lane in range(len(by_run))], False
    numbers = {own: lane for lane, own in enumerate(dict.fromkeys(settings))}
    labels = [_label(", ".join(map(str, own))) for own in numbers]
    if len(set(labels)) < len(labels):
        labels = [f"{label} ({number})" for number, label in enumerate(labels, start=1)]
    return [(numbers[own], labels[numbers[own]]) for own in settings], True


def _label(text: str) -> str:
    """A text as a label: if it is too long, the words at its beginning, or as much of its first word as fits."""
    if len(text) <= LONGEST_LABEL:
        return text
    return f"{(text[:LONGEST_LABEL].rpartition(' ')[0] or text[: LONGEST_LABEL - 1]).rstrip(' ,')}…"


def labels_of(runs: Sequence[RunFolders], keys: Sequence[str], by_run: Sequence[Sequence[str | None]]) -> list[str]:
    """A label for each run: its value of the only key that differs, else its id."""
    if len(keys) == 1 and len(set(by_run)) == len(by_run):
        name = keys[0].rpartition(".")[2]
        result = [f"{name} {values[0]}" for values in by_run]
        if max(map(len, result)) <= LONGEST_LABEL:
            return result
    return [run.id[:7] for run in runs]


def number_of(value: Value) -> float | None:
    """The value as a number; None if it is not a number."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def summary_of(values: Sequence[Value], of_run: Sequence[int], lanes: Sequence[str]) -> str:
    """The difference of two runs, the range of several, or the mean of each lane; for texts, the count of each."""
    present = [(lane, value) for lane, value in zip(of_run, values, strict=True) if value is not None]
    numbers = [(lane, number) for lane, value in present if (number := number_of(value)) is not None]
    if len(numbers) < len(present):
        counts = Counter(str(value) for _, value in present)
        return "" if len(values) == 2 else ", ".join(f"{clipped(text, 40)} {count}" for text, count in counts.items())
    if len(lanes) == len(of_run):
        all_numbers = [value for _, value in numbers]
        if len(values) == 2:
            return _figure(all_numbers[1] - all_numbers[0], signed=True) if len(all_numbers) == 2 else ""
        return f"{_figure(min(all_numbers))} to {_figure(max(all_numbers))}"
    means = []
    for lane, name in enumerate(lanes):
        own = [value for of, value in numbers if of == lane]
        if own:
            before = f"{name}: " if len(lanes) > 1 else ""
            after = f" ({_figure(min(own))} to {_figure(max(own))})" if own[1:] else ""
            means.append(f"{before}{_figure(sum(own) / len(own))}{after}")
    return "\n".join(means)


def _figure(value: float, *, signed: bool = False) -> str:
    """A number to four digits, as the script of the page writes it."""
    if not math.isfinite(value):
        return "NaN"
    rounded = float(f"{value:.4g}")
    text = f"{abs(rounded):.0f}" if rounded.is_integer() else repr(abs(rounded))
    return f"{'−' if rounded < 0 else '+' if signed and rounded else ''}{text}"
