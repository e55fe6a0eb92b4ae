"""Decision tables: what is accepted, what is merged, and what is refused with which words."""

from __future__ import annotations

import ctypes
import tracemalloc
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given

from algorithms.data.table import MAX_CODE, DecisionTable, Labels, TableError
from tests.algorithms.strategies import GivenTable, tables
from tests.oracles import brute_force as bf


def rows_of(table: DecisionTable) -> list[bf.Row]:
    return [
        (tuple(codes), decision, weight)
        for codes, decision, weight in zip(
            table.codes.tolist(), table.decisions.tolist(), table.weights.tolist(), strict=True
        )
    ]


@given(tables())
def test_equal_rows_become_one_at_the_first_with_the_most_common_decision(given_table: GivenTable) -> None:
    assert rows_of(given_table.table) == list(given_table.oracle)


@given(tables())
def test_of_tied_decisions_the_first_seen_may_be_taken(given_table: GivenTable) -> None:
    weights = given_table.weights or [1] * len(given_table.codes)
    votes: dict[tuple[int, ...], dict[int, int]] = {}
    for codes, decision, weight in zip(given_table.codes, given_table.decisions, weights, strict=True):
        counts = votes.setdefault(tuple(codes), {})
        counts[decision] = counts.get(decision, 0) + weight
    made = DecisionTable.from_codes(
        given_table.codes, given_table.decisions, weights=given_table.weights, decision_ties="first_seen"
    )
    # a dictionary keeps the order of its keys, and max takes the first of several
    assert made.decisions.tolist() == [max(counts, key=counts.__getitem__) for counts in votes.values()]
    for same in (made.codes == given_table.table.codes, made.weights == given_table.table.weights):
        assert same.all()


def test_arrays_are_typed_contiguous_and_read_only() -> None:
    table = DecisionTable.from_codes(np.array([[0, 1], [1, 0]], order="F"), [0, 1])
    for array, kind in ((table.codes, np.int32), (table.decisions, np.int32), (table.weights, np.int64)):
        assert array.dtype == kind
        assert array.flags.c_contiguous
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_the_table_does_not_change_with_the_arrays_it_was_made_from() -> None:
    codes, decisions = np.array([[0, 1], [1, 0]], np.int32), np.array([0, 1], np.int32)
    table = DecisionTable.from_codes(codes, decisions)
    codes[:], decisions[:] = 5, 5
    assert table.codes.tolist() == [[0, 1], [1, 0]]
    assert table.decisions.tolist() == [0, 1]


def test_sizes_counts_and_subtables() -> None:
    table = DecisionTable.from_codes([[0, 2], [1, 2], [1, 0]], [0, 2, 0], weights=[3, 1, 5])
    assert (table.rows, table.attributes, table.size, table.n_decisions) == (3, 2, 9, 3)
    assert table.values.tolist() == [2, 3]
    assert table.decision_counts().tolist() == [8, 0, 1]
    assert table.decision_counts(np.array([0, 1])).tolist() == [3, 0, 1]


def test_merging_takes_memory_for_the_decisions_that_occur() -> None:
    """A count of each decision for each row would take 128 MB."""
    codes, decisions = np.arange(4000) // 2, np.arange(4000) * 2
    tracemalloc.start()
    try:
        table = DecisionTable.from_codes(codes[:, None], decisions)
        assert tracemalloc.get_traced_memory()[1] < 10**7
    finally:
        tracemalloc.stop()
    assert table.decisions.tolist() == decisions[::2].tolist()


def test_weights_of_one_keep_the_multiplicity() -> None:
    codes, decisions = [[0], [0], [1]], [0, 0, 1]
    assert DecisionTable.from_codes(codes, decisions).size == 2
    assert DecisionTable.from_codes(codes, decisions, weights=np.ones(3)).size == 3


def test_refusing_equal_rows_leaves_different_ones_alone() -> None:
    table = DecisionTable.from_codes([[1, 0], [0, 1]], [0, 0], equal_rows="refuse")
    assert rows_of(table) == [((1, 0), 0, 1), ((0, 1), 0, 1)]


def test_a_table_without_attributes_is_one_row() -> None:
    table = DecisionTable.from_codes(np.zeros((3, 0)), [1, 0, 1])
    assert rows_of(table) == [((), 1, 1)]
    assert DecisionTable.from_codes(np.zeros((3, 0)), [1, 0, 1], weights=[1, 5, 1]).size == 7
    assert rows_of(DecisionTable.from_labels({}, ["b", "a", "b"])) == [((), 1, 1)]


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.uint64, np.float32, np.float64, ">i4"])
def test_whole_numbers_of_any_type_are_codes(kind: object) -> None:
    table = DecisionTable.from_codes(np.array([[0, 3], [1, 2]], kind), np.array([1, 0], kind))
    assert rows_of(table) == [((0, 3), 1, 1), ((1, 2), 0, 1)]


def test_the_largest_code_is_accepted() -> None:
    assert DecisionTable.from_codes([[MAX_CODE], [0]], [0, 1]).values.tolist() == [MAX_CODE + 1]


NAN = float("nan")


@pytest.mark.parametrize(
    ("codes", "decisions", "options", "words"),
    [
        ([[0, 1], [2, NAN]], [0, 1], {}, "`codes` has a missing value in row 1, attribute 1: expected .*Fill missing"),
        ([[0, 1], [-1, 0]], [0, 1], {}, "`codes` has -1 in row 1, attribute 0: expected a whole .*from_labels"),
        ([[0.5, 1], [1, 0]], [0, 1], {}, r"`codes` has 0\.5 in row 0, attribute 0: expected a whole number"),
        ([[0, MAX_CODE + 1], [1, 0]], [0, 1], {}, f"`codes` has 1048576 in row 0, attribute 1: .* to {MAX_CODE}"),
        ([[0, float("inf")], [1, 0]], [0, 1], {}, "`codes` has inf in row 0, attribute 1"),
        ([[0], [2**63]], [0, 1], {}, r"`codes` has 9\.22.* in row 1, attribute 0"),
        ([[0], [1]], [0, -2], {}, "`decisions` has -2 in row 1: expected a whole number from 0"),
        ([[0], [1]], [0, NAN], {}, "`decisions` has a missing value in row 1"),
        ([[0], [1]], [0, 1.5], {}, r"`decisions` has 1\.5 in row 1"),
        ([[0, 1], [1]], [0, 1], {}, "the rows of `codes` have different lengths: expected"),
        ([[0], [1]], [[0], [1, 2]], {}, "the rows of `decisions` have different lengths"),
        ([], [], {}, "the table has no rows: a decision table needs at least one"),
        (np.zeros((0, 3)), [], {}, "the table has no rows"),
        ([[0], [1]], [0], {}, "`codes` has 2 rows for 1 decision: give one decision per row"),
        ([0, 1], [0, 1], {}, r"`codes` has shape \(2,\): expected \(rows, attributes\)"),
        ([[0], [1]], [[0], [1]], {}, r"`decisions` has shape \(2, 1\): expected \(rows,\)"),
        ([["a"], ["b"]], [0, 1], {}, "`codes` has type <U1: expected whole numbers. .*DecisionTable.from_labels"),
        ([[None], [1]], [0, 1], {}, "`codes` has type object: .*from_labels"),
        ([[1j], [1]], [0, 1], {}, "`codes` has type complex128"),
        ([[True], [False]], [0, 1], {}, "`codes` has type bool"),
        (np.array([[0], [1]], "m8[s]"), [0, 1], {}, "`codes` has type timedelta64"),
        ([[0], [1]], ["a", "b"], {}, "`decisions` has type <U1"),
        ([[0], [1]], [0, 1], {"weights": [1, 0]}, "`weights` has 0 in row 1: expected .* from 1 to .*Leave out"),
        ([[0], [1]], [0, 1], {"weights": [1, -1]}, "`weights` has -1 in row 1"),
        ([[0], [1]], [0, 1], {"weights": [0.5, 1]}, r"`weights` has 0\.5 in row 0"),
        ([[0], [1]], [0, 1], {"weights": [NAN, 1]}, "`weights` has a missing value in row 0"),
        ([[0], [1]], [0, 1], {"weights": [1]}, "`weights` has 1 entry for 2 rows: give one weight per row"),
        ([[0], [1]], [0, 1], {"weights": [1, 2**41]}, "`weights` has 2199023255552 in row 1.* all weights by"),
        ([[0], [1]], [0, 1], {"weights": [[1, 1]]}, r"`weights` has shape \(1, 2\)"),
        (
            [[0], [1], [0]],
            [0, 1, 0],
            {"equal_rows": "refuse"},
            "rows 0 and 2 have equal values and the same decision.*majority",
        ),
        (
            [[1], [0], [3], [0]],
            [1, 0, 0, 1],
            {"equal_rows": "refuse"},
            "rows 1 and 3 have equal values and different decisions: no two rows may have equal values.*majority",
        ),
        ([[0]], [0], {"decision_ties": "last"}, "decision_ties is 'last': expected one of sorted, first_seen"),
        ([[0], [0]], [0, 1], {"equal_rows": "refused"}, "equal_rows is 'refused': expected one of majority, refuse"),
        ([[0, 1]], [0], {"labels": Labels(("a",), (("x",),), ("d",))}, "names for 1 .* the table's 2 attributes"),
        ([[0]], [0], {"labels": Labels(("a",), ((), ()), ("d",))}, "names for 1 attribute and values for 2: expected"),
        (
            [[2]],
            [0],
            {"labels": Labels(("a",), (("x", "y"),), ("d",))},
            "a has code 2, but only 2 labels: expected codes below",
        ),
        ([[0]], [1], {"labels": Labels(("a",), (("x",),), ("d",))}, "the decision has code 1, but only 1 label"),
    ],
)
def test_an_unknown_table_is_refused_by_name(codes: object, decisions: object, options: dict, words: str) -> None:
    with pytest.raises(TableError, match=words):
        DecisionTable.from_codes(codes, decisions, **options)


def test_labels_default_to_the_codes() -> None:
    labels = DecisionTable.from_codes([[0, 2], [1, 0]], [0, 3]).labels
    assert labels.attributes == ("f1", "f2")
    assert [list(values) for values in labels.values] == [[0, 1], [0, 1, 2]]
    assert list(labels.decisions) == [0, 1, 2, 3]


def test_labels_are_coded_in_sorted_order() -> None:
    table = DecisionTable.from_labels({"size": ["small", "large", "small"], "n": [10, 9, 9]}, ["yes", "no", "yes"])
    keys = dict.fromkeys(["b", "a"]).keys()  # in order, although also a set
    assert DecisionTable.from_labels({"of": keys}, keys).codes.tolist() == [[1], [0]]
    assert table.labels == Labels(("size", "n"), (("large", "small"), (9, 10)), ("no", "yes"))
    assert rows_of(table) == [((1, 1), 1, 1), ((0, 0), 0, 1), ((1, 0), 1, 1)]


def test_labels_of_several_kinds_keep_the_order_of_appearance() -> None:
    table = DecisionTable.from_labels({"a": ["x", 1, 2.5, 1]}, ["no", True, "no", True])
    assert table.labels.values == (("x", 1, 2.5),)
    assert table.labels.decisions == ("no", True)
    assert table.codes.tolist() == [[0], [1], [2]]
    mixed = DecisionTable.from_labels({"a": [2, 3, 1, "a"]}, ["yes", "no", 1, 0])  # a sort would stop in the middle
    assert mixed.labels.values == ((2, 3, 1, "a"),)
    assert mixed.labels.decisions == ("yes", "no", 1, 0)


def test_numpy_labels_become_python_ones() -> None:
    table = DecisionTable.from_labels({"a": np.array([3, 1])}, np.array(["v", "u"]))
    assert table.labels.values == ((1, 3),)
    assert type(table.labels.values[0][0]) is int
    assert type(table.labels.decisions[0]) is str


def test_labels_may_be_a_sequence_without_a_type_of_its_own() -> None:
    labels = (ctypes.c_int * 3)(3, 1, 3)  # has items, and no __iter__
    assert DecisionTable.from_labels({"a": labels}, [0, 1, 0]).labels.values == ((1, 3),)


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_a_frame_is_columns_by_name(rows: int) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"size": ["small", "large"] * rows, "n": [10, 9] * rows, "new": [True, False] * rows})
    table = DecisionTable.from_labels(frame, pd.Series(["yes", "no"] * rows))
    assert table.labels == Labels(("size", "n", "new"), (("large", "small"), (9, 10), (False, True)), ("no", "yes"))
    assert rows_of(table) == [((1, 1, 1), 1, 1), ((0, 0, 0), 0, 1)]
    with pytest.raises(TableError, match="two columns are called 'n': rename one of them"):
        DecisionTable.from_labels(pd.concat([frame, frame["n"]], axis=1), ["yes", "no"] * rows)
    with pytest.raises(TableError, match="n has no value in row 0"):
        DecisionTable.from_labels(frame.assign(n=pd.NA), ["yes", "no"] * rows)
    numbered = DecisionTable.from_labels(frame.set_axis([2, "b", 3.5], axis=1), ["yes", "no"] * rows)
    assert numbered.labels.attributes == ("2", "b", "3.5")  # text, as exporters need


@pytest.mark.parametrize("missing", [None, NAN, np.float32("nan"), Decimal("nan"), np.datetime64("NaT", "s")])
def test_a_missing_label_is_refused_by_attribute_and_row(missing: object) -> None:
    with pytest.raises(TableError, match="colour has no value in row 1: fill missing values"):
        DecisionTable.from_labels({"n": [1, 2], "colour": [1, missing]}, [0, 1])
    with pytest.raises(TableError, match="the decision has no value in row 0"):
        DecisionTable.from_labels({"n": [1, 2]}, [missing, 1])


def test_columns_of_different_lengths_are_refused_by_name() -> None:
    with pytest.raises(TableError, match="attribute 'b' has 3 labels for 2 decisions"):
        DecisionTable.from_labels({"a": [1, 2], "b": [1, 2, 3]}, [0, 1])


def test_no_labels_are_no_table() -> None:
    with pytest.raises(TableError, match="no rows"):
        DecisionTable.from_labels({"a": []}, [])


def test_labels_pass_weights_and_equal_rows_on() -> None:
    columns, decisions = {"a": ["x", "x", "y"]}, ["p", "q", "q"]
    assert rows_of(DecisionTable.from_labels(columns, decisions, weights=[1, 2, 4])) == [((0,), 1, 3), ((1,), 1, 4)]
    with pytest.raises(TableError, match="rows 0 and 1 have equal values and different decisions"):
        DecisionTable.from_labels(columns, decisions, equal_rows="refuse")
