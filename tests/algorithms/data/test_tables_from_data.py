"""Decision tables from data sets: what becomes of missing values, numbers, identities and equal rows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.data.data_set import MISSING, Attribute, AttributeKind, DataSet, DataSetError
from algorithms.data.data_set_of import data_set_of
from algorithms.data.rule_sets import RULE_SETS
from algorithms.data.table import DecisionTable
from algorithms.data.tables_from_data import decision_table, filled_with_modes, missing_as_value, numbers_as_values
from algorithms.exact.graph import SubtableGraph
from algorithms.greedy import greedy_tree
from algorithms.measures.impurity import impurity_function
from algorithms.trees.text import export_text
from tests.oracles.uci_files import nominal_data_set, rows_of_file

Cell = str | float | None
Rows = list[tuple[tuple[Cell, ...], str | None]]


def data_set(rows: Rows, numeric: tuple[int, ...] = ()) -> DataSet:
    """Rows of values and a class as a data set, None where it is missing, attributes called a, b, c …"""
    names = list("abcdefghij"[: len(rows[0][0])])
    texts = [["?" if cell is None else str(cell) for cell in (*values, decision)] for values, decision in rows]
    return nominal_data_set(names, texts, "?", [names[index] for index in numeric])


def rows_of(table: DecisionTable) -> list[tuple[tuple[Any, ...], Any, int]]:
    """(labels of the values, label of the decision, weight) of each row."""
    return [
        (
            tuple(values[code] for values, code in zip(table.labels.values, codes, strict=True)),
            table.labels.decisions[decision],
            weight,
        )
        for codes, decision, weight in zip(
            table.codes.tolist(), table.decisions.tolist(), table.weights.tolist(), strict=True
        )
    ]


@pytest.mark.parametrize(
    ("file", "missing", "rows", "attributes"),
    [
        ("balloons/adult-stretch.data", "mode", 16, 4),
        ("balloons/adult+stretch.data", "mode", 16, 4),
        ("balloons/yellow-small.data", "mode", 16, 4),
        ("balloons/yellow-small+adult-stretch.data", "mode", 16, 4),
        ("lenses/lenses.data", "mode", 24, 4),
        ("hayes-roth/hayes-roth.data", "mode", 69, 4),
        ("zoo/zoo.data", "mode", 59, 16),
        ("car/car.data", "mode", 1728, 6),
        ("tic-tac-toe/tic-tac-toe.data", "mode", 958, 9),
        ("balance-scale/balance-scale.data", "mode", 625, 4),
        ("house-votes-84/house-votes-84.data", "mode", 279, 16),
        ("house-votes-84/house-votes-84.data", "value", 342, 16),
        ("breast-cancer/breast-cancer.data", "mode", 266, 9),
        ("breast-cancer/breast-cancer.data", "value", 266, 9),
        ("spect/SPECT.test", "mode", 169, 22),
        ("teeth/mammal_teeth.csv", "mode", 23, 8),
        ("primary-tumor/primary-tumor.data", "value", 282, 17),
        ("corral/corral.tsv", "mode", 64, 6),
        ("mofn-3-7-10/mofn-3-7-10.tsv", "mode", 1024, 10),
    ],
)
def test_sizes_of_uci_tables(file: str, missing: Any, rows: int, attributes: int, shared: Path) -> None:
    """The sizes that papers and independent programs count."""
    names, fields = rows_of_file(shared, file)
    data = nominal_data_set(names, fields, "?")
    table = decision_table(data, missing=missing)
    assert (table.rows, table.attributes, table.size) == (rows, attributes, rows)
    weighted = decision_table(data, missing=missing, row_weights="multiplicity")
    assert (weighted.rows, weighted.size) == (rows, data.rows)
    assert rows_of(table) == [(values, decision, 1) for values, decision, _ in rows_of(weighted)]


@pytest.mark.parametrize(
    ("file", "ties", "nodes", "depth", "graph"),
    [
        ("house-votes-84/house-votes-84.data", "first_seen", 45, 3.5448, (176_651, 1_981_608)),
        ("house-votes-84/house-votes-84.data", "sorted", 49, 3.5663, (176_592, 1_982_936)),
        ("spect/SPECT.train", "first_seen", 35, 4.1148, (55_134, 1_359_068)),
        ("spect/SPECT.train", "sorted", 29, 3.6230, (55_134, 1_330_844)),
        pytest.param("spect/SPECT.test", "first_seen", 29, 2.9527, (677_002, 10_619_692), marks=pytest.mark.long),
    ],
)
def test_the_literature_takes_the_decision_seen_first(
    file: str, ties: Any, nodes: int, depth: float, graph: tuple[int, int], shared: Path
) -> None:
    """The values printed in the literature are those of the decision seen first; another program finds both."""
    data = nominal_data_set(*rows_of_file(shared, file), "?")
    result = SubtableGraph.of(decision_table(data, decision_ties=ties))
    assert (result.nodes, result.edges) == graph
    assert (result.costs().nodes, round(result.costs().average_depth, 4)) == (nodes, depth)
    if ties == "first_seen":
        default = decision_table(data)
        assert default.decisions.tolist() == decision_table(data, decision_ties=ties).decisions.tolist()


def test_names_that_the_loader_leaves_are_dropped(shared: Path) -> None:
    """The 16 attributes of zoo's table are reached from the 17 columns of its file, animals' names included."""
    lines = (shared / "data/zoo/zoo.data").read_text().split()
    fields = [line.split(",") for line in lines]
    names = [str(index) for index in range(17)]
    assert len({row[0] for row in fields}) == 100  # "frog" is there twice: by the convention it is no identity
    kept = decision_table(nominal_data_set(names, fields))
    assert (kept.rows, kept.attributes) == (101, 17)
    fields[26][0] = "another frog"
    dropped = decision_table(nominal_data_set(names, fields))
    assert (dropped.rows, dropped.attributes) == (59, 16)
    assert dropped.labels.attributes == tuple(names[1:])


FOUR_ROWS: Rows = [(("x", "u"), "1"), (("x", None), "2"), ((None, "v"), "2"), (("y", "v"), "2")]


def test_rows_with_missing_values_are_dropped() -> None:
    result = decision_table(data_set(FOUR_ROWS), missing="drop_rows", distinct_attributes="keep")
    assert rows_of(result) == [(("x", "u"), "1", 1), (("y", "v"), "2", 1)]


def test_rows_without_a_class_are_left_out_before_anything_is_counted() -> None:
    """Else the rows without a class would make y the most common value, and attribute b differ nowhere."""
    rows: Rows = [(("x", "p"), "1"), (("x", "q"), "2"), ((None, "r"), "2"), *[(("y", "p"), None)] * 3]
    data = data_set(rows)
    assert np.count_nonzero(data.decisions == MISSING) == 3
    result = decision_table(data, row_weights="multiplicity")
    assert result.labels.attributes == ("a",)
    assert rows_of(result) == [(("x",), "2", 3)]


def test_of_several_most_common_values_the_first_label_or_the_smallest_number_fills() -> None:
    labels = ("b", "a", "c")  # codes are in another order than labels
    attributes = (Attribute("word", AttributeKind.NOMINAL, labels), Attribute("number", AttributeKind.NUMERIC))
    words = np.array([0, 1, 0, 1, 2, MISSING], np.int32)
    numbers = np.array([10.0, 9.0, 10.0, 9.0, np.nan, 1.0])
    filled = filled_with_modes(DataSet(attributes, (words, numbers), ("yes",), np.zeros(6, np.int32)))
    assert labels[filled.columns[0][5]] == "a"
    assert filled.columns[1].tolist() == [10, 9, 10, 9, 9, 1]
    assert [column.dtype for column in filled.columns] == [np.int32, np.float64]


def test_a_label_that_reads_like_missing_stays_what_it_is() -> None:
    attribute = Attribute("a", AttributeKind.NOMINAL, ("?", "x"))
    data = DataSet((attribute,), (np.array([0, MISSING, 1], np.int32),), ("yes",), np.zeros(3, np.int32))
    changed = missing_as_value(data)
    assert changed.attributes[0].labels == ("?", "x", "??")
    assert changed.columns[0].tolist() == [0, 2, 1]


def test_numbers_are_values_on_request() -> None:
    data = data_set([((10, 0.5), "1"), ((9, None), "2"), ((-1.25, 0.5), "2"), ((10, 1e-7), "2")], numeric=(0, 1))
    table = decision_table(data, numeric="values", missing="value")
    assert table.labels.values == (("-1.25", "9", "10"), ("1e-07", "0.5", "?"))
    assert rows_of(table) == [
        (("10", "0.5"), "1", 1),
        (("9", "?"), "2", 1),
        (("-1.25", "0.5"), "2", 1),
        (("10", "1e-07"), "2", 1),
    ]


def test_both_zeros_are_one_value() -> None:
    attribute = Attribute("a", AttributeKind.NUMERIC)
    data = DataSet((attribute,), (np.array([0.0, -0.0, 1.0]),), ("yes",), np.zeros(3, np.int32))
    assert numbers_as_values(data).attributes[0].labels == ("0", "1")
    assert numbers_as_values(data).columns[0].tolist() == [0, 0, 1]


def test_attributes_distinct_in_every_row_are_dropped_or_kept() -> None:
    data = data_set([((1, "p", "x"), "1"), ((2, "q", "x"), "2"), ((3, "r", "y"), "2")], numeric=(0,))
    assert decision_table(data, numeric="values").labels.attributes == ("c",)
    assert decision_table(data, numeric="values", distinct_attributes="keep").labels.attributes == ("a", "b", "c")


def test_labels_of_absent_values_stay_so_that_parts_share_their_codes() -> None:
    data = data_set([(("x",), "1"), (("y",), "2"), (("z",), "2"), (("z",), "3")])
    part = decision_table(data.take(np.array([2, 3])))
    assert part.labels.values == (("x", "y", "z"),)
    assert part.codes.tolist() == [[2]]
    assert part.labels.decisions == ("1", "2", "3")


def test_a_tree_prints_with_the_names_of_the_data_set() -> None:
    table = decision_table(data_set(FOUR_ROWS), missing="value")
    assert (
        export_text(greedy_tree(table, impurity_function("w_sum/gini")), table.labels) == "b = u: 1\nb = v: 2\nb = ?: 2"
    )


@given(
    st.lists(st.tuples(st.tuples(*[st.sampled_from(["p", "q", None])] * 3), st.sampled_from(["1", "2"])), min_size=1),
    st.sampled_from(["mode", "value"]),
    st.sampled_from([{}, {"decision_ties": "first_seen"}, {"decision_ties": "sorted"}]),
)
def test_against_rows_of_text(rows: Rows, missing: Any, ties: Any) -> None:
    """Filled, merged and counted once more, on the labels themselves."""
    filled = []
    for index in range(3):
        column = [values[index] for values, _ in rows]
        known = Counter(value for value in column if value is not None)
        if missing == "mode" and not known:
            with pytest.raises(DataSetError, match="has only missing values"):
                decision_table(data_set(rows), missing=missing)
            return
        fill = min(known, key=lambda value: (-known[value], value)) if missing == "mode" else "?"
        column = [fill if value is None else value for value in column]
        if len(rows) == 1 or len(set(column)) < len(column):
            filled.append(column)
    votes: dict[tuple[Any, ...], Counter[Any]] = {}
    for index, (_, decision) in enumerate(rows):
        votes.setdefault(tuple(column[index] for column in filled), Counter())[decision] += 1
    order = sorted if ties == {"decision_ties": "sorted"} else list  # the keys of a dictionary are as they were seen
    expected = [
        (values, max(order(counts), key=counts.__getitem__), counts.total()) for values, counts in votes.items()
    ]
    assert rows_of(decision_table(data_set(rows), missing=missing, row_weights="multiplicity", **ties)) == expected


def test_numeric_attributes_are_refused_by_name() -> None:
    with pytest.raises(DataSetError, match=r"'Left-Weight' \(like 3 other attributes\) is numeric.*numeric=\"values\""):
        decision_table(RULE_SETS["balance-scale"]())
    with pytest.raises(DataSetError, match="attribute 'a' is numeric"):
        decision_table(data_set([((1,), "1"), ((1,), "2")], numeric=(0,)))
    assert decision_table(RULE_SETS["balance-scale"](), numeric="values").rows == 625


def test_options_that_leave_no_rows_are_refused() -> None:
    unknown = data_set([((None, "x"), "1"), ((None, None), "2"), (("y", None), "3")])
    with pytest.raises(DataSetError, match=r"each row has a missing value, .* Attribute 'a' has 2 missing"):
        decision_table(unknown, missing="drop_rows")
    with pytest.raises(DataSetError, match="no row has a class"):
        decision_table(data_set([(("x",), None), (("y",), None)]))


@pytest.mark.parametrize("option", ["missing", "numeric", "distinct_attributes", "decision_ties", "row_weights"])
def test_unknown_options_are_refused_by_name(option: str) -> None:
    with pytest.raises(ValueError, match=f"{option} is 'perhaps': expected one of "):
        decision_table(data_set(FOUR_ROWS), **{option: "perhaps"})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("table", "what"),
    [
        (DecisionTable.from_labels({"a": [1, "1"]}, ["x", "y"]), "attribute 'a'"),
        (DecisionTable.from_labels({"a": [1, 2]}, [True, "True"]), "the decision"),
    ],
)
def test_a_data_set_tells_labels_apart_by_their_text(table: DecisionTable, what: str) -> None:
    with pytest.raises(DataSetError, match=f"{what} has two labels with the text '1|True', such as 1 and '1': rename"):
        data_set_of(table)
