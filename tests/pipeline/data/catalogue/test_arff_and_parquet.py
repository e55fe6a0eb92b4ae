"""ARFF and Parquet: what they declare, and what is refused."""

from __future__ import annotations

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from pipeline.data.catalogue.loading import load_file
from pipeline.errors import DataError


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"@relation r\n@attribute a numeric\n1\n", "has no line @data"),
        (b"@relation r\n@attribute a date\n@attribute b {x}\n@data\n1,x\n", "line 2: attribute 'a' is of type 'date'"),
        (b"@relation r\n@attribute a\n@data\n1,x\n", "attribute 'a' is of type ''"),
        (b"@relation r\n@attribute a numeric\n@attribute b {x}\n@data\n{0 1}\n", "the file has sparse rows"),
        (b"@relation r\n@attribute a numeric\n@attribute b {x}\n@data\n% no\n", "there are no rows"),
        (b"@relation r\n@attribute a numeric\n@attribute b {x}\n@data\n1,x,{2}\n", "expected 2 columns, from"),
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


def test_an_arff_has_the_names_of_its_columns(write) -> None:
    (remark, *_) = load_file(write("@relation r\n@attribute x real\n@attribute c {p,q}\n@data\n1,p\n2,q\n")).remarks
    assert remark.endswith(": the columns are x, c; class: c, the last column; numeric: x")
