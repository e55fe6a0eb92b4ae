"""Reading as a whole: what was written comes back, and any bytes whatever end in a data set or in DataError."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.data.catalogue.coding import data_sets
from pipeline.data.catalogue.entry import Column, ColumnKind, FileLayout
from pipeline.data.catalogue.kinds import with_kinds
from pipeline.data.catalogue.loading import fingerprint
from pipeline.data.catalogue.reading import read_text
from pipeline.errors import DataError
from tests.pipeline.data.catalogue.catalogues import read

LABELS = ("one", "two words", "three, or so", 'a "fourth"', "fünf", "6", "#7", "'8'", "%9", "@10")
NUMBERS = st.one_of(
    st.none(), st.integers(-(10**6), 10**6).map(float), st.floats(allow_nan=False, allow_infinity=False)
)
ROWS = st.lists(
    st.tuples(NUMBERS, st.sampled_from((None, *LABELS)), st.sampled_from(("x", "y", "z"))), min_size=1, max_size=12
)
COLUMNS = (
    Column("number", ColumnKind.NUMERIC),
    Column("label", ColumnKind.NOMINAL, LABELS),
    Column("class", ColumnKind.CLASS, ("x", "y", "z")),
)


@given(ROWS, st.sampled_from([",", ";", "\t"]), st.booleans(), st.sampled_from(["\n", "\r\n"]))
def test_what_was_written_comes_back(
    rows: list[tuple[float | None, str | None, str]], separator: str, header: bool, end: str
) -> None:
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=separator, lineterminator=end)
    if header:
        writer.writerow(column.name for column in COLUMNS)
    writer.writerows(["?" if value is None else value for value in row] for row in rows)
    data = read(stream.getvalue().encode(), FileLayout(COLUMNS, missing=("?",))).whole
    numbers, labels, classes = zip(*rows, strict=True)
    expected = np.array([np.nan if number is None else number for number in numbers], np.float64)
    np.testing.assert_array_equal(data.columns[0], expected)
    assert [None if code < 0 else LABELS[code] for code in data.columns[1]] == list(labels)
    assert ["xyz"[code] for code in data.decisions] == list(classes)


TEXTS = st.one_of(
    st.binary(max_size=80),
    st.text(max_size=60).map(str.encode),
    st.text("ab1.,; \t\n\r\"'%@?()", max_size=60).map(str.encode),
    st.lists(st.lists(st.sampled_from(["1", "x", "", "?", '"', "2.5", "a b"]), max_size=4).map(",".join)).map(
        lambda lines: "\n".join(lines).encode()
    ),
    st.text("ab1, \n{}'?%", max_size=60).map(lambda body: f"@relation r\n@attribute a {{a,b}}\n@data\n{body}".encode()),
)


@given(
    TEXTS,
    st.sampled_from(
        [FileLayout(), FileLayout(COLUMNS), FileLayout(COLUMNS, missing=("?", "")), FileLayout(COLUMNS, sequence=2)]
    ),
)
def test_any_bytes_are_a_data_set_or_a_data_error_that_names_the_file(content: bytes, layout: FileLayout) -> None:
    try:
        table = read_text(content, "mine.csv", layout)
        if not layout.columns:
            table = with_kinds(table, ("", "?"))
        parts = data_sets({"all": table}, FileLayout(table.columns, missing=("", "?")))
    except DataError as error:
        assert str(error).startswith("mine.csv")  # noqa: PT017 - some of these are data sets
    else:
        assert parts["all"].rows > 0
        assert len(fingerprint(parts)) == 64


def test_train_and_test_share_labels_and_only_one_may_hold_the_dropped_column() -> None:
    columns = (Column("id", ColumnKind.DROP), Column("sky", ColumnKind.NOMINAL), Column("play", ColumnKind.CLASS))
    layout = FileLayout(columns)
    tables = {
        "train": read_text(b"1,sun,yes\n2,rain,no\n", "a.csv", layout),
        "test": read_text(b"fog 10\nsun 9\n", "b.csv", layout),
    }
    parts = data_sets(tables, layout)
    assert parts["train"].attributes == parts["test"].attributes
    assert parts["train"].attributes[0].labels == ("fog", "rain", "sun")
    assert parts["train"].classes == ("10", "9", "no", "yes")
    assert parts["test"].columns[0].tolist() == [0, 2]
    assert parts["test"].decisions.tolist() == [0, 1]


def test_labels_that_are_all_numbers_are_sorted_as_numbers() -> None:
    layout = FileLayout((Column("a", ColumnKind.NOMINAL), Column("class", ColumnKind.CLASS)))
    data = read(b"10,b\n9,a\n-1,b\n1.0,a\n1,a\n", layout).whole
    assert data.attributes[0].labels == ("-1", "1", "1.0", "9", "10")


@pytest.mark.parametrize("rows", [1, 300, 70_000])
def test_line_numbers_hold_past_every_boundary(rows: int) -> None:
    """Of the sample, of a block of the reader, with empty lines between."""
    layout = FileLayout((Column("a", ColumnKind.NUMERIC), Column("class", ColumnKind.CLASS)))
    content = b"a,class\n" + b"123456.789,x\n\n" * rows + b"oops,x\n"
    with pytest.raises(DataError, match=rf"^mine\.csv, line {2 * rows + 2}, column 'a': 'oops'"):
        read(content, layout)
    with pytest.raises(
        DataError, match=rf"^mine\.csv, line {2 * rows + 2}: the line has 3 fields, but other lines have 2"
    ):
        read(content.replace(b"oops,", b"1,2,"), layout)
