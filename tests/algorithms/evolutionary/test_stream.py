"""EVO-Tree over a sliding window: what is remembered, what becomes of tests, and that a drift is followed."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from algorithms.data.data_set import AttributeKind, DataSet
from algorithms.data.rule_sets import RULE_SETS
from algorithms.evolutionary.evo_tree import EVOTreeClassifier
from algorithms.evolutionary.evolution import Evolution
from algorithms.evolutionary.generations import words_of_stream
from algorithms.evolutionary.stream import EVOTreeStreamClassifier, transferred
from algorithms.evolutionary.training_rows import TrainingRows
from algorithms.trees.json_text import to_json
from tests.algorithms.data_sets import data_sets
from tests.algorithms.evolutionary.test_evolution import evolution, problem_of, trees_of

QUICK: dict[str, Any] = {"individuals": 60, "generations": 10}


def sea(rows: int, seed: int, theta: float) -> tuple[np.ndarray, np.ndarray]:
    """A concept of Street and Kim (2001): whether two of three numbers sum to at most theta, but for noise."""
    generator = np.random.default_rng(seed)
    numbers = generator.uniform(0, 10, (rows, 3))
    return numbers, (numbers[:, 0] + numbers[:, 1] <= theta) ^ (generator.random(rows) < 0.1)


def stagger(rows: int, seed: int, concept: int) -> tuple[pa.Table, np.ndarray]:
    """The concepts of Schlimmer and Granger (1986)."""
    generator = np.random.default_rng(seed)
    size = generator.choice(["small", "medium", "large"], rows)
    colour = generator.choice(["red", "green", "blue"], rows)
    shape = generator.choice(["square", "circle", "triangle"], rows)
    classes = [
        (size == "small") & (colour == "red"),
        (colour == "green") | (shape == "circle"),
        (size == "medium") | (size == "large"),
    ]
    return pa.table({"size": size, "colour": colour, "shape": shape}), classes[concept]


def test_a_drift_is_followed_with_a_window_and_not_without() -> None:
    """Test, then train: batches of 100 of each STAGGER concept; the last five of each are judged."""
    accuracy = {}
    for window in (200, None):
        model = EVOTreeStreamClassifier(**QUICK, window=window)
        right = []
        for batch in range(30):
            rows, classes = stagger(100, batch, batch // 10)
            if batch:
                right.append((model.predict(rows) == classes).mean())
            model.partial_fit(rows, classes, classes=[False, True])
        accuracy[window] = np.mean(right[14:19] + right[24:29])
    assert accuracy[200] > 0.97
    assert accuracy[None] < 0.9


def test_the_population_goes_on_from_where_it_was() -> None:
    """Where a batch has the rows that are remembered once more, its generations are those that a longer run has."""
    rows, classes = sea(100, 3, 8.0)
    long = EVOTreeStreamClassifier(window=100, individuals=60, generations=24).fit(rows, classes)
    model = EVOTreeStreamClassifier(window=100, individuals=60, generations=8)
    best = []
    for _ in range(3):
        model.partial_fit(rows, classes, classes=[False, True])
        best += model.history_.best[bool(best) :].tolist()
    assert best == long.history_.best.tolist()
    assert model.history_.mean.tolist() == long.history_.mean[-9:].tolist()
    assert to_json(model.tree_) == to_json(long.tree_)


def test_the_last_rows_are_remembered_however_they_came() -> None:
    rows, classes = sea(90, 1, 8.0)
    together = EVOTreeStreamClassifier(**QUICK, window=50).fit(rows[40:], classes[40:])
    model = EVOTreeStreamClassifier(**QUICK, window=50)
    assert model.partial_fit(rows, classes, classes=[False, True]) is model
    assert to_json(model.tree_) == to_json(together.tree_)
    assert len(model.history_.best) == QUICK["generations"] + 1
    apart = EVOTreeStreamClassifier(**QUICK, window=50).partial_fit(rows[:30], classes[:30], classes=[False, True])
    for first in (30, 50, 70):
        apart.partial_fit(rows[first : first + 20], classes[first : first + 20])
    assert apart.tree_.counts[0].tolist() == together.tree_.counts[0].tolist()
    ordinary = EVOTreeClassifier(**QUICK, leaf_labels="majority").fit(rows[40:], classes[40:])
    assert to_json(ordinary.tree_) == to_json(together.tree_)


def test_the_same_batches_give_the_same_tree() -> None:
    trees = []
    for _ in range(2):
        model = EVOTreeStreamClassifier(**QUICK, window=70, random_state=4)
        for seed in range(4):
            model.partial_fit(*sea(40, seed, 8.0 + seed), classes=[False, True])
        trees.append(to_json(model.tree_))
    assert trees[0] == trees[1]
    begun = model.fit(*sea(40, 0, 8.0))
    assert to_json(begun.tree_) == to_json(EVOTreeStreamClassifier(**QUICK, random_state=4).fit(*sea(40, 0, 8.0)).tree_)


@settings(max_examples=60)
@given(data_sets(), st.data(), st.sampled_from(["integers", "labels"]), st.integers(0, 99))
def test_tests_become_the_nearest_existing_ones(
    data: DataSet, more: st.DataObject, nominal_tests: Any, seed: int
) -> None:
    kept = np.array(more.draw(st.lists(st.booleans(), min_size=data.rows, max_size=data.rows)), bool)
    assume(kept.any())
    later = data.take(kept)
    before = TrainingRows.of(data, np.ones(data.rows), nominal_tests, "majority")
    after = TrainingRows.of(later, np.ones(later.rows), nominal_tests, "majority")
    assume(before.can_evolve and after.can_evolve)
    bred: Evolution = evolution()
    population, _ = next(bred.populations(before, seed))
    old = trees_of(population)
    words = words_of_stream(seed, 0, 0, int(population.start[-1]))
    moved = transferred(population, before, after, words)
    again, _ = next(bred.populations(after, seed, moved))
    assert again is moved
    problem = problem_of(later, [1] * later.rows, nominal_tests, "majority")
    assert (moved.correct * later.rows // after.total).tolist() == [problem.right(tree) for tree in trees_of(moved)]
    assert moved.depth.tolist() == population.depth.tolist()
    for first, second in zip(old, trees_of(moved), strict=True):
        assert first.keys() == second.keys()
        for index, node in first.items():
            if not isinstance(node, tuple):
                assert second[index] == node
                continue
            column = before.attribute[node[0]]
            attribute, cut = second[index]
            if column not in after.attribute:
                assert 0 <= cut < after.tests.cuts[attribute]
                continue
            assert after.attribute[attribute] == column
            where = positions(before, node[0])
            there = positions(after, attribute)
            assert abs(there[cut] - where[node[1]]) == min(abs(each - where[node[1]]) for each in there)


def positions(coded: TrainingRows, tested: int) -> list[float]:
    values = [float(value) for value in coded.values[tested]]
    if coded.labels[tested]:
        assert coded.data.attributes[coded.attribute[tested]].kind is AttributeKind.NOMINAL
        return values
    return [low / 2 + high / 2 for low, high in pairwise(values)]


def test_labels_and_data_sets_that_come_later() -> None:
    model = EVOTreeStreamClassifier(**QUICK, nominal_tests="labels")
    model.partial_fit(pa.table({"colour": ["red", "blue"] * 10}), ["a", "b"] * 10, classes=["c", "b", "a"])
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert model.predict_proba(pa.table({"colour": ["red"]})).tolist() == [[1, 0, 0]]
    model.partial_fit(pa.table({"colour": ["mauve", "red"] * 10}), ["c", "a"] * 10)
    assert model.predict(pa.table({"colour": ["red", "blue", "mauve"]})).tolist() == ["a", "b", "c"]
    assert not model.unseen(pa.table({"colour": ["mauve"]})).any()
    rows, classes = stagger(60, 0, 0)
    by_table = EVOTreeStreamClassifier(**QUICK).partial_fit(rows, classes, classes=[False, True])
    assert by_table.predict(rows).tolist() == classes.tolist()


@pytest.mark.parametrize("classes", [None, [], "ab", {"a", "b"}, ["a", None], ["a", 1], [["a", "b"]]])
def test_classes_that_are_no_list_of_classes_are_refused(classes: Any) -> None:
    model = EVOTreeStreamClassifier(**QUICK)
    with pytest.raises(ValueError, match=r"`classes` is .*: expected (a list of )?all classes"):
        model.partial_fit([[1.0], [2.0]], ["a", "b"], classes=classes)
    assert not hasattr(model, "classes_")


def test_further_batches_have_the_classes_of_the_first() -> None:
    model = EVOTreeStreamClassifier(**QUICK).partial_fit([[1.0], [2.0]], ["a", "b"], classes=["b", "a"])
    model.partial_fit([[1.0], [2.0]], ["a", "b"], classes=["a", "b"])
    with pytest.raises(ValueError, match=r"`classes` is \['a'\]: expected the classes of the first call, a, b"):
        model.partial_fit([[1.0]], ["a"], classes=["a"])


def test_rows_that_weigh_nothing_are_not_remembered() -> None:
    weighed, without = (EVOTreeStreamClassifier(**QUICK, window=50) for _ in range(2))
    for seed in range(3):
        rows, classes = sea(40, seed, 8.0)
        weights = np.random.default_rng(seed).integers(0, 3, 40).astype(float)
        kept = weights > 0
        weighed.partial_fit(rows, classes, classes=[False, True], sample_weight=weights)
        without.partial_fit(rows[kept], classes[kept], classes=[False, True], sample_weight=weights[kept])
    assert to_json(weighed.tree_) == to_json(without.tree_)


def test_batches_may_be_data_sets() -> None:
    data = RULE_SETS["monks-1"]()
    trees = []
    for as_data in (True, False):
        model = EVOTreeStreamClassifier(**QUICK, window=150)
        for first in range(0, data.rows, 100):
            batch = data.take(np.arange(first, min(first + 100, data.rows)))
            if as_data:
                model.partial_fit(batch)
            else:
                columns = zip(batch.attributes, batch.columns, strict=True)
                rows = pa.table(
                    {
                        column.name: pa.DictionaryArray.from_arrays(codes, list(column.labels))
                        for column, codes in columns
                    }
                )
                model.partial_fit(rows, np.array(data.classes)[batch.decisions], classes=data.classes)
        trees.append(to_json(model.tree_))
    assert trees[0] == trees[1]


def test_where_nothing_can_evolve_for_a_while_it_goes_on_later() -> None:
    """A window of one class, then of both, then of the other alone, then of both again."""
    rows = np.arange(40.0)[:, None]
    both, never, always = rows[:, 0] > 20, np.zeros(40, bool), np.ones(40, bool)
    model = EVOTreeStreamClassifier(**QUICK, window=40)
    for classes in (never, both, always, both):
        model.partial_fit(rows, classes, classes=[False, True])
        assert model.predict(rows).tolist() == classes.tolist()
        assert (model.tree_.nodes == 1) == (classes is not both)
        assert classes is both or model.fitness_ == 0 == model.history_.best[-1]
    model.set_params(max_depth=1, individuals=50)  # what was bred before does not fit
    assert model.partial_fit(rows, both).tree_.depths().max() == 1


@pytest.mark.parametrize(
    ("options", "calls", "message"),
    [
        ({}, [([[1.0], [2.0]], ["a", "b"], None)], "expected all classes in the first call of partial_fit"),
        ({}, [([[1.0], [2.0]], ["a", "b"], ["a", "c"])], "y has the unknown class 'b': expected one of a, c"),
        ({}, [([[1.0], [2.0]], ["a", "b"], ["a", "b"]), ([[1.0]], ["z"], None)], "y has the unknown class 'z'"),
        (
            {},
            [([[1.0], [2.0]], ["a", "b"], ["a", "b"]), ([[1.0]], ["a", "b"], None)],
            "inconsistent numbers of samples",
        ),
        ({}, [([[1.0], [2.0]], ["a", "b"], ["a", "b"]), ([[np.nan]], ["a"], None)], "1 missing value in 1 row"),
        ({}, [([[1.0], [2.0]], ["a", "b"], ["a", "b"]), ([[1.0], [2.0]], ["a", None], None)], "y contains NaN: row 1"),
        ({}, [([[1.0], [2.0]], [0, 1], [0, 1]), ([[1.0]], np.ma.array([1], mask=[True]), None)], "y contains NaN"),
    ],
)
def test_bad_input_is_named(options: Any, calls: list[Any], message: str) -> None:
    model = EVOTreeStreamClassifier(**QUICK, **options)
    for rows, classes, every in calls[:-1]:
        model.partial_fit(rows, classes, classes=every)
    with pytest.raises(ValueError, match=message):
        model.partial_fit(calls[-1][0], calls[-1][1], classes=calls[-1][2])


def test_a_window_may_be_a_number_of_numpy() -> None:
    rows = np.arange(40.0)[:, None]
    model = EVOTreeStreamClassifier(window=np.uint8(30), individuals=10, generations=2)
    assert model.fit(rows, rows[:, 0] > 20).tree_.counts[0].tolist() == [11, 19]


@pytest.mark.parametrize("order", ["C", "F"])
def test_rows_are_remembered_as_they_were_though_their_array_is_used_again(order: Any) -> None:
    batches = [sea(40, seed, theta=8.0) for seed in range(2)]
    fresh, again = (EVOTreeStreamClassifier(**QUICK, window=None, random_state=0) for _ in range(2))
    buffer = np.empty((40, 3), order=order)
    for numbers, classes in batches:
        fresh.partial_fit(numbers, classes, classes=[False, True])
        buffer[:] = numbers
        again.partial_fit(buffer, classes, classes=[False, True])
        buffer[:] = 0
    assert to_json(again.tree_) == to_json(fresh.tree_)
    np.testing.assert_array_equal(again._rows.values(), np.concatenate([numbers for numbers, _ in batches]))
