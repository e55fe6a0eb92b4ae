"""Files and YAMLs that ask for too much: one line each, before they take memory."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.data.catalogue import entry_yaml, limits
from pipeline.data.catalogue.entry import Column, ColumnKind, FileLayout
from pipeline.data.catalogue.entry_yaml import read_entry
from pipeline.data.catalogue.loading import load_file
from pipeline.data.catalogue.reading import read_text
from pipeline.errors import ConfigError, DataError
from tests.pipeline.command_line import python

YAML = """
title: t
about: a
citation: c
files: {{all: {{path: mine/mine.csv{addresses}}}}}
columns: {{{columns}, c: class}}
{more}
"""


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most three columns and two classes."""
    monkeypatch.setattr(limits, "MOST_COLUMNS", 3)
    monkeypatch.setattr(entry_yaml, "MOST_COLUMNS", 3)
    monkeypatch.setattr(limits, "MOST_CLASSES", 2)


def parquet(path: Path, columns: dict[str, list[object]]) -> Path:
    pq.write_table(pa.table(columns), path)
    return path


def written(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


def message(load: Callable[[], object]) -> str:
    with pytest.raises((DataError, ConfigError)) as caught:
        load()
    result = str(caught.value)
    assert "\n" not in result
    return result


@pytest.mark.usefixtures("few")
def test_too_many_columns_of_every_form(tmp_path: Path) -> None:
    rows = "1,2,3,x\n4,5,6,y\n"
    head = "".join(f"@attribute a{index} numeric\n" for index in range(3))
    for path in (
        written(tmp_path / "a.csv", f"a,b,d,c\n{rows}"),
        written(tmp_path / "a.tsv", f"a,b,d,c\n{rows}".replace(",", "\t")),
        written(tmp_path / "a.arff", f"@relation r\n{head}@attribute c {{x,y}}\n@data\n{rows}"),
        parquet(tmp_path / "a.parquet", {"a": [1, 2], "b": [1, 2], "d": [1, 2], "c": ["x", "y"]}),
    ):
        refusal = message(lambda path=path: load_file(path))  # type: ignore[misc]
        assert refusal.startswith(str(path))
        assert "there are 4 columns, but at most 3 are read" in refusal


@pytest.mark.usefixtures("few")
def test_too_many_classes(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "a,c\n" + "".join(f"{row},k{row % 3}\n" for row in range(9)))
    refusal = message(lambda: load_file(path))
    assert refusal.startswith(
        f"{path}, column 'c': there are 3 different classes, but at most 2 are allowed: choose another"
    )


def test_two_attributes_of_one_name(tmp_path: Path) -> None:
    arff = "@relation r\n@attribute a numeric\n@attribute 'a' numeric\n@attribute c {x,y}\n@data\n1,2,x\n2,3,y\n"
    path = written(tmp_path / "a.arff", arff)
    assert message(lambda: load_file(path)) == (
        f"{path}, line 3: attribute 'a' is also declared at {path}, line 2: rename one of the two"
    )
    table = pa.Table.from_arrays([pa.array([1, 2]), pa.array([3, 4]), pa.array(["x", "y"])], names=["a", "a", "c"])
    pq.write_table(table, tmp_path / "a.parquet")
    assert "two columns are called 'a'" in message(lambda: load_file(tmp_path / "a.parquet"))


@pytest.mark.parametrize("declared", ["", "@attribute c {x,y}\n"])
def test_an_arff_without_attributes(declared: str, tmp_path: Path) -> None:
    path = written(tmp_path / "a.arff", f"@relation r\n{declared}@data\nx\ny\n")
    assert ": expected @attribute lines for attributes and a class" in message(lambda: load_file(path))


def test_long_texts_are_read_and_clipped_in_messages(tmp_path: Path) -> None:
    long = "z" * 300_000
    read = load_file(written(tmp_path / "a.csv", f"a,c\n{long},x\ny,y\n"))
    assert read.whole.attributes[0].labels == ("y", long)
    path = written(tmp_path / "a.arff", f"@relation r\n@attribute a {{{long}}}\n@attribute c {{x,y}}\n@data\n1,x\n")
    refusal = message(lambda: load_file(path))
    assert "column 'a': '1' is not declared: expected a declared value, such as zzz" in refusal
    assert len(refusal) < 600


def test_a_million_commas_are_refused_before_they_take_memory(tmp_path: Path) -> None:
    paths = [written(tmp_path / f"{rows}.csv", ("," * 10**6 + "\n") * rows) for rows in (1, 2)]
    program = (
        "import resource, sys\nresource.setrlimit(resource.RLIMIT_DATA, (600 * 2**20,) * 2)\n"
        "from pathlib import Path\nfrom pipeline.data.catalogue.loading import load_file\n"
        "from pipeline.errors import DataError\n"
        "for path in sys.argv[1:]:\n"
        "    try:\n        load_file(Path(path))\n    except DataError as error:\n        print(error)\n"
    )
    for path, line in zip(paths, python(program, *paths).splitlines(), strict=True):
        assert line.startswith(f"{path}, line 1: there are 1,000,001 columns, but at most 100,000 are read")


def test_a_table_that_needs_too_much_memory_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: object) -> None:
        raise pa.ArrowMemoryError

    monkeypatch.setattr("pipeline.data.catalogue.loading.data_sets", exhausted)
    path = written(tmp_path / "a.csv", "a,c\n1,x\n2,y\n")
    assert message(lambda: load_file(path)).startswith(
        f"{path}: the data set needs more memory than this process may use"
    )


@pytest.mark.parametrize(
    ("columns", "more", "expected"),
    [
        ('"p{1..2000000000}": numeric', "", "expected 100,000 names at most"),
        ('"{1..100000}{1..100000}": numeric', "", ": columns is '10,000,000,0"),
        ('"p{1..99999}": numeric, "q{1..99999}": numeric', "", ": columns is 'more than 100,000'"),
        (f'"p{{1..{"9" * 500}}}": numeric', "", "expected ranges between numbers of at most 15 digits"),
        ("a: numeric", 'recode: {"p{1..2000000000}": {x: y}}', "expected 100,000 names at most"),
    ],
)
def test_ranges_of_a_yaml_are_counted_before_they_are_spelt_out(
    columns: str, more: str, expected: str, tmp_path: Path
) -> None:
    path = written(tmp_path / "mine.yaml", YAML.format(columns=columns, more=more, addresses=""))
    text = message(lambda: read_entry(path, "mine"))
    assert text.startswith(str(path))
    assert expected in text


@pytest.mark.usefixtures("few")
def test_too_many_columns_of_a_yaml(tmp_path: Path) -> None:
    for most, refused in ((2, False), (3, True), (4, True)):
        columns = f'"p{{1..{most}}}": numeric'
        path = written(tmp_path / "mine.yaml", YAML.format(columns=columns, more="", addresses=""))
        if refused:
            assert "expected 3 names at most" in message(lambda: read_entry(path, "mine"))  # noqa: B023
        else:
            assert len(read_entry(path, "mine").layout.columns) == most + 1


def test_addresses_of_a_yaml_are_counted(tmp_path: Path) -> None:
    addresses = ', addresses: ["https://example.org/{1..2000000000}"]'
    path = written(tmp_path / "mine.yaml", YAML.format(columns="a: numeric", more="", addresses=addresses))
    assert "expected 1,000 names at most" in message(lambda: read_entry(path, "mine"))


def test_remarks_do_not_grow_with_the_columns_or_classes(tmp_path: Path) -> None:
    names = [f"a{index}" for index in range(500)]
    rows = [*range(300), *range(600)]  # 300 classes are seen twice
    lines = [",".join([*(["1"] * 500), f"k{row}"]) for row in rows]
    result = load_file(written(tmp_path / "a.csv", "\n".join([",".join([*names, "c"]), *lines]))).remarks
    assert len(result) == 3
    assert "class 'k300' occurs once, like 299 other classes, so" in result[1]
    assert result[2].endswith("missing values: a0, a1, a2, a3, a4, … (500 in all)")


def test_a_class_that_is_a_number_has_one_remark(tmp_path: Path) -> None:
    lines = ["a,b", *(f"{row % 2},{row / 8}" for row in range(100))]
    remarks = load_file(written(tmp_path / "a.csv", "\n".join(lines))).remarks
    _, remark = remarks  # the first lists the columns
    assert remark.partition("a.csv: ")[2] == (
        "the classes are 100 different numbers in 100 rows, but builders predict classes: write a few classes in their "
        "place, such as low and high, or choose another column as the class"
    )
    few = load_file(written(tmp_path / "few.csv", "a,b\n1,0\n1,0\n2,1\n")).remarks  # two classes, in few rows
    assert any("class '1' occurs once" in remark for remark in few)


def test_declared_columns_are_matched_in_linear_time() -> None:
    def seconds(columns: int) -> float:
        names = [f"a{index}" for index in range(columns)]
        layout = FileLayout((*(Column(name, ColumnKind.NUMERIC) for name in names), Column("c", ColumnKind.CLASS)))
        content = "\n".join([",".join([*reversed(names), "c"]), ",".join([*("1" * columns), "x"])]).encode()
        begun = time.process_time()
        read_text(content, "a.csv", layout)
        return time.process_time() - begun

    seconds(100)
    most = 24 * max(seconds(1_000), seconds(1_000))  # 64 times where it is quadratic
    assert min(seconds(8_000), seconds(8_000)) < most
