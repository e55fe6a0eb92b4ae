"""What is inferred of a file of one's own: separator, header, types and class; and what is remarked."""

from __future__ import annotations

import numpy as np
import pytest

from algorithms.data.data_set import AttributeKind
from pipeline.data.catalogue.column_choice import ColumnChoice
from pipeline.data.catalogue.loading import load_file
from pipeline.errors import DataError


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
    with pytest.raises(DataError, match=f"line {line}, column 'x': '{number}' has a comma or is infinite") as caught:
        load_file(path)
    assert ("`decimal_comma: true`" in str(caught.value)) == (number.count(",") == 1 and "." not in number)
    with pytest.raises(DataError) as typed:
        load_file(path, ColumnChoice(types=(("x", "numeric"),)))
    assert ("`decimal_comma: true`" in str(typed.value)) == (number.count(",") == 1 and "." not in number)
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


def test_one_field_a_line(write) -> None:
    with pytest.raises(DataError, match=r"mine\.csv, line 1: each line has one field"):
        load_file(write("yes\nno\n"))


def test_odd_columns_are_remarked(write) -> None:
    lines = ["id,name,x,same,play", *(f"{k},n{k},{k / 3},1,{'yes' if k else 'once'}" for k in range(9)), "9,n9,.5,1,"]
    remarks = load_file(write("\n".join(lines))).remarks
    assert [remark.partition("mine.csv")[2] for remark in remarks] == [
        ": the columns are id, name, x, same, play; class: play, the last column; numeric: id, x, same",
        ", line 2: class 'once' occurs once, so it cannot be in both training and test rows: leave the "
        "row out, merge the class with another, or choose another column as the class",
        ", line 11: the class is missing (1 row in all): builders cannot learn from such rows, so these rows are left "
        "out",
        ": columns with a different value in every row: id, name. Leave out columns that are identifiers, as in "
        "'drop=[id]'",
        ": columns with at most one value, apart from missing values: same",
    ]


def test_numbers_that_begin_with_zeros_are_remarked(write) -> None:
    text = "zip,x,play\n" + 2 * "50667,0.5,a\n 01067,0,b\n,10,a\n04109,0,b\n"
    remarks = load_file(write(text)).remarks
    assert len(remarks) == 2
    assert remarks[1].endswith(
        "mine.csv: zip is read as numbers, so 01067 becomes 1067: if the values are codes, add 'types={zip: nominal}'"
    )
    assert len(load_file(write(text), ColumnChoice(types=(("zip", "nominal"),))).remarks) == 1


def test_classes_that_are_the_same_number_are_remarked(write) -> None:
    (_, remark) = load_file(write("x,play\n1,1\n1.5,0\n1,1.0\n1.5,0\n1,1.0\n1,1\n")).remarks
    assert remark.endswith("mine.csv: '1' and '1.0' are the same number, but two classes: write them in the same way")
    beyond_2_53 = "x,play\n1,90071992547409921\n2,90071992547409921\n1,90071992547409922\n2,90071992547409922\n"
    assert len(load_file(write(beyond_2_53)).remarks) == 1


def test_a_column_of_mostly_different_texts_is_remarked(write) -> None:
    lines = ["admitted,play", *(f"bed {1 + k % 8},{'yes' if k % 2 else 'no'}" for k in range(9))]
    (_, remark) = load_file(write("\n".join(lines))).remarks
    assert remark.partition("mine.csv")[2] == (
        ": columns with different texts in most rows: admitted. Each text becomes a label: leave such columns out, "
        "as in 'drop=[admitted]'. If the texts are numbers, write them as 1.5"
    )


def test_a_file_without_a_header_says_how_its_columns_are_called(write) -> None:
    path = write("1,2,yes\n3,4,no\n1,4,yes\n5,2,no\n")
    (remark, *_) = load_file(path).remarks
    why = "no header was seen (the first line has a number, or a text that occurs again)"
    called = "so this line counts as a row, and the columns are called a1, a2, class"
    names = "to name the columns, write a first line with a different name for each column. No name may be a number"
    assert remark.endswith(f"mine.csv: {why}, {called}; {names}")
    for choice in (ColumnChoice("2"), ColumnChoice(drop=("2",))):
        with pytest.raises(DataError) as caught:
            load_file(path, choice)
        assert f"there is no such column, did you mean 'a2'? Columns: a1, a2, class, named so because {why}" in str(
            caught.value
        )


def test_the_content_of_a_file_is_its_values_and_the_names_of_its_attributes(write) -> None:
    first, second = load_file(write("u,v,play\n1,2,yes\n3,4,no\n")), load_file(write("v,u,play\n1,2,yes\n3,4,no\n"))
    assert first.fingerprint == second.fingerprint
    assert first.content != second.content
