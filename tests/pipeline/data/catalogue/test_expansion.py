"""Rules in which a text means any value become the rows that they describe."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from pipeline.data.catalogue.entry import Column, ColumnKind, FileLayout
from pipeline.errors import ConfigError, DataError
from tests.pipeline.data.catalogue.catalogues import entry_of, read, shipped

NOMINAL, CLASS = ColumnKind.NOMINAL, ColumnKind.CLASS


def test_the_rules_of_the_shuttle_cover_253_of_256_situations(shared: Path) -> None:
    """Each situation against each rule, in plain Python; UCI counts 253 examples too."""
    lines = (shared / "data/shuttle-landing-control/shuttle-landing-control.data").read_text().split()
    rules = [line.split(",") for line in lines if not line.startswith("outcome")]
    assert len(rules) == 15
    expected = {}
    for situation in product("12", "1234", "12", "12", "1234", "12"):
        fits = {
            of for of, *conditions in rules if all(a in ("*", s) for a, s in zip(conditions, situation, strict=True))
        }
        assert len(fits) < 2, "rules that overlap agree"
        if fits:
            expected[situation] = fits.pop()
    assert len(expected) == 253
    data = shipped(shared / "data").load("uci/shuttle-landing-control/expanded").whole
    result = {
        tuple(attribute.labels[code] for attribute, code in zip(data.attributes, codes, strict=True)): data.classes[
            decision
        ]
        for codes, decision in zip(zip(*data.columns, strict=True), data.decisions, strict=True)
    }
    assert data.rows == 253
    assert result == expected
    assert [attribute.labels for attribute in data.attributes] == [
        tuple("12"),
        tuple("1234"),
        *[tuple("12")] * 2,
        *map(tuple, ("1234", "12")),
    ]
    assert shipped(shared / "data").load("uci/shuttle-landing-control").whole.rows == 15


def layout(values: int = 2) -> FileLayout:
    labels = tuple(str(value) for value in range(values))
    columns = (Column("a", NOMINAL, labels), Column("b", NOMINAL, labels), Column("free", NOMINAL), Column("c", CLASS))
    return FileLayout(columns, header=0, any_value="*")


def test_combinations_come_in_order_and_once_and_other_columns_keep_the_text() -> None:
    data = read(b"*,*,*,yes\n1,0,x,no\n1,*,x,no\n", layout()).parts["all"]
    rows = [[*codes, decision] for *codes, decision in zip(*data.columns, data.decisions, strict=True)]
    assert data.attributes[2].labels == ("*", "x")
    assert rows == [[0, 0, 0, 1], [0, 1, 0, 1], [1, 0, 0, 1], [1, 1, 0, 1], [1, 0, 1, 0], [1, 1, 1, 0]]


def test_a_mistake_is_named_by_the_line_of_its_rule() -> None:
    with pytest.raises(
        DataError, match=r"mine.csv, line 2, column 'b': '7' is not declared: expected a declared value, such as 0, 1"
    ):
        read(b"*,*,x,yes\n*,7,x,no\n", layout())


def test_more_than_a_million_rows_are_refused_before_they_are_made() -> None:
    with pytest.raises(
        DataError, match=r"mine.csv, line 2: '\*' stands for every declared value, which makes more than 1,000,000 rows"
    ):
        read(b"1,1,x,yes\n*,*,x,no\n", layout(1001))


def test_a_column_with_its_values_is_needed(tmp_path: Path) -> None:
    from pipeline.data.catalogue.entry_yaml import read_entry

    (tmp_path / "mine.yaml").write_text(
        "title: t\nabout: a\ncitation: c\nfiles: {all: {path: a.csv}}\n"
        "any_value: '*'\ncolumns: {a: nominal, c: class}\n"
    )
    with pytest.raises(ConfigError, match="expected a nominal column with a list of its values, because"):
        read_entry(tmp_path / "mine.yaml", "my/mine")
    assert entry_of("uci/shuttle-landing-control").layout.any_value is None
