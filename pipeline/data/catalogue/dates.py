"""Dates and times of ISO 8601 as numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

__all__ = ["Dates", "NoDateError", "dates_in"]

LOOKS = re.compile(r"\d{4}-\d\d-\d\d(?!\d)", re.ASCII)
"""Patterns for the beginnings of dates and of times."""
DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.(?P<micro>\d{1,6})0*)?)?(?P<zone>Z|[+-]\d\d:?\d\d)?", re.ASCII)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
MICROSECOND = timedelta(microseconds=1)


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

    Raises
    ------
    NoDateError
        At least half of the texts begin like dates, but one is not a date of the calendar, has more than six decimals
        of a second, or has an offset that others lack.
    """
    texts = list(dict.fromkeys(texts))
    dated = [text for text in texts if LOOKS.match(text)]
    if not dated or len(dated) * 2 < len(texts):
        return None
    moments = {text: _moment(text, len(dated)) for text in texts}
    zoned = [text for text in texts if moments[text].tzinfo is not None]
    if zoned and len(zoned) < len(texts):
        without = next(text for text in texts if moments[text].tzinfo is None)
        raise NoDateError(without, f"has no offset from UTC, but others have, such as {zoned[0]!r}")
    since = {text: moment.replace(tzinfo=moment.tzinfo or UTC) - EPOCH for text, moment in moments.items()}
    if all(DATE.fullmatch(text) for text in texts):
        return Dates({text: str(after // DAY) for text, after in since.items()}, "days since 1970-01-01")
    unit = "seconds since 1970-01-01T00:00:00" + ("Z" if zoned else "")
    return Dates({text: _seconds(after) for text, after in since.items()}, unit)


def _moment(text: str, dated: int) -> datetime:
    """Parse a date, as its midnight, or a time."""
    try:
        if DATE.fullmatch(text):
            return datetime.combine(date.fromisoformat(text), datetime.min.time())
        if found := TIME.fullmatch(text):
            whole = text if found["micro"] is None else f"{text[: found.end('micro')]}{found['zone'] or ''}"
            return datetime.fromisoformat(whole)
    except ValueError as error:
        raise NoDateError(text, f"is no date or time of the calendar ({error})") from error
    raise NoDateError(text, f"is no date or time of ISO 8601, but {dated} of the column's values begin as one")


def _seconds(after: timedelta) -> str:
    """Seconds, exact if they are whole."""
    whole, rest = divmod(after // MICROSECOND, 10**6)
    return str(whole) if not rest else repr(whole + rest / 10**6)
