"""Dates and times of files as numbers, and columns that are dates but for a few texts."""

from __future__ import annotations

import io
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.data.data_set import DAYS, SECONDS, AttributeKind
from pipeline.data.catalogue.column_choice import ColumnChoice
from pipeline.data.catalogue.kinds import NoDateError, dates_in
from pipeline.data.catalogue.loading import load_file
from pipeline.errors import DataError

OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(st.lists(st.dates(), min_size=1))
def test_dates_are_days_since_1970(days: list[date]) -> None:
    result = dates_in(str(day) for day in days)
    assert result is not None
    assert result.unit == "days since 1970-01-01"
    assert {text: int(number) for text, number in result.numbers.items()} == {
        str(day): day.toordinal() - 719163 for day in days
    }


@given(st.lists(st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)), min_size=1), st.sampled_from(" T"))
def test_times_are_seconds_since_1970_and_keep_their_order(times: list[datetime], between: str) -> None:
    result = dates_in(time.isoformat(between) for time in times)
    assert result is not None
    assert result.unit == "seconds since 1970-01-01T00:00:00"
    numbers = [float(result.numbers[time.isoformat(between)]) for time in times]
    assert numbers == pytest.approx([time.replace(tzinfo=UTC).timestamp() for time in times], abs=1e-6, rel=0)
    order = sorted(range(len(times)), key=lambda index: times[index])
    assert [numbers[index] for index in order] == sorted(numbers)
    assert len(set(numbers)) == len(set(times))


@given(st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)), OFFSETS, OFFSETS)
def test_one_moment_of_two_offsets_is_one_number(moment: datetime, first: timezone, second: timezone) -> None:
    texts = [moment.replace(tzinfo=UTC).astimezone(zone).isoformat() for zone in (first, second)]
    result = dates_in(texts)
    assert result is not None
    assert len(set(result.numbers.values())) == 1


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        (["1970-01-02", "1969-12-31"], ["1", "-1"]),
        (["1970-01-02", "1970-01-01T00:01"], ["86400", "60"]),
        (["1970-01-01T00:00:00Z", "1970-01-01T01:00:00+01:00"], ["0", "0"]),
        (["1970-01-01 00:00:00.500000000"], ["0.5"]),
        (["1969-12-31 23:59:59.5"], ["-0.5"]),
        (["2026", "2025-13"], None),
        (["model 2020-01-01", "x"], None),
        (["2020-01-011", "x"], None),
        (["2020-01-01", "x", "y"], None),
        (["1.2.3", "10/20/2", "10.1.2.2020", "192.168.10.10", "1-2/2020"], None),
        ([], None),
    ],
)
def test_dates_are_recognised(texts: list[str], numbers: list[str] | None) -> None:
    result = dates_in(texts)
    assert (None if result is None else [result.numbers[text] for text in texts]) == numbers


@pytest.mark.parametrize(
    ("texts", "text", "why"),
    [
        (["2026-02-30", "2026-02-01"], "2026-02-30", "is not a valid date or time"),
        (["0000-01-01"], "0000-01-01", "is not a valid date or time"),
        (["2026-02-01T25:00"], "2026-02-01T25:00", "is not a valid date or time"),
        (["2026-02-01", "2026-02-02", "31.1.2026"], "31.1.2026", "but at least half of the values"),
        (["2026-02-01", "unknown"], "unknown", "is not a date or time in ISO 8601"),
        (["2026-02-01T10:00:00.1234567"], "2026-02-01T10:00:00.1234567", "is not a date or time in ISO 8601"),
        (
            ["2026-02-01T10:00Z", "2026-02-01T10:00"],
            "2026-02-01T10:00",
            "has no offset from UTC, but other values have one",
        ),
        (["3/14/2024", "3/15/2024"], "3/14/2024", "is not a date or time in ISO 8601"),
        (["3/14/24 10:30", "3/15/24 9:00"], "3/14/24 10:30", "is not a date or time in ISO 8601"),
        (["31.01.2026"], "31.01.2026", "is not a date or time in ISO 8601"),
        (["14-03-2024"], "14-03-2024", "is not a date or time in ISO 8601"),
        (["2024/3/14"], "2024/3/14", "is not a date or time in ISO 8601"),
        (["2026-02-01-05"], "2026-02-01-05", "is not a date or time in ISO 8601"),
    ],
)
def test_a_text_among_dates_that_is_no_date(texts: list[str], text: str, why: str) -> None:
    with pytest.raises(NoDateError, match=why) as caught:
        dates_in(texts)
    assert caught.value.text == text


FILE = "seen,until,play\n2026-01-31,2026-01-31T10:00,yes\n,2026-01-31T10:01,no\n2026-02-02,?,no\n"


def test_a_file_has_its_dates_as_numbers_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(FILE, encoding="utf-8")
    loaded = load_file(path)
    assert {attribute.kind for attribute in loaded.whole.attributes} == {AttributeKind.NUMERIC}
    assert [attribute.unit for attribute in loaded.whole.attributes] == [DAYS, SECONDS]
    assert loaded.whole.columns[0].tolist()[::2] == [20484, 20486]
    assert loaded.whole.missing.tolist() == [[False, False], [True, False], [False, True]]
    assert [remark.partition("mine.csv: ")[2] for remark in loaded.remarks if ": dates are" in remark] == [
        "dates are read as numbers, days since 1970-01-01: seen",
        "dates are read as numbers, seconds since 1970-01-01T00:00:00: until",
    ]
    assert not [remark for remark in loaded.remarks if "identifier" in remark]
    texts = load_file(path, ColumnChoice(types=(("seen", "nominal"),))).whole.attributes[0]
    assert texts.labels == ("2026-01-31", "2026-02-02")
    assert load_file(path, ColumnChoice(types=(("seen", "numeric"),))).content == loaded.content


def test_dates_of_a_class_are_labels(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("x,day\n1,2026-01-31\n2,2026-02-02\n", encoding="utf-8")
    assert load_file(path).whole.classes == ("2026-01-31", "2026-02-02")


def test_a_text_among_dates_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(FILE.replace("2026-02-02", "2.2.2026"), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load_file(path)
    assert str(caught.value) == (
        f"{path}, line 4, column 'seen': '2.2.2026' is not a date or time in ISO 8601, but at least half of the "
        "values begin like dates: write all values as 2026-01-31 or all as 2026-01-31T13:45:00 (six decimals at most), "
        "leave the cell empty if the value is unknown, or add 'types={seen: nominal}'"
    )


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Berlin"])
def test_parquet_and_csv_of_one_table_are_one_data_set(tmp_path: Path, unit: str, zone: str | None) -> None:
    times = [datetime(2026, 1, 31, 13, 45, tzinfo=UTC), None, datetime(1969, 7, 20, 20, 17, tzinfo=UTC)]
    if zone is None:
        times = [time and time.replace(tzinfo=None) for time in times]
    days = [date(2026, 1, 31), date(1969, 7, 20), None]
    stream = io.BytesIO()
    columns = {"day": pa.array(days), "time": pa.array(times, pa.timestamp(unit, zone)), "play": ["a", "b", "b"]}
    pa.parquet.write_table(pa.table(columns), stream)
    (tmp_path / "mine.parquet").write_bytes(stream.getvalue())
    rows = zip(days, [time and time.isoformat() for time in times], "abb", strict=True)
    lines = [",".join("" if value is None else str(value) for value in row) for row in rows]
    (tmp_path / "mine.csv").write_text("\n".join(["day,time,play", *lines]), encoding="utf-8")
    first, second = load_file(tmp_path / "mine.parquet"), load_file(tmp_path / "mine.csv")
    assert first.whole.columns[0].tolist()[:2] == [20484, -165]
    assert first.whole.columns[1].tolist()[::2] == [1769867100, -14182980]
    assert first.content == second.content


def test_arff_has_dates_as_strings(tmp_path: Path) -> None:
    path = tmp_path / "mine.arff"
    text = "@relation r\n@attribute day string\n@attribute c {x,y}\n@data\n2026-01-31,x\n?,y\n"
    path.write_text(text, encoding="utf-8")
    assert load_file(path).whole.columns[0].tolist()[0] == 20484
    path.write_text(text.replace("string", "date 'yyyy-MM-dd'"), encoding="utf-8")
    with pytest.raises(DataError, match="; give dates such as 2026-01-31 the type string"):
        load_file(path)
