"""Read a printed table from a typed CSV: one figure in each row, or rows and columns as printed.

Something that cannot be read becomes a remark with its line and column, and the rest of the table is read.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pipeline.configuration.option_text import mapping_option
from pipeline.errors import ConfigError
from pipeline.printed_table.cells import MARKS, MISSING, THOUSANDS, Cell, CellError, read_cell
from pipeline.printed_table.figure import ALL, LEFT_OUT, MEAN, PrintedFigure, PrintedTable
from pipeline.printed_table.lines import Line, Remarks, first_table, lines_of, short
from pipeline.printed_table.measures import ACCURACY, MEASURES, RANK, Measure, measure_named
from pipeline.printed_table.percent import in_percent
from pipeline.words import counted, first_of

_MEAN = ("mean", "average", "avg", "ave")
MEAN_RANKS = frozenset(f"{mean} {rank}" for mean in _MEAN for rank in ("rank", "ranks"))
MEANS = frozenset({*_MEAN, *(f"{mean} accuracy" for mean in _MEAN), *MEAN_RANKS})
ALLS = frozenset({"all", "whole table"})
SUMMARY = re.compile(
    rf"(?:{'|'.join(_MEAN)}|geometric|geomean|median|st ?dev|std|sd|standard|min|max|minimum|maximum|sum|total|overall|"
    r"ranks?|wins?|ties|losses|w/t/l|w/d/l|best)\b.*"
)
"""Matches the name of a row that summarises columns in a way that is not tested."""
SOURCE_HEADINGS = frozenset({"source", "data set", "dataset", "data_set", "case"})
BUILDER_HEADINGS = frozenset({"builder", "method", "algorithm", "classifier", "column"})
ROLES: Mapping[str, str] = {
    **dict.fromkeys(("n", "rows", "#rows", "instances", "#instances"), "n"),
    **dict.fromkeys(("note", "notes", "remark", "remarks"), "note"),
    **dict.fromkeys(("features", "#features", "attributes", "#attributes"), LEFT_OUT),
    "classes": "classes",
    "#classes": "classes",
    "source": "source",
    "case": "case",
}
"""The roles of columns without figures, by their headings: facts of the data sets, and their names."""
LONG_TABLE_ROLES = ("measure", "standard_deviation", "decimals")
"""Further roles in a table with one figure a row, which are headings, too."""
CORRECTED = "_corrected"
"""Suffix of the heading of a column with the right values of another column's misprints."""
RANKED = (ACCURACY, RANK)
"""Measures whose columns may end with the average ranks of their builders."""
NUMERIC = re.compile(r"[0-9.,% ]*[0-9][0-9.,% ]*")
"""Matches a heading that is a figure, because the table has no headings."""
UNTESTED = re.compile(
    r"(?:.*[\s_])?(?:times?|seconds?|secs?|runtime|cpu|std|sd|stdev|dev|deviation|se|p|p-value|±)(?:\s*[\[(].*)?"
)
"""Matches the heading of a column with times, deviations or p-values, which no test is about."""
PERCENT_WORDS = frozenset({"pct", "percent", "%", "(%)", "[%]"})
MOST_DECIMALS = 10
MOST_NAMED = 20


@dataclass(frozen=True)
class _Column:
    """A column: figures of a measure, and of a builder unless the line names it; or what `role` says, as in ROLES."""

    position: int
    heading: str
    builder: str = ""
    measure: Measure | None = None
    role: str = ""


def read_printed_table(
    file: Path,
    columns: Mapping[str, str] | None = None,
    measure: str = ACCURACY,
    decimals: int | None = None,
    *,
    strict: bool = False,
) -> PrintedTable:
    """Read a printed table that is typed as a CSV.

    Parameters
    ----------
    file : Path
        In UTF-8, separated by commas, semicolons, tabs or bars. With one figure a row it has the columns `source`,
        `builder` and `value`, or columns named after measures instead of `value`, and optionally `measure`,
        `standard_deviation`, `decimals`, `n` and `note`. Otherwise it is the table as printed: its first column names
        the data sets, and each other column has the figures of a builder. Rows named mean or average are means of
        their columns; rows named average rank have the average ranks of the builders.
    columns : mapping, default {}
        The meaning of headings that are not names of builders: a builder, optionally with a measure, as in
        `{"C4.5": "c45", "C4.5 size": "c45 nodes"}`; `n` for the rows of the data sets, `classes` for the number of
        their classes, `source` for our names of them, `case` for the rest of the name of a row, `note` for remarks,
        `-` to leave the column out. In a table with one figure a row, the builders that its names stand for.
    measure : str, default "accuracy"
        The measure of figures for which nothing else says it.
    decimals : int, optional
        Decimals of shares in the paper, if the CSV has lost zeros: with 1, 94 is read as 94.0.
    strict : bool, default False
        Whether something that cannot be read is an error, and columns that are not in `columns` are left out.

    Returns
    -------
    PrintedTable
        Its shares are in percent. Builders have the names that `columns` gives, sources those of the file.

    Raises
    ------
    ConfigError
        The file is missing, is not text, has no heading or no readable figure; or a measure, or a heading in
        `columns`, does not exist.
    """
    default = measure_named(measure)
    if isinstance(default, str):
        raise ConfigError(default)
    remarks = Remarks(file, strict)
    lines, commas = lines_of(file, remarks)
    lines = first_table(lines, remarks)
    figures = list(_figures(lines, dict(columns or {}), default, remarks, commas))
    figures = in_percent([_with_zeros(figure, decimals) for figure in _one_per_cell(figures, remarks)], remarks)
    if remarks.missing:
        remarks.lines.append(f"there is no figure in {first_of(remarks.missing, MOST_NAMED, '; ')}")
    if not figures:
        why = f": {first_of(remarks.lines, 3, '; ')}" if remarks.lines else ""
        raise ConfigError(
            f"{file}: no figure can be read{why}. Orchard expects numbers below the headings, such as 94.4"
        )
    return PrintedTable(file, tuple(figures), tuple(remarks.lines), remarks.unread)


def _plain(text: str) -> str:
    return " ".join(text.strip().lower().split())


def _figures(
    lines: Sequence[Line], given: Mapping[str, str], measure: Measure, remarks: Remarks, commas: bool
) -> Iterator[PrintedFigure]:
    """The figures of all lines, for either form of table."""
    headings = [cell.strip() for cell in lines[0].cells]
    if not given and (numbers := _numeric_headings(headings[1:])):
        remarks.say(
            f"line {lines[0].number} is read as headings, but has numbers ({first_of(numbers, 3)}): write the names of "
            "the builders in a line above the figures"
        )
    plain = [_plain(heading) for heading in headings]
    source_at = next((index for index, heading in enumerate(plain) if heading in SOURCE_HEADINGS), 0)
    builder_at = next((index for index, heading in enumerate(plain) if heading in BUILDER_HEADINGS), None)
    columns: list[_Column] = []
    if plain[source_at] in SOURCE_HEADINGS:
        columns = _columns_of_long_table(headings, measure, has_builders=builder_at is not None)
    if not any(column.measure for column in columns):
        source_at, builder_at = 0, None
        columns = list(_columns_of_wide_table(headings, given, measure, remarks))
        for index, heading in enumerate(headings[1:], 1):
            if not heading and any("".join(line.cells[index : index + 1]).strip() for line in lines[1:]):
                remarks.left_out(f"line {lines[0].number}: column {index + 1} has no heading", ", and is left out")
    for line in lines[1:]:
        if _fits(line, len(headings), source_at, remarks, commas):
            builder = line.cells[builder_at].strip() if builder_at is not None and builder_at < len(line.cells) else ""
            yield from _figures_of_line(line, source_at, given.get(builder, builder), columns, remarks, commas)


def _numeric_headings(headings: Sequence[str]) -> Sequence[str]:
    """The headings if all of them are numbers; else none."""
    filled = list(filter(None, headings))
    return filled if all(map(NUMERIC.fullmatch, filled)) else ()


def _figures_of_line(
    line: Line, source_at: int, builder: str, columns: Sequence[_Column], remarks: Remarks, commas: bool
) -> Iterator[PrintedFigure]:
    """The figures of a line."""

    def text(column: _Column) -> str:
        return line.cells[column.position].strip() if column.position < len(line.cells) else ""

    def number(column: _Column) -> Cell | None:
        return _number(text(column), line.number, column.heading, remarks, commas=commas)

    by_role = {column.role: column for column in columns if column.role}
    texts = {role: text(column) for role, column in by_role.items()}
    measure = measure_named(texts["measure"]) if texts.get("measure") else None
    if isinstance(measure, str):
        remarks.left_out(f"line {line.number}, column measure: {measure.splitlines()[0]}", "; the line is left out")
        return
    deviation = number(by_role["standard_deviation"]) if "standard_deviation" in by_role else None
    facts: dict[str, Any] = {
        "n": _count(texts.get("n", ""), line, by_role.get("n"), "rows", remarks),
        "classes": _count(texts.get("classes", ""), line, by_role.get("classes"), "classes", remarks),
        "note": texts.get("note", ""),
        "known": texts.get("source", ""),
    }
    source = _source(", ".join(filter(None, (line.cells[source_at].strip(), texts.get("case")))))
    if SUMMARY.fullmatch(_bare(source)) and source != MEAN and not (facts["n"] or facts["known"]):
        remarks.say(
            f"line {line.number}: {source} summarises columns, and is left out; if it is a data set, add a column n "
            "with its number of rows"
        )
        return
    decimals = _decimals(texts.get("decimals", ""), line.number, remarks)
    if measure is None and _bare(line.cells[source_at]) in MEAN_RANKS:
        measure = MEASURES[RANK]
        columns = [column for column in columns if column.measure is None or column.measure.name in RANKED]
    for column in columns:
        if column.measure is None:
            continue
        read = number(column)
        correction = by_role.get(f"{column.heading}{CORRECTED}")
        corrected = number(correction) if correction else None
        if correction and corrected and not (read and facts["note"]):
            needs = "a note, which proves that the figure is a misprint" if read else "a figure that it corrects"
            remarks.left_out(f"line {line.number}, column {correction.heading}: {corrected.text} needs {needs}")
        if read is not None:
            yield PrintedFigure(
                line.number,
                column.heading,
                source,
                column.builder or builder,
                measure or column.measure,
                read.text,
                read.value,
                max(read.digits, decimals),
                read.below,
                standard_deviation=deviation.value if deviation else read.standard_deviation,
                corrected=corrected.value if corrected else None,
                **facts,
            )


def _columns_of_long_table(headings: Sequence[str], measure: Measure, *, has_builders: bool) -> list[_Column]:
    """The columns of a table with one figure a row: `value`, or measures if a column has the builders; and roles."""
    result, first = [], True
    for position, heading in enumerate(headings):
        name = _plain(heading).replace(" ", "_")
        if name in SOURCE_HEADINGS and first:
            first = False
        elif name in LONG_TABLE_ROLES or name in ROLES:
            result.append(_Column(position, heading, role=ROLES.get(name, name)))
        elif name == "value":
            result.append(_Column(position, heading, measure=measure))
        elif has_builders and name not in BUILDER_HEADINGS and isinstance(own := measure_named(name), Measure):
            result.append(_Column(position, heading, measure=own))
    return result


def _columns_of_wide_table(
    headings: Sequence[str], given: Mapping[str, str], measure: Measure, remarks: Remarks
) -> Iterator[_Column]:
    """The columns of a table that is typed as printed."""
    key = "`builders`" if remarks.strict else "`columns`"  # in a comparison.yaml, or of a command
    for name in given:
        if name not in headings:
            known = first_of(list(filter(None, headings[1:])), MOST_NAMED) or "no headings beside the first"
            raise ConfigError(
                f"{remarks.file}: {key} has '{name}', which is not a heading of the table; expected one of: {known}"
            )
    before = ""
    for position, heading in enumerate(headings[1:], 1):
        meaning = given.get(heading, heading).strip()
        base = heading.removesuffix(CORRECTED)
        role = f"{base}{CORRECTED}" if base in headings and base != heading else ROLES.get(_plain(meaning), "")
        if not meaning or LEFT_OUT in (meaning, role):
            continue
        if role:
            yield _Column(position, heading, role=role)
        elif heading in given:
            builder, _, rest = meaning.partition(" ")
            own = measure_named(rest) if rest else _builder_and_measure(heading, measure)[1]
            if isinstance(own, str):
                raise ConfigError(f"{remarks.file}: under {key}, '{heading}' is '{meaning}': {own}")
            before = builder
            yield _Column(position, heading, builder, own)
        elif remarks.strict:
            continue
        elif UNTESTED.fullmatch(_bare(meaning)):
            remarks.say(f"column {heading} is left out, because no test uses the column; {_as_builder(heading)}")
        else:
            builder, own = _builder_and_measure(meaning, measure)
            if builder == meaning and own.column and isinstance(measure_named(meaning), Measure) and before:
                builder = before
                remarks.say(f"column {heading} is read as a column of {before}; {_as_builder(heading)}")
            before = builder or before
            yield _Column(position, heading, builder, own)


def _as_builder(heading: str) -> str:
    """What to type if a heading is a builder."""
    in_a_run = mapping_option("columns", heading, "NAME")
    return f"if the heading is a builder, give --columns {shlex.quote(f'{heading}=NAME')} (in a run: {in_a_run})"


def _builder_and_measure(heading: str, measure: Measure) -> tuple[str, Measure]:
    """The builder and the measure that a heading names, such as `C4.5 leaves` or `j48_accuracy_pct`."""
    words = list(re.finditer(r"[^\s_]+", heading))
    if len(words) > 1 and words[-1].group().lower() in PERCENT_WORDS:
        words.pop()
    for first in range(len(words)):
        own = measure_named(" ".join(word.group() for word in words[first:]))
        if isinstance(own, Measure):
            # without a builder: of the whole table, such as ties, or a builder that is called by its measure
            return heading[: words[first - 1].end()] if first else heading if own.column else "", own
    return heading[: words[-1].end()], measure


def _fits(line: Line, headings: int, source_at: int, remarks: Remarks, commas: bool) -> bool:
    """Whether a line has a name, and no cell beyond the headings, as an unquoted decimal comma would make."""
    cells = f"the line has {counted(len(line.cells), 'cell')}, but the header has {headings}"
    if any(cell.strip() for cell in line.cells[headings:]):
        mend = "" if commas else " (in a cell, write 94.4, not 94,4, and put quotes around a text with a comma)"
        mend = f"write a heading for each cell{mend}"
        remarks.left_out(f"line {line.number}: {cells}: {mend}", "; the line is left out")
        return False
    if remarks.strict and len(line.cells) < headings:
        remarks.left_out(f"line {line.number}: {cells}: write commas for empty cells")
    if not "".join(line.cells[source_at : source_at + 1]).strip():
        why = (
            f"there is no data set in the {'first cell' if not source_at else f'cell {source_at + 1}'} ({short(line)})"
        )
        remarks.left_out(
            f"line {line.number}: {why}", "; the line is left out. Write headings in one line, and repeat merged cells"
        )
        return False
    return True


def _number(written: str, line: int, column: str, remarks: Remarks, *, commas: bool) -> Cell | None:
    """The number of a cell; None if it has none, with a remark unless it is an empty cell."""
    try:
        read = read_cell(written, commas=commas, marks=not remarks.strict)
    except CellError as error:
        remarks.left_out(f"line {line}, column {column}: {error}")
        return None
    if read is None and written.strip():
        remarks.missing.append(f"line {line}, column {column}")
    if read is not None and not _is_bold(read.marks):
        remarks.say(f"line {line}, column {column}: {written.strip()} is read as {read.text}, without {read.marks}")
    return read


def _is_bold(marks: str) -> bool:
    """Whether the marks around a number are the same on both sides, as in `**94.4**`, or there are none."""
    half = len(marks) // 2
    return marks[:half] == marks[half:] and not any(mark.isalnum() for mark in marks)


def _count(text: str, line: Line, column: _Column | None, things: str, remarks: Remarks) -> int | None:
    """The number of rows or classes in a cell; None if it is not a whole number above 0."""
    bare = MARKS.sub("", text)
    if column is None or bare.lower() in MISSING:
        return None
    if THOUSANDS.fullmatch(bare):
        bare = "".join(filter(str.isdigit, bare))
    if not (bare.isascii() and bare.isdecimal() and int(bare)):
        expected = f"expected a whole number of {things}, such as 12"
        remarks.left_out(f"line {line.number}, column {column.heading}: {text!r} cannot be read: {expected}")
        return None
    return int(bare)


def _decimals(written: str, line: int, remarks: Remarks) -> int:
    """The number of decimals in a cell; 0 if it is empty or cannot be read."""
    if written and not (written.isascii() and written.isdigit() and int(written) <= MOST_DECIMALS):
        remarks.say(f"line {line}, column decimals: {written!r} is left out: expected 0 to {MOST_DECIMALS}")
        return 0
    return int(written or 0)


def _with_zeros(figure: PrintedFigure, decimals: int | None) -> PrintedFigure:
    """The figure, with the zeros at its end that the CSV has lost if it is a share."""
    if decimals is None or not figure.measure.share:
        return figure
    return replace(figure, digits=max(figure.digits, decimals))


def _bare(name: str) -> str:
    """The name of a row without capitals, points and colons."""
    return _plain(name.replace(".", "").rstrip(": "))


def _source(written: str) -> str:
    plain = _bare(written)
    return MEAN if plain in MEANS else ALL if plain in ALLS else written.strip()


def _one_per_cell(figures: Sequence[PrintedFigure], remarks: Remarks) -> list[PrintedFigure]:
    """The figures without repetitions: the first for each source, builder and measure."""
    cells: dict[tuple[str, str, str], PrintedFigure] = {}
    for figure in figures:
        first = cells.setdefault((figure.source, figure.builder, figure.measure.name), figure)
        if first is not figure:
            what = f"{figure.named} has the same data set, builder and measure as {first.where}"
            remarks.left_out(f"{figure.where}: {what}: rename the data set or the builder of one of them")
    return list(cells.values())
