"""A fingerprint is of the content: another form of the same data has the same one, another value has not."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.data.data_set import Attribute, AttributeKind, DataSet
from pipeline.data.catalogue.entry import Column, ColumnKind, FileLayout
from pipeline.data.catalogue.loading import fingerprint, loaded_set
from tests.pipeline.data.catalogue.catalogues import entry_of, read

COLUMNS = (
    Column("id", ColumnKind.DROP),
    Column("height", ColumnKind.NUMERIC),
    Column("sky", ColumnKind.NOMINAL, ("sun", "rain", "fog")),
    Column("play", ColumnKind.CLASS),
)
LAYOUT = FileLayout(COLUMNS, missing=("?",))
ROWS = [["1", "1.50", "sun", "yes"], ["2", "?", "rain", "no"], ["3", "-2", "?", "no"], ["4", "1e3", "sun", "?"]]
HEADER = [column.name for column in COLUMNS]


def written(rows: list[list[str]], separator: str = ",", end: str = "\n") -> bytes:
    return "".join(separator.join(row) + end for row in rows).encode()


ORIGINAL = read(written(ROWS), LAYOUT).fingerprint


@pytest.mark.parametrize(
    "copy",
    [
        written(ROWS, ";"),
        written(ROWS, "\t"),
        written(ROWS, " "),
        written(ROWS, "   "),
        written(ROWS, " , "),
        written(ROWS, end="\r\n"),
        written(ROWS, end="\r"),
        written(ROWS, end="\n\n"),
        written(ROWS, end="\n   \n"),
        written(ROWS).rstrip(b"\n"),
        b"\xef\xbb\xbf" + written(ROWS),
        b"\xef\xbb\xbf" + written([HEADER, *ROWS], end="\r\n"),
        written([HEADER, *ROWS]),
        written([[name.upper() for name in HEADER], *ROWS], ";"),
        written([row[::-1] for row in [HEADER, *ROWS]]),
        written([row[1:] for row in ROWS]),
        written([row[1:] for row in [HEADER, *ROWS]], "\t"),
        written([[f'"{text}"' for text in row] for row in ROWS]),
        written([[row[0], row[1].replace("1.50", "1.5").replace("1e3", "1000.0"), *row[2:]] for row in ROWS]),
        b"".join(b"(%s)\n" % line for line in written(ROWS, " ").splitlines()),
    ],
    ids=lambda copy: repr(copy)[2:30],
)
def test_another_form_of_the_same_data_has_the_same_fingerprint(copy: bytes) -> None:
    assert read(copy, LAYOUT).fingerprint == ORIGINAL


def test_so_has_parquet() -> None:
    numbers = [1.5, None, -2.0, 1000.0]
    table = pa.table({"height": numbers, "id": [1, 2, 3, 4], "sky": ["sun", "rain", None, "sun"], "play": list("ynn?")})
    table = table.set_column(3, "play", pa.array(["yes", "no", "no", "?"]).dictionary_encode())
    stream = io.BytesIO()
    pa.parquet.write_table(table, stream)
    assert read(stream.getvalue(), LAYOUT).fingerprint == ORIGINAL


def test_so_has_arff() -> None:
    head = "% weather\n@RELATION w\n@attribute id string\n@attribute height real\n"
    head += "@attribute sky {sun, rain, fog}\n@attribute 'play' {yes, no}\n\n@DATA\n% rows\n"
    assert read(head.encode() + written(ROWS), LAYOUT).fingerprint == ORIGINAL


def test_utf_16_where_it_is_declared() -> None:
    layout = replace(LAYOUT, encoding="utf-16", decimal_comma=True)
    commas = [[text.replace(".", ",") for text in row] for row in ROWS]
    assert read(written(commas, "\t").decode().encode("utf-16"), layout).fingerprint == ORIGINAL
    assert read(written(ROWS), layout).fingerprint == ORIGINAL


@pytest.mark.parametrize("row", range(len(ROWS)))
@pytest.mark.parametrize("index", [1, 2, 3])
def test_any_other_value_changes_it(row: int, index: int) -> None:
    second = {1: "7", 2: "fog", 3: {"yes": "no"}.get(ROWS[row][3], "yes")}[index]
    changed = [list(row) for row in ROWS]
    changed[row][index] = second
    assert read(written(changed), LAYOUT).fingerprint != ORIGINAL


def test_the_order_of_rows_of_columns_and_of_labels_changes_it_but_no_dropped_column() -> None:
    assert read(written(ROWS[::-1]), LAYOUT).fingerprint != ORIGINAL
    assert read(written(ROWS[:3]), LAYOUT).fingerprint != ORIGINAL
    swapped = replace(LAYOUT, columns=(COLUMNS[0], COLUMNS[2], COLUMNS[1], COLUMNS[3]))
    assert read(written([[a, c, b, d] for a, b, c, d in ROWS]), swapped).fingerprint != ORIGINAL
    relabelled = replace(LAYOUT, columns=(*COLUMNS[:3], replace(COLUMNS[3], labels=("yes", "no"))))
    assert read(written(ROWS), relabelled).fingerprint != ORIGINAL
    assert read(written([["9", *row[1:]] for row in ROWS]), LAYOUT).fingerprint == ORIGINAL


def test_a_recoded_copy_is_the_same_data() -> None:
    recode = {"0": "sun", "1": "rain", "2": "fog"}
    layout = replace(LAYOUT, columns=(*COLUMNS[:2], replace(COLUMNS[2], recode=recode), COLUMNS[3]))
    numbered = [[a, b, {"sun": "0", "rain": "1"}.get(c, c), d] for a, b, c, d in ROWS]
    assert read(written(numbered), layout).fingerprint == ORIGINAL


NUMBERS = st.lists(st.one_of(st.floats(allow_infinity=False), st.integers(-9, 9).map(float)), min_size=1, max_size=6)


def of_numbers(values: list[float]) -> DataSet:
    column = np.array(values, np.float64)
    return DataSet((Attribute("a", AttributeKind.NUMERIC),), (column,), ("c",), np.zeros(len(column), np.int32))


@given(NUMBERS, NUMBERS)
def test_numbers_have_one_fingerprint_exactly_if_they_are_the_same(first: list[float], second: list[float]) -> None:
    same = len(first) == len(second) and all(repr(a) == repr(b) for a, b in zip(first, second, strict=True))
    assert (fingerprint({"all": of_numbers(first)}) == fingerprint({"all": of_numbers(second)})) == same


def test_parts_have_different_fingerprints() -> None:
    data = of_numbers([1.0, 2.0])
    train, test = data.take(np.array([0])), data.take(np.array([1]))
    assert fingerprint({"train": train, "test": test}) == fingerprint({"test": test, "train": train})
    assert len({fingerprint({"all": data}), fingerprint({"train": train, "test": test})}) == 2
    assert fingerprint({"train": train, "test": test}) != fingerprint({"train": test, "test": train})


def test_the_public_form_of_connect_4_is_the_data_set_of_its_entry(shared: Path) -> None:
    """UCI writes letters, words and no header; the reference copy numbers and a header."""
    import gzip

    entry = entry_of("uci/connect-4")
    numbered = gzip.decompress((shared / "data/connect-4/connect-4.tsv.gz").read_bytes()).decode().splitlines()[1:]
    lines = []
    for line in numbered:
        *cells, outcome = line.split("\t")
        lines.append(",".join([*("box"[int(cell)] for cell in cells), ["draw", "loss", "win"][int(outcome)]]))
    assert read("\n".join(lines).encode(), entry.layout).fingerprint in entry.fingerprints


def test_the_public_form_of_echocardiogram_is_the_data_set_of_its_entry(shared: Path) -> None:
    """UCI's line 50 has 14 fields; the reference copy is without it."""
    entry = entry_of("uci/echocardiogram")
    lines = (shared / "data/echocardiogram/echocardiogram.data").read_text(encoding="utf-8").splitlines()
    lines = [",".join(line.split()) for line in lines]
    lines.insert(49, ",?,?,77,?,?,?,?,?,2,?,name,2,?")
    assert read("\n".join(lines).encode(), entry.layout).fingerprint in entry.fingerprints


def test_the_public_form_of_image_segmentation_is_the_data_set_of_its_entry(shared: Path) -> None:
    """UCI's files begin with lines of Lisp and the names of all columns but the first."""
    entry = entry_of("uci/image-segmentation")
    names = ",".join(column.name.upper() for column in entry.layout.columns[1:])
    head = f";;; -*- Mode:Common-Lisp; Base:10 -*-\r\n;;; *-* Last-edit: 11/21/90 15:27:37 *-*\r\n\r\n{names}\r\n\r\n"
    contents = {}
    for part, file in entry.files.items():
        lines = (shared / "data" / file.path).read_text(encoding="utf-8").split("\n")
        text = head + "\r\n".join(",".join(line.replace(",", " ").split()) for line in lines)
        contents[part] = (str(file.path), text.encode())
    assert loaded_set(entry, contents).fingerprint in entry.fingerprints


def test_the_public_form_of_vowel_is_one_file_of_both_parts(shared: Path) -> None:
    entry = entry_of("uci/vowel")
    both = b"".join((shared / "data" / file.path).read_bytes() for file in entry.files.values())
    assert loaded_set(entry, dict.fromkeys(entry.files, ("vowel-context.data", both))).fingerprint in entry.fingerprints
