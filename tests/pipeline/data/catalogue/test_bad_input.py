"""Files that cannot be read as they are: each error names the file, the line and the way out."""

from __future__ import annotations

import gzip
import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from algorithms.data_set import AttributeKind
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


@pytest.fixture
def write(tmp_path: Path):
    def written(content: bytes | str, name: str = "mine.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return written


def failure(content: bytes, layout: FileLayout = LAYOUT) -> str:
    with pytest.raises(DataError) as caught:
        read(content, layout)
    return str(caught.value)


def test_a_missing_column_is_named() -> None:
    assert failure(b"height,play\n1,yes\n").startswith(
        "mine.csv, line 1: there is no column 'sky' among height, play: add it to the file, or change"
    )
    assert "there is no column 'sky' among height, cloud, play" in failure(b"height,cloud,play\n1,sun,yes\n")
    assert "mine.csv: most lines have 2 fields, separated by comma, but 3 columns are declared" in failure(
        b"1,yes\n2,no\n"
    )


def test_a_line_of_another_length_is_named() -> None:
    lines = GOOD + b"3,sun,yes\n" * 5000 + b"\n4,sun\n" + b"5,rain,no\n"
    assert failure(lines) == (
        "mine.csv, line 5005: the line has 2 fields, but other lines have 3: '4,sun'; "
        "change the line, or put quotes around a text that contains the separator"
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
    expected = "mine.csv, line 4711, column 'height': 'tall' is not a finite number: change the value or, if a"
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
    expected = "mine.csv, line 3, column 'sky': 'snow' is not a declared value, such as sun, rain: change the value"
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
        "mine.csv, line 2: byte 0xfc is not UTF-8: save the file as UTF-8 (`iconv -f latin1 -t utf-8 mine.csv > "
        "utf8.csv` if the file is Latin-1 and no archive), or give the encoding in the YAML file of a catalogue, such "
        "as `encoding: latin-1`"
    )
    layout = FileLayout((COLUMNS[0], replace(COLUMNS[1], labels=()), COLUMNS[2]), encoding="latin-1")
    assert read(latin, layout).whole.attributes[1].labels == ("rain", "süß")
    assert "is in UTF-16: save it as UTF-8" in failure(GOOD.decode().encode("utf-16"))
    assert "`encoding: utf-88` is not a known encoding" in failure(latin, replace(layout, encoding="utf-88"))
    assert "is not in the declared encoding utf-16" in failure(latin + b"\xd8", replace(layout, encoding="utf-16-be"))


def test_zero_bytes_are_named_by_line() -> None:
    assert failure(b"1,sun,yes\n2,\0,no\n").startswith("mine.csv, line 2: there is a zero byte")


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


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"@relation r\n@attribute a numeric\n1\n", "has no line @data"),
        (b"@relation r\n@attribute a date\n@attribute b {x}\n@data\n1,x\n", "line 2: attribute 'a' is of type 'date'"),
        (b"@relation r\n@attribute a\n@data\n1,x\n", "attribute 'a' is of type ''"),
        (b"@relation r\n@attribute a numeric\n@attribute b {x}\n@data\n{0 1}\n", "the file has sparse rows"),
        (b"@relation r\n@attribute a numeric\n@attribute b {x}\n@data\n% no\n", "there are no rows"),
        (b"@relation r\n@attribute a numeric\n@attribute b {x}\n@data\n1,x,{2}\n", "but 2 columns are declared"),
        (b"@relation r\n@attribute a numeric\n@attribute b {x}\n@data\n1,x\n1,y\n", "line 6, column 'b': 'y' is not"),
        (b"@relation r\n@attribute a numeric\n@attribute b {x}\n@data\n1,x\nz,x\n", "line 6, column 'a': 'z' is no"),
    ],
)
def test_arff(content: bytes, expected: str, write) -> None:
    with pytest.raises(DataError) as caught:
        load_file(write(content, "mine.arff"))
    assert expected in str(caught.value)
    assert "mine.arff" in str(caught.value)


def test_arff_keeps_what_it_declares(write) -> None:
    content = "% c\n@RELATION 'r s'\n@ATTRIBUTE 'the sky' {'fog','sun, mostly', never}\n@attribute h REAL % cm\n"
    content += "@attribute class {yes,no}\n@DATA\n'sun, mostly',1,no\nfog,?,yes % not a comment here\n".replace(
        " % not a comment here", ""
    )
    data = load_file(write(content, "mine.arff")).whole
    assert data.attributes[0].name == "the sky"
    assert data.attributes[0].labels == ("fog", "sun, mostly", "never")
    assert data.columns[0].tolist() == [1, 0]
    assert data.columns[1].tolist()[0] == 1
    assert np.isnan(data.columns[1][1])
    assert (data.classes, data.decisions.tolist()) == (("yes", "no"), [1, 0])


def test_arff_declares_values_that_look_like_missing_ones_or_comments(write) -> None:
    content = "@relation r\n@attribute at {EU,NA,?}\n@attribute tax {'5%','10 %'} % in all\n@attribute class {nan,p}\n"
    data = load_file(write(f"{content}@data\nNA,'5%',p\n?,'10 %',nan\nEU,?,p\n", "mine.arff")).whole
    assert [attribute.labels for attribute in data.attributes] == [("EU", "NA"), ("5%", "10 %")]
    assert [column.tolist() for column in data.columns] == [[1, -1, 0], [0, 1, -1]]
    assert (data.classes, data.decisions.tolist()) == (("nan", "p"), [1, 0, 1])


@pytest.mark.parametrize("quote", ["'", '"'])
def test_a_quote_within_an_arff_text_is_behind_a_backslash(quote: str, write) -> None:
    content = (
        "@relation r\n@attribute 'it\\'s' {'don\\'t, sir',no}\n@attribute class {p,q}\n@data\n'don\\'t, sir',p\nno,q\n"
    )
    data = load_file(write(content.replace("'", quote), "mine.arff")).whole
    assert data.attributes[0].name == f"it{quote}s"
    assert data.attributes[0].labels == (f"don{quote}t, sir", "no")
    assert data.columns[0].tolist() == [0, 1]


def test_arff_may_have_blanks_before_quotes_and_a_comment_after_data(write) -> None:
    content = "@relation r\n@attribute a {'New York', Rome}\n@attribute class {p,q}\n@data % of 2026\n"
    content += "Rome, p\n 'New York', 'q'\n"
    data = load_file(write(content, "mine.arff")).whole
    assert (data.columns[0].tolist(), data.decisions.tolist()) == ([1, 0], [0, 1])


def test_the_index_of_pandas_is_no_column_unless_it_has_a_name(write) -> None:
    pd = pytest.importorskip("pandas")
    for name, columns in ((None, ["a"]), ("id", ["a", "class"])):
        stream = io.BytesIO()
        pd.DataFrame({"a": [1, 2], "class": ["x", "y"]}, index=pd.Index([5, 9], name=name)).to_parquet(stream)
        data = load_file(write(stream.getvalue(), "mine.parquet")).whole
        assert [attribute.name for attribute in data.attributes] == columns


def test_parquet_that_is_damaged_or_of_other_types(write) -> None:
    stream = io.BytesIO()
    pa.parquet.write_table(pa.table({"a": [[1], [2]], "class": ["x", "y"]}), stream)
    with pytest.raises(DataError, match=r"mine\.parquet: column 'a' is of type list"):
        load_file(write(stream.getvalue(), "mine.parquet"))
    with pytest.raises(DataError, match=r"mine\.parquet: cannot be read as Parquet"):
        load_file(write(stream.getvalue()[:-20], "mine.parquet"))


# Files of which nothing is declared


def test_separator_header_kinds_and_class_are_inferred(write) -> None:
    loaded = load_file(write("Height;sky;play\r\n1,5;sun;yes\r\n2,5;;no\r\n".replace(",", ".")))
    data = loaded.whole
    assert [(attribute.name, attribute.kind, attribute.labels) for attribute in data.attributes] == [
        ("Height", AttributeKind.NUMERIC, ()),
        ("sky", AttributeKind.NOMINAL, ("sun",)),
    ]
    assert data.classes == ("no", "yes")
    assert data.missing.tolist() == [[False, False], [False, True]]


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("p,x,s\ne,y,s\np,y,f\np,x,f\n", ["a1", "a2"]),  # letters that come again are values
        ("sky,wind,play\nsun,weak,no\nrain,weak,yes\n", ["sky", "wind"]),
        ("1,2,3\n4,5,6\n", ["a1", "a2"]),
        ("a,b,c\n4,5,6\n", ["a", "b"]),
        (",b,c\n4,5,6\n", ["a1", "b"]),
        ("?,sun,yes\n3,rain,no\n4,sun,yes\n", ["a1", "a2"]),  # the number of the first row is missing
        (",sun,yes\n3,rain,no\n4,sun,yes\n", ["a1", "a2"]),
        (",sky,play\n0,rain,no\n1,sun,yes\n", ["a1", "sky"]),
    ],
)
def test_a_header_is_distinguished_from_a_row(content: str, names: list[str], write) -> None:
    assert [attribute.name for attribute in load_file(write(content)).whole.attributes] == names


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


def test_another_column_can_be_the_class(write) -> None:
    path = write(GOOD)
    assert load_file(path, ColumnChoice("sky")).whole.classes == ("rain", "sun")
    with pytest.raises(
        DataError,
        match=r"mine\.csv: `target` is 'weather', but there is no such column\. Columns: height",
    ):
        load_file(path, ColumnChoice("weather"))


def test_a_column_of_numbers_with_a_text_in_it_is_refused_by_line(write) -> None:
    lines = ["x,play", *(f"{number},yes" for number in range(4709)), "oops,no", "17,no"]
    with pytest.raises(DataError) as caught:
        load_file(write("\n".join(lines)))
    assert (
        "mine.csv, line 4711, column 'x': 'oops' is not a number, but 4709 other values of the column are numbers"
        in str(caught.value)
    )


@pytest.mark.parametrize(
    ("lines", "line", "number"),
    [
        (["x;play", "1,5;yes", "2,5;no"], 2, "1,5"),
        (["x;play", "2;yes", "-2,5;no"], 3, "-2,5"),
        (["x,play", '"1,500",yes', '"1,234,567.8",no'], 2, "1,500"),
        (["x;play", "500;yes", "1.500,25;no"], 3, "1.500,25"),
        (["x,play", "1,yes", "2,no", "-Inf,no"], 4, "-Inf"),
        (["x,play", "1,yes", "1e400,no"], 3, "1e400"),
    ],
)
def test_numbers_with_commas_and_infinite_ones_are_no_labels_unless_types_says_so(
    lines: list[str], line: int, number: str, write
) -> None:
    path = write("\n".join(lines))
    with pytest.raises(DataError, match=f"line {line}, column 'x': '{number}' is not a finite number without commas"):
        load_file(path)
    assert number in load_file(path, ColumnChoice(types=(("x", "nominal"),))).whole.attributes[0].labels


def test_a_list_of_choices_is_a_label(write) -> None:
    assert load_file(write("x;play\n1,2,3;yes\n1,2;no\n2;no\n")).whole.attributes[0].labels == ("1,2", "1,2,3", "2")


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_quotes_may_follow_blanks(separator: str, write) -> None:
    content = 'x| y| play\n "1.5"| "a, ""b"", ""c""; d"| "yes"\n"2.5"|"5"" e"| yes\n3.5| f" g|  "no" \n'
    data = load_file(write(content.replace("|", separator))).whole
    assert data.columns[0].tolist() == [1.5, 2.5, 3.5]
    assert data.attributes[1].labels == ('5" e', 'a, "b", "c"; d', 'f" g')
    assert data.classes == ("no", "yes")


def test_a_few_words_among_a_few_numbers_are_labels(write) -> None:
    data = load_file(write("doors,x,play\n2,1,a\n3,?,b\n4,3,a\n5more,+4,b\n")).whole
    assert data.attributes[0].labels == ("2", "3", "4", "5more")
    assert data.attributes[1].kind is AttributeKind.NUMERIC
    assert np.isnan(data.columns[1][1])


def test_a_header_of_another_length(write) -> None:
    with pytest.raises(
        DataError, match=r"mine\.csv, line 1: the header has 2 fields, but the rows have 3: give every column"
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
    ],
)
def test_a_text_in_quotes_over_two_lines_is_refused_where_it_begins(content: str, line: int, text: str, write) -> None:
    with pytest.raises(DataError) as caught:
        load_file(write(content))
    message = str(caught.value)
    assert f"mine.csv, line {line}: a quoted text does not end on its line: " in message
    assert repr(text)[1:-1] in message


def test_a_quote_within_a_name_is_a_sign_of_it(write) -> None:
    result = load_file(write('width in 5",b,c\n1,2,x\n3,4,y\n')).whole
    assert [attribute.name for attribute in result.attributes] == ['width in 5"', "b"]


def test_two_columns_of_one_name(write) -> None:
    assert "mine.csv, line 1: two columns are called 'sky'" in failure(b"height,sky,play,sky\n1,sun,yes,rain\n")
    with pytest.raises(DataError, match=r"mine\.csv, line 1: two columns are called 'x'"):
        load_file(write("x,x,play\n1,2,yes\n3,4,no\n"))


def test_one_field_a_line(write) -> None:
    with pytest.raises(DataError, match=r"mine\.csv, line 1: each line has one field"):
        load_file(write("yes\nno\n"))


def test_odd_columns_are_remarked(write) -> None:
    lines = ["id,name,x,same,play", *(f"{k},n{k},{k / 3},1,{'yes' if k else 'once'}" for k in range(9)), "9,n9,.5,1,"]
    remarks = load_file(write("\n".join(lines))).remarks
    assert [remark.partition("mine.csv")[2] for remark in remarks] == [
        ": the columns are id, name, x, same, play; class: play, the last column; numeric: id, x, same",
        ", line 2: class 'once' occurs once, so it cannot be in both training and test rows: leave the "
        "row out, or merge the class with another",
        ", line 11: the class is missing, in 1 row in all: no builder can learn from rows without a class",
        ": every row has a different value of 'id', like an identifier: if the column is an identifier, leave it out, "
        "'drop=[id]'",
        ": every row has a different value of 'name', like an identifier: if the column is an identifier, leave it "
        "out, 'drop=[name]'",
        ": 'same' has the same value in every row, so no tree needs it",
    ]


def test_classes_that_are_the_same_number_are_remarked(write) -> None:
    (_, remark) = load_file(write("x,play\n1,1\n1.5,0\n1,1.0\n1.5,0\n1,1.0\n1,1\n")).remarks
    assert remark.endswith("mine.csv: '1' and '1.0' are the same number, but two classes: write them in the same way")
    beyond_2_53 = "x,play\n1,90071992547409921\n2,90071992547409921\n1,90071992547409922\n2,90071992547409922\n"
    assert len(load_file(write(beyond_2_53)).remarks) == 1


def test_a_column_of_mostly_different_texts_is_remarked(write) -> None:
    lines = ["admitted,play", *(f"{1 + k % 8:02}.02.2026,{'yes' if k % 2 else 'no'}" for k in range(9))]
    (_, remark) = load_file(write("\n".join(lines))).remarks
    assert remark.partition("mine.csv")[2] == (
        ": 'admitted' has 8 different texts in 9 rows, each a label of its own: leave the column out, "
        "'drop=[admitted]', or write dates as 2026-01-31 and numbers as 1.5"
    )


def test_a_file_without_a_header_says_how_its_columns_are_called(write) -> None:
    path = write("1,2,yes\n3,4,no\n1,4,yes\n5,2,no\n")
    (remark, *_) = load_file(path).remarks
    why = "no header was seen (the first line has a number, or a text that occurs again)"
    called = "so the columns are called a1, a2, class; put the names of the columns in the first line"
    assert remark.endswith(f"mine.csv: {why}, {called}")
    for choice in (ColumnChoice("2"), ColumnChoice(drop=("2",))):
        with pytest.raises(DataError) as caught:
            load_file(path, choice)
        assert f"there is no such column, did you mean 'a2'? Columns, since {why}: a1, a2, class" in str(caught.value)


def test_an_arff_has_the_names_of_its_columns(write) -> None:
    (remark, *_) = load_file(write("@relation r\n@attribute x real\n@attribute c {p,q}\n@data\n1,p\n2,q\n")).remarks
    assert remark.endswith(": the columns are x, c; class: c, the last column; numeric: x")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_whatever_ends_them(end: str, write) -> None:
    for byte, why in ((b"\xfc", "byte 0xfc is not UTF-8"), (b"\0", "there is a zero byte")):
        with pytest.raises(DataError, match=rf"mine\.csv, line 3: {why}"):
            load_file(write(f"x,play{end}1,yes{end}".encode() + byte))


def test_quotes_that_are_not_closed_do_not_swallow_lines(write) -> None:
    with pytest.raises(DataError, match=r"mine\.csv, line 3: a quoted text does not end on its line: 'yes"):
        load_file(write('x,sky,play\n1,sun,no\n2,rain,"yes\n3,sun,no\n4,rain,yes\n'))


@pytest.mark.parametrize("number", ["9007199254740993", "-123456789012345678901"])
def test_whole_numbers_that_would_be_rounded_are_refused(write, number: str) -> None:
    with pytest.raises(
        DataError, match=rf"mine\.csv, line 3, column 'account': {number} has more digits than a number"
    ):
        load_file(write(f"account,play\n9007199254740992,yes\n{number},no\n12,yes\n"))


def test_the_content_of_a_file_is_its_values_and_the_names_of_its_attributes(write) -> None:
    first, second = load_file(write("u,v,play\n1,2,yes\n3,4,no\n")), load_file(write("v,u,play\n1,2,yes\n3,4,no\n"))
    assert first.fingerprint == second.fingerprint
    assert first.content != second.content


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
