"""Infer which columns of an undescribed file are numeric, dates or nominal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

import numpy as np
from pyarrow import compute

from algorithms.data.data_set import DAYS, SECONDS
from algorithms.data.recoding import MOSTLY
from pipeline.configuration.option_text import mapping_option
from pipeline.data.catalogue.coding import cast_numbers, distinct_texts, location_of
from pipeline.data.catalogue.column_choice import NO_CHOICE, ColumnChoice
from pipeline.data.catalogue.delimited import TextTable
from pipeline.data.catalogue.entry import Column, ColumnKind
from pipeline.errors import DataError
from pipeline.words import NUMBER, is_number

UNREAD_NUMBER = re.compile(
    r"[+-]?(\d+,\d+|\d{1,3}(,\d{3})+(\.\d*)?|\d{1,3}(\.\d{3})+,\d+|inf(inity)?)", re.ASCII | re.IGNORECASE
)
"""Matches a number with a decimal comma or with commas between thousands, and infinity; `NUMBER` matches 1e999."""
DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+", re.ASCII)
DATE_START = re.compile(
    r"(\d{4}-\d\d-\d\d|\d{4}[/.]\d\d?[/.]\d\d?|\d\d?([/.-])\d\d?\2\d{4}|\d\d?/\d\d?/\d\d)(?!\d)", re.ASCII
)
"""Matches the beginning of a date or time, also in forms that `_moment` refuses, such as 3/14/2024 and 14.03.2024."""
DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.(?P<micro>\d{1,6})0*)?)?(?P<zone>Z|[+-]\d\d:?\d\d)?", re.ASCII)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
MICROSECOND = timedelta(microseconds=1)


def with_kinds(table: TextTable, missing: Sequence[str], choice: ColumnChoice = NO_CHOICE) -> TextTable:
    """The table of an undescribed file, with the kinds of its columns inferred from their texts.

    A column is numeric if all its values are numbers, dates or times, and nominal otherwise. The types in `choice` take
    precedence.

    Raises DataError: `choice` does not fit the columns or their values; a column has texts among at least ten times as
    many different numbers; all its other texts are numbers with commas or infinite; or it has texts among dates.
    """
    types = dict(choice.types)
    columns = []
    for index, column in enumerate(choice.marked(table)):
        kind = types.get(column.name)
        if column.kind in {ColumnKind.CLASS, ColumnKind.DROP}:
            columns.append(column)
        elif kind == ColumnKind.NOMINAL:
            columns.append(replace(column, kind=ColumnKind.NOMINAL))
        elif kind is not None or (column.kind is ColumnKind.NOMINAL and not column.labels):
            columns.append(_numeric(table, index, missing, required=kind is not None) or column)
        else:
            columns.append(column)
    return replace(table, columns=tuple(columns))


def _numeric(table: TextTable, position: int, missing: Sequence[str], *, required: bool) -> Column | None:
    """The column as a numeric one; None if it is nominal. `required`: whether it must be numeric."""
    column = replace(table.columns[position], kind=ColumnKind.NUMERIC, labels=())
    numbers = cast_numbers(compute.utf8_trim_whitespace(table.texts[position]), missing)
    if numbers is not None:
        return column if required or not np.isnan(numbers).all() else None
    texts, indices = distinct_texts(table, position)
    known = [text for text in texts if text not in missing]
    dates = _dates(table, position, known)
    if dates is not None:
        return replace(column, recode=dates.numbers, unit=dates.unit)
    others = [index for index, text in enumerate(texts) if text not in missing and not is_number(text)]
    numeric = len(known) - len(others)
    unread = all(UNREAD_NUMBER.fullmatch(texts[index]) or NUMBER.fullmatch(texts[index]) for index in others)
    if others and (required or unread or numeric >= MOSTLY * len(others)):
        first = indices[np.isin(indices, others)][0]
        if required:
            why = "is not a number, but `types` says that the column is numeric: change the value"
        elif unread:
            why = "has a comma or is infinite, so it is not read as a number: write 1.5, not 1,5, or 1500, not 1,500"
        else:
            why = f"is not a number, but {numeric} other values of the column are numbers: change the value"
        if DECIMAL_COMMA.fullmatch(texts[first]):
            why += "; or describe a file with decimal commas by a YAML file with `decimal_comma: true` (docs/data.md)"
        raise DataError(
            f"{location_of(table, indices, first, column)}: {texts[first][:60]!r} {why}; or leave an unknown "
            f"value empty; or {'write' if required else 'add'} {mapping_option('types', column.name, 'nominal')}"
        )
    return column if numeric and not others else None


def _dates(table: TextTable, position: int, texts: Sequence[str]) -> Dates | None:
    try:
        return dates_in(texts)
    except NoDateError as error:
        column, (distinct, indices) = table.columns[position], distinct_texts(table, position)
        wrong = [index for index, text in enumerate(distinct) if text == error.text]
        first = indices[np.isin(indices, wrong)][0]
        raise DataError(
            f"{location_of(table, indices, first, column)}: {error.text[:60]!r} {error}: write all values as "
            "2026-01-31 or all as 2026-01-31T13:45:00 (six decimals at most), leave the cell empty if the value is "
            f"unknown, or add {mapping_option('types', column.name, 'nominal')}"
        ) from error


class NoDateError(ValueError):
    """A text among dates is not a date; the message follows the text."""

    def __init__(self, text: str, why: str) -> None:
        super().__init__(why)
        self.text = text


class Dates(NamedTuple):
    """Dates and times as numbers.

    numbers : the text of the number, keyed by the text of the date or time
    unit    : of the numbers, with the moment that is 0
    """

    numbers: Mapping[str, str]
    unit: str


def dates_in(texts: Iterable[str]) -> Dates | None:
    """Convert texts that are dates or times to numbers; None if most of the texts are neither.

    Dates become days since 1970-01-01. If any text has a time, all become seconds since the beginning of that day, and
    a date means its midnight. Times with an offset from UTC are converted to UTC.

    Raises NoDateError: at least half of the texts begin like dates, but one is not a date of the calendar, has more
    than six decimals of a second, or has an offset that others lack.
    """
    texts = list(dict.fromkeys(texts))
    dated = [text for text in texts if DATE_START.match(text)]
    if not dated or len(dated) * 2 < len(texts):
        return None
    moments = {text: _moment(text) for text in texts}
    zoned = [text for text in texts if moments[text].tzinfo is not None]
    if zoned and len(zoned) < len(texts):
        without = next(text for text in texts if moments[text].tzinfo is None)
        raise NoDateError(without, f"has no offset from UTC, but other values have one, such as {zoned[0]!r}")
    since = {text: moment.replace(tzinfo=moment.tzinfo or UTC) - EPOCH for text, moment in moments.items()}
    if all(DATE.fullmatch(text) for text in texts):
        return Dates({text: str(after // DAY) for text, after in since.items()}, DAYS)
    unit = SECONDS + ("Z" if zoned else "")
    return Dates({text: _seconds(after) for text, after in since.items()}, unit)


def _moment(text: str) -> datetime:
    """Parse a date, as its midnight, or a time."""
    try:
        if DATE.fullmatch(text):
            return datetime.combine(date.fromisoformat(text), datetime.min.time())
        if match := TIME.fullmatch(text):
            whole = text if match["micro"] is None else f"{text[: match.end('micro')]}{match['zone'] or ''}"
            return datetime.fromisoformat(whole)
    except ValueError as error:
        raise NoDateError(text, f"is not a valid date or time ({error})") from error
    raise NoDateError(text, "is not a date or time in ISO 8601, but at least half of the values begin like dates")


def _seconds(after: timedelta) -> str:
    """Seconds, exact if they are whole."""
    whole, rest = divmod(after // MICROSECOND, 10**6)
    return str(whole) if not rest else repr(whole + rest / 10**6)
