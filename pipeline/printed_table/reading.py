"""Reading a printed table from the CSV that somebody typed: a figure a row, or rows and columns as it is printed.

What cannot be read is a remark that names its line and column, and the rest of the table is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.errors import ConfigError
from pipeline.printed_table.cells import Cell, CellError, read_cell
from pipeline.printed_table.figure import (
    ALL,
    LEFT_OUT,
    MEAN,
    PER_CENT,
    Measure,
    PrintedFigure,
    PrintedTable,
    measure_named,
)
from pipeline.printed_table.lines import Line, Remarks, first_table, lines_of, short
from pipeline.words import counted, first_of

__all__ = ["ACCURACY", "read_printed_table"]

ACCURACY = "accuracy"

MEANS = frozenset({"mean", "average", "avg", "avg.", "mean rank", "average rank", "mean accuracy", "average accuracy"})
ALLS = frozenset({"all", "whole table"})
SOURCE_HEADINGS = frozenset({"source", "data set", "dataset", "data_set", "case"})
BUILDER_HEADINGS = frozenset({"builder", "method", "algorithm", "classifier", "column"})
MOST_DECIMALS = 10
MOST_NAMED = 20


@dataclass(frozen=True)
class _Column:
    """What a column of a table as it is printed holds: figures of a builder, or one of the words n and note."""

    position: int
    heading: str
    builder: str = ""
    measure: Measure | None = None
    word: str = ""


def read_printed_table(
    file: Path, columns: Mapping[str, str] | None = None, measure: str = ACCURACY, decimals: int | None = None
) -> PrintedTable:
    """Read a table that is typed as a CSV.

    Parameters
    ----------
    file : Path
        In UTF-8, separated by commas, semicolons, tabs or bars. With a figure a row it has the columns `source`,
        `builder` and `value`, and if wanted `measure`, `standard_deviation`, `decimals`, `n` and `note`. Else it is the
        table as it is printed: its first column names the data sets, and each other column has the figures of a
        builder. Rows that are called mean or average are means of their columns.
    columns : mapping, default {}
        What headings that are no names of builders stand for: `{"C4.5": "c45", "C4.5 size": "c45 nodes"}`, a builder
        and perhaps a measure; `n` for the rows of the data sets, `note` for remarks, `-` for what is left out. In a
        table of a figure a row, the builders that its names stand for.
    measure : str, default "accuracy"
        Of the figures for which nothing else says it.
    decimals : int, optional
        Of shares as the paper prints them, where the CSV has lost zeros: with 1, 94 is read as 94.0.

    Returns
    -------
    PrintedTable
        Its shares are in percent. Builders have the names that `columns` gives, sources those of the file.

    Raises
    ------
    ConfigError
        There is no such file, it is no text, it has no heading, or not one figure can be read; or a measure, or a
        heading in `columns`, is not one that there is.
    """
    found = measure_named(measure)
    if isinstance(found, str):
        raise ConfigError(found)
    lines, commas = lines_of(file)
    remarks = Remarks()
    lines = first_table(lines, remarks)
    named = dict(columns or {})
    headings = [_plain(cell) for cell in lines[0].cells]
    read = _figure_a_row if _is_long(headings) else _as_printed
    figures = list(read(lines, named, found, remarks, commas))
    figures = _in_percent([_with_zeros(one, decimals) for one in _of_one_place(figures, remarks)], remarks)
    if not figures:
        why = f": {first_of(remarks.lines, 3)}" if remarks.lines else ""
        msg = f"{file}: no figure can be read{why}. Expected numbers below the headings, such as 94.4"
        raise ConfigError(msg)
    return PrintedTable(file, tuple(figures), tuple(remarks.lines), remarks.unread)


def _plain(text: str) -> str:
    return " ".join(text.strip().lower().split())


def _is_long(headings: Sequence[str]) -> bool:
    return "value" in headings and bool(SOURCE_HEADINGS & set(headings))


def _figure_a_row(
    lines: Sequence[Line], columns: Mapping[str, str], measure: Measure, remarks: Remarks, commas: bool
) -> Iterator[PrintedFigure]:
    headings = [_plain(cell) for cell in lines[0].cells]
    at = {heading.replace(" ", "_"): position for position, heading in enumerate(headings)}
    source_at = next(i for i, one in enumerate(headings) if one in SOURCE_HEADINGS)
    builder_at = next((i for i, one in enumerate(headings) if one in BUILDER_HEADINGS), None)
    for line in lines[1:]:
        if not _fits(line, len(headings), remarks):
            continue

        def cell(name: str, line: Line = line) -> str:
            position = at.get(name)
            return line.cells[position].strip() if position is not None and position < len(line.cells) else ""

        of = measure_named(cell("measure")) if cell("measure") else measure
        if isinstance(of, str):
            remarks.left_out(f"line {line.number}, column measure: {of.partition(chr(10))[0]}: the line is left out")
            continue
        read = _cell(cell("value"), line.number, "value", remarks, commas=commas)
        if read is None:
            continue
        beside = _number(cell("standard_deviation"), line.number, "standard_deviation", remarks, commas=commas)
        n = _number(cell("n"), line.number, "n", remarks, commas=commas)
        builder = line.cells[builder_at].strip() if builder_at is not None else ""
        figure = _figure(line.number, "value", _source(line.cells[source_at]), columns.get(builder, builder), of, read)
        yield replace(
            figure,
            standard_deviation=beside.value if beside else figure.standard_deviation,
            digits=max(figure.digits, _digits(cell("decimals"), line.number, remarks)),
            n=_whole(n, line.number, "n", remarks),
            note=cell("note"),
        )


def _as_printed(
    lines: Sequence[Line], columns: Mapping[str, str], measure: Measure, remarks: Remarks, commas: bool
) -> Iterator[PrintedFigure]:
    found = list(_columns(lines[0], columns, measure))
    for position, heading in enumerate(lines[0].cells[1:], 1):
        if not heading.strip() and any("".join(line.cells[position : position + 1]).strip() for line in lines[1:]):
            remarks.left_out(f"line {lines[0].number}: column {position + 1} has no heading, and is left out")
    for line in lines[1:]:
        if not _fits(line, len(lines[0].cells), remarks):
            continue
        n, note = None, ""
        for column in found:
            cell = line.cells[column.position] if column.position < len(line.cells) else ""
            if column.word == "n":
                number = _number(cell, *_at(line, column), remarks, commas=commas)
                n = _whole(number, *_at(line, column), remarks)
            elif column.word == "note":
                note = cell.strip()
        for column in found:
            cell = line.cells[column.position] if column.position < len(line.cells) else ""
            read = None if column.word else _cell(cell, *_at(line, column), remarks, commas=commas)
            if read is not None and column.measure is not None:
                source = _source(line.cells[0])
                figure = _figure(line.number, column.heading, source, column.builder, column.measure, read)
                yield replace(figure, n=n, note=note)


def _at(line: Line, column: _Column) -> tuple[int, str]:
    return line.number, column.heading


def _columns(headings: Line, columns: Mapping[str, str], measure: Measure) -> Iterator[_Column]:
    """What the columns of a table as it is printed hold."""
    names = [cell.strip() for cell in headings.cells]
    for name in columns:
        if name not in names:
            known = first_of(list(filter(None, names[1:])), MOST_NAMED)
            msg = f"columns: there is no heading '{name}': the table has {known}"
            raise ConfigError(msg)
    for position, heading in enumerate(names[1:], 1):
        said = columns.get(heading, heading).strip()
        if not said or said == LEFT_OUT:
            continue
        if said.lower() in ("n", "note"):
            yield _Column(position, heading, word=said.lower())
            continue
        builder, _, rest = said.partition(" ")
        found = measure_named(rest) if rest else measure
        if isinstance(found, str):
            if heading in columns:
                msg = f"columns: '{heading}' is '{said}': {found}"
                raise ConfigError(msg)
            builder, found = said, measure
        yield _Column(position, heading, builder, found)


def _fits(line: Line, headings: int, remarks: Remarks) -> bool:
    """Whether a line has a name and no cell beyond the headings, which a comma in a number makes."""
    if any(cell.strip() for cell in line.cells[headings:]):
        more = f"{counted(len(line.cells), 'cell')} below {counted(headings, 'heading')}"
        remarks.left_out(f"line {line.number}: {more}, a decimal comma perhaps: write points, or quotes: left out")
        return False
    if not line.cells[0].strip():
        remarks.left_out(
            f"line {line.number}: no data set in the first cell ({short(line)}): left out; write headings in one line, "
            "and repeat merged cells"
        )
        return False
    return True


def _cell(written: str, line: int, column: str, remarks: Remarks, *, commas: bool) -> Cell | None:
    """The number of a cell; None where it has none, which is a remark where it should."""
    try:
        read = read_cell(written, commas=commas)
    except CellError as error:
        remarks.left_out(f"line {line}, column {column}: {error}: the cell is left out")
        return None
    if read is not None and not _is_bold(read.marks):
        remarks.say(f"line {line}, column {column}: {written.strip()} is read as {read.text}, without {read.marks}")
    return read


def _is_bold(marks: str) -> bool:
    """Whether the marks around a number are the same on both sides, as `**94.4**`, or none."""
    half = len(marks) // 2
    return marks[:half] == marks[half:] and not any(mark.isalnum() for mark in marks)


def _number(written: str, line: int, column: str, remarks: Remarks, *, commas: bool) -> Cell | None:
    return _cell(written, line, column, remarks, commas=commas) if written.strip() else None


def _whole(cell: Cell | None, line: int, column: str, remarks: Remarks) -> int | None:
    """The number of rows that a cell has; None where that is no whole number above 0."""
    if cell is None:
        return None
    if cell.value.denominator != 1 or cell.value < 1:
        remarks.left_out(f"line {line}, column {column}: {cell.text} is no number of rows: it is left out")
        return None
    return int(cell.value)


def _digits(written: str, line: int, remarks: Remarks) -> int:
    """The decimals that a cell says a figure has; 0 where it says none."""
    if written and not (written.isascii() and written.isdigit() and int(written) <= MOST_DECIMALS):
        remarks.say(f"line {line}, column decimals: {written!r}: expected 0 to {MOST_DECIMALS}: it is left out")
        return 0
    return int(written or 0)


def _with_zeros(figure: PrintedFigure, decimals: int | None) -> PrintedFigure:
    """A share with the zeros at its end that the CSV has lost."""
    if decimals is None or not figure.measure.share:
        return figure
    return replace(figure, digits=max(figure.digits, decimals))


def _source(written: str) -> str:
    plain = _plain(written)
    return MEAN if plain in MEANS else ALL if plain in ALLS else written.strip()


def _figure(line: int, column: str, source: str, builder: str, measure: Measure, cell: Cell) -> PrintedFigure:
    return PrintedFigure(
        line, column, source, builder, measure, cell.text, cell.value, cell.digits, cell.below, cell.standard_deviation
    )


def _of_one_place(figures: Sequence[PrintedFigure], remarks: Remarks) -> list[PrintedFigure]:
    """The figures, each measure of a builder on a source but once."""
    found: dict[tuple[str, str, str], PrintedFigure] = {}
    for figure in figures:
        first = found.setdefault((figure.source, figure.builder, figure.measure.name), figure)
        if first is not figure:
            remarks.left_out(f"{figure.where}: {figure.named} repeats {first.where}: it is left out")
    return list(found.values())


def _in_percent(figures: Sequence[PrintedFigure], remarks: Remarks) -> list[PrintedFigure]:
    """The figures with shares in percent: from 0 to 1 are those of a table in which none is above 1."""
    shares = [figure for figure in figures if figure.measure.share]
    if shares and all(figure.value <= 1 for figure in shares):
        return [_percent(figure) if figure.measure.share else figure for figure in figures]
    found = []
    for figure in figures:
        if figure.measure.share and figure.value > PER_CENT:
            remarks.left_out(f"{figure.where}: {figure.named} is above {PER_CENT} %: it is left out")
        elif figure.measure.share and 0 < figure.value <= 1 and figure.digits > 1:
            remarks.left_out(f"{figure.where}: {figure.named} is a share among figures in percent: it is left out")
        else:
            found.append(figure)
    return found


def _percent(figure: PrintedFigure) -> PrintedFigure:
    beside = figure.standard_deviation
    return replace(
        figure,
        value=figure.value * PER_CENT,
        digits=figure.digits - 2,
        standard_deviation=None if beside is None else beside * PER_CENT,
    )
