"""Files that cannot be read as they are: each error names the file, the line and the way out."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipeline.data.catalogue import delimited
from pipeline.data.catalogue.catalogue import Catalogue
from pipeline.data.catalogue.column_choice import ColumnChoice
from pipeline.data.catalogue.entry import Column, ColumnKind, FileLayout
from pipeline.data.catalogue.loading import load_file
from pipeline.data.catalogue.reading import read_text
from pipeline.errors import DataError
from tests.pipeline.data.catalogue.catalogues import read, shipped

COLUMNS = (
    Column("height", ColumnKind.NUMERIC),
    Column("sky", ColumnKind.NOMINAL, ("sun", "rain")),
    Column("play", ColumnKind.CLASS),
)
LAYOUT = FileLayout(COLUMNS)
GOOD = b"height,sky,play\n1,sun,yes\n2,rain,no\n"


def failure(content: bytes, layout: FileLayout = LAYOUT) -> str:
    with pytest.raises(DataError) as caught:
        read(content, layout)
    return str(caught.value)


def test_a_missing_column_is_named() -> None:
    assert failure(b"height,play\n1,yes\n").startswith(
        "mine.csv, line 1: there is no column 'sky' among height, play: add it to the file, or change"
    )
    assert "there is no column 'sky' among height, cloud, play" in failure(b"height,cloud,play\n1,sun,yes\n")
    assert "mine.csv: most lines have 2 fields, separated by comma: expected 3 columns, from" in failure(
        b"1,yes\n2,no\n"
    )


def test_a_line_of_another_length_is_named() -> None:
    lines = GOOD + b"3,sun,yes\n" * 5000 + b"\n4,sun\n" + b"5,rain,no\n"
    assert failure(lines) == (
        "mine.csv, line 5005: the line has 2 fields, but other lines have 3: '4,sun'; "
        "change the line, close its quotes, or put quotes around a text that contains the separator"
    )


@pytest.mark.parametrize(
    ("first", "fields"), [(b"1,sun\n", 2), (b"1,sun,yes,extra\n", 4), (b"sun,yes\n", 2), (b"1\n", 1)]
)
def test_a_first_row_of_another_length_does_not_pass_for_a_header(first: bytes, fields: int) -> None:
    message = failure(first + b"1,sun,yes\n2,rain,no\n")
    assert message.startswith(
        f"mine.csv, line 1: the line has {fields} field{'s' * (fields > 1)}, but other lines have 3: "
    )


def test_lines_before_the_rows_are_skipped_up_to_the_limit() -> None:
    rows = b"1,sun,yes\n2,rain,no\n"
    title = b"The weather; in May\n\nheight,sky,play\n"
    assert read(title + rows, replace(LAYOUT, header=2)).fingerprint == read(rows, LAYOUT).fingerprint
    assert "line 3, column 'height': 'height' is not a finite number" in failure(title + rows)


def test_text_in_a_numeric_column_is_named_by_line() -> None:
    content = b"height,sky,play\n" + b"1.5,sun,yes\n" * 4709 + b"tall,sun,yes\n2,rain,no\n"
    expected = "mine.csv, line 4711, column 'height': 'tall' is not a finite number: change the value. If a"
    assert failure(content).startswith(expected)
    assert failure(content.replace(b"\n", b"\r\n")).startswith(expected)


@pytest.mark.parametrize("text", ["inf", "-inf", "nan", "1e999", "1_000", "0x10", "1,5", "", "--1", "1 2", "١"])
def test_numbers_that_are_not_finite(text: str) -> None:
    assert "is not a finite number" in failure(b'height,sky,play\n"%s",sun,yes\n2,rain,no\n' % text.encode())


@pytest.mark.parametrize(
    ("text", "value"), [("+1.5", 1.5), (".5", 0.5), ("2.", 2.0), ("-1.7E+01", -17.0), ("007", 7.0)]
)
def test_every_way_to_write_a_number(text: str, value: float) -> None:
    data = read(b"%s,sun,yes\n-0.0,sun,yes\n" % text.encode(), LAYOUT).whole
    assert data.columns[0].tolist() == [value, 0.0]
    assert not np.signbit(data.columns[0][1])


def test_a_label_that_is_not_declared_is_named() -> None:
    expected = "mine.csv, line 3, column 'sky': 'snow' is not declared: expected a declared value, such as sun, rain."
    assert failure(b"1,sun,yes\n\n2,snow,no\n").startswith(expected)


def test_missing_values_are_those_that_are_declared() -> None:
    data = read(b"?,sun,yes\n2,?,no\n3,rain,?\n", replace(LAYOUT, missing=("?",))).whole
    assert data.missing.tolist() == [[True, False], [False, True], [False, False]]
    assert data.decisions.tolist() == [1, 0, -1]
    assert data.classes == ("no", "yes")


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf", b"  \r\n"])
def test_an_empty_file(content: bytes) -> None:
    assert failure(content).startswith("mine.csv: the file is empty")


def test_a_header_and_no_rows() -> None:
    assert failure(b"height,sky,play\n") == "mine.csv: the file has a header, but no rows: expected a row per line"


def test_another_encoding_is_refused_by_line_unless_declared() -> None:
    latin = GOOD.replace(b"sun", "süß".encode("latin-1"))
    assert failure(latin) == (
        "mine.csv, line 2: byte 0xfc is not UTF-8: save the file as UTF-8, or give the encoding in the YAML file of "
        "a catalogue, such as `encoding: latin-1`. If the file is text in Latin-1, `iconv -f latin1 -t utf-8 mine.csv "
        "> utf8.csv` converts it"
    )
    layout = FileLayout((COLUMNS[0], replace(COLUMNS[1], labels=()), COLUMNS[2]), encoding="latin-1")
    assert read(latin, layout).whole.attributes[1].labels == ("rain", "süß")
    assert "is in UTF-16: save it as UTF-8" in failure(GOOD.decode().encode("utf-16"))
    assert "`encoding: utf-88` is not a known encoding" in failure(latin, replace(layout, encoding="utf-88"))
    assert "is not in the declared encoding utf-16" in failure(latin + b"\xd8", replace(layout, encoding="utf-16-be"))


def test_fields_with_the_separator_stand_in_quotes() -> None:
    labels = ("sun, mostly", 'a "fine" rain')
    layout = FileLayout((COLUMNS[0], replace(COLUMNS[1], labels=labels), COLUMNS[2]))
    data = read(b'1,"sun, mostly",yes\n2,"a ""fine"" rain",no\n', layout).whole
    assert data.columns[1].tolist() == [0, 1]


def test_letters_of_a_sequence_are_counted() -> None:
    columns = (Column("play", ColumnKind.CLASS), *(Column(f"base{k}", ColumnKind.NOMINAL) for k in range(3)))
    layout = FileLayout(columns, sequence=3)
    assert read(b"yes, ACG \nno,TTT\n", layout).whole.attributes[2].labels == ("G", "T")
    assert failure(b"yes,ACG\nno,TT\n", layout) == (
        "mine.csv, line 2: the last field has 2 letters: expected 3, one for each column"
    )


# Files of which nothing is declared


@pytest.mark.parametrize("begin", ["", "  \n", "\n   \n"])
def test_lines_of_blanks_are_empty_wherever_they_are(begin: str, write) -> None:
    data = load_file(write(f"{begin}1,sun,no\n   \n2,rain,yes\n  ")).whole
    assert (data.rows, data.columns[0].tolist(), data.classes) == (2, [1.0, 2.0], ("no", "yes"))


@pytest.mark.parametrize(
    ("content", "columns"),
    [
        ("1,5;2,5;yes\n1,7;2,5;no\n", [("1,5", "1,7"), ("2,5",)]),
        ("1;2,5;yes\n1;3,5;no\n", [("1",), ("2,5", "3,5")]),
        ("a;b,c;d,yes\nb;b,c;d,no\n", [("a;b", "b;b"), ("c;d",)]),  # semicolons within cells
        ("1,5\tyes\n1,7\tno\n1,5\tyes\n", [("1,5", "1,7")]),
        ("name, first\tplay\nRoe, A\tyes\nDoe, B\tno\n", [("Doe, B", "Roe, A")]),
    ],
)
def test_decimal_commas_and_those_within_cells_do_not_separate(content: str, columns: list[tuple[str, ...]]) -> None:
    texts = read_text(content.encode(), "mine.csv", FileLayout()).texts
    assert [tuple(sorted(set(column.to_pylist()))) for column in texts[:-1]] == columns


def test_a_line_has_its_greatest_length_and_a_longer_one_is_named(write, monkeypatch) -> None:
    rows = "a,b\n" + "1,x\n" * 300
    assert load_file(write(f"{rows}2,{'y' * 5 * 2**23}\n")).whole.rows == 301
    monkeypatch.setattr(delimited, "LONGEST_LINE", 1000)
    with pytest.raises(DataError, match=r"mine\.csv, line 302: the line has 5,002 bytes, but at most 1,000 are read"):
        load_file(write(f"{rows}2,{'y' * 5000}\n"))


def test_a_header_of_another_length(write) -> None:
    with pytest.raises(
        DataError, match=r"line 1: the header has 2 fields, but the rows have 3: give every column a name, or delete"
    ):
        load_file(write("x,play\n1,2,yes\n3,4,no\n"))
    with pytest.raises(
        DataError, match="the header has 3 fields, but the rows have 2: check the separators and the quotes"
    ):
        load_file(write("x,play,more\n1,yes\n3,no\n"))


@pytest.mark.parametrize(
    ("content", "line", "text"),
    [
        ('"a\nb",c\n1,2\n3,4\n', 1, "a"),
        ('c,"a\nb"\n1,2\n3,4\n', 1, 'c,"a'),
        ('"c" ,"a\nb"\n1,2\n3,4\n', 1, '"c" ,"a'),
        ('\n\nc;d;"a\nb"\n1;2;3\n3;4;5\n', 3, 'c;d;"a'),
        ('a,b\n1,"2\n3"\n4,5\n', 2, "2\n3"),
        ('x,sky,play\n1,sun,no\n2,rain,"yes\n3,sun,no\n4,rain,yes\n', 3, "'yes"),
    ],
)
def test_a_text_in_quotes_that_does_not_end_on_its_line_is_refused(content: str, line: int, text: str, write) -> None:
    with pytest.raises(DataError) as caught:
        load_file(write(content))
    message = str(caught.value)
    assert f"mine.csv, line {line}: a quoted text does not end on its line: " in message
    assert repr(text)[1:-1] in message


def test_a_quote_within_a_name_is_a_sign_of_it(write) -> None:
    result = load_file(write('width in 5",b,c\n1,2,x\n3,4,y\n')).whole
    assert [attribute.name for attribute in result.attributes] == ['width in 5"', "b"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_whatever_ends_them(end: str, write) -> None:
    for byte, why in ((b"\xfc", "byte 0xfc is not UTF-8"), (b"\0", "there is a zero byte")):
        with pytest.raises(DataError, match=rf"mine\.csv, line 3: {why}"):
            load_file(write(f"x,play{end}1,yes{end}".encode() + byte))


@pytest.mark.parametrize("number", ["9007199254740993", "-123456789012345678901"])
def test_whole_numbers_that_would_be_rounded_are_refused(write, number: str) -> None:
    with pytest.raises(
        DataError, match=rf"mine\.csv, line 3, column 'account': {number} has more digits than a number"
    ):
        load_file(write(f"account,play\n9007199254740992,yes\n{number},no\n12,yes\n"))


def test_a_path_goes_through_the_same_door(write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(gzip.compress(GOOD), "mine.csv.gz")
    monkeypatch.chdir(tmp_path)
    catalogue: Catalogue = shipped(None)
    assert catalogue.load("mine.csv.gz").whole.rows == 2
    assert catalogue.load("./mine.csv.gz", ColumnChoice("sky")).whole.classes == ("rain", "sun")
    with pytest.raises(DataError, match=r"^yours\.csv: cannot be read: No such file or directory"):
        catalogue.load("yours.csv")
    with pytest.raises(DataError, match="is not a file"):
        catalogue.load("./")


def test_a_file_beyond_the_ceiling_is_refused_before_it_is_read(write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(GOOD)
    packed = write(gzip.compress(GOOD * 100), "packed.csv.gz")
    monkeypatch.setattr("pipeline.data.catalogue.loading.LARGEST", len(GOOD))
    assert load_file(path).whole.rows == 2
    monkeypatch.setattr("pipeline.data.catalogue.loading.LARGEST", len(GOOD) - 1)
    with pytest.raises(DataError, match=r"mine\.csv: the file has 36 bytes, but at most 35 are read: take a sample"):
        load_file(path)
    monkeypatch.setattr("pipeline.data.catalogue.loading.LARGEST", 200)
    with pytest.raises(DataError, match=r"packed\.csv\.gz: the file unpacks to more than 200 bytes"):
        load_file(packed)


def test_a_set_without_a_published_split_has_no_test_part() -> None:
    loaded = read(GOOD, LAYOUT)
    assert loaded.part("all").rows == 2
    with pytest.raises(DataError, match="'mine' has no part 'test', because no split of it is published: expected all"):
        loaded.part("test")


def test_two_columns_of_one_name(write) -> None:
    assert "mine.csv, line 1: two columns are called 'sky'" in failure(b"height,sky,play,sky\n1,sun,yes,rain\n")
    with pytest.raises(DataError, match=r"mine\.csv, line 1: two columns are called 'x'"):
        load_file(write("x,x,play\n1,2,yes\n3,4,no\n"))
