"""EVO-Tree as an estimator: what its fitness says of its tree, options, and bad input."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from algorithms.data.data_set import DataSet
from algorithms.data.rule_sets import RULE_SETS
from algorithms.evolutionary.evo_tree import EVOTreeClassifier
from algorithms.evolutionary.front import EVOTreeFrontClassifier
from algorithms.trees.json_text import to_json
from tests.algorithms.data_sets import data_set_of, data_sets

QUICK: dict[str, Any] = {"individuals": 40, "generations": 30}


def error(model: EVOTreeClassifier, data: DataSet, weights: np.ndarray) -> float:
    """The share of the weight of misclassified rows, by predicting them."""
    wrong = model.predict(data) != np.array(data.classes)[data.decisions]
    return float(weights[wrong].sum() / weights.sum())


@settings(max_examples=50)
@given(data_sets(), st.data(), st.sampled_from(["integers", "labels"]), st.integers(0, 9))
def test_fitness_is_that_of_the_tree(data: DataSet, more: st.DataObject, nominal_tests: Any, seed: int) -> None:
    assume(len(np.unique(data.decisions)) > 1 and any(len(np.unique(column)) > 1 for column in data.columns))
    weights = np.array(more.draw(st.lists(st.sampled_from([0.5, 1.0, 3.25]), min_size=data.rows, max_size=data.rows)))
    model = EVOTreeClassifier(nominal_tests=nominal_tests, random_state=seed, individuals=10, generations=5)
    model.fit(data, sample_weight=weights)
    depth = int(model.tree_.depths().max())
    assert model.fitness_ == pytest.approx(0.99 * error(model, data, weights) + 0.01 * depth / 21)
    assert model.fitness_ == model.history_.best[-1] == model.history_.best.min()
    assert (np.diff(model.history_.best) <= 0).all()
    assert (model.history_.mean >= model.history_.best - 1e-12).all()
    assert (model.predict_proba(data).argmax(axis=1) == model.tree_.predict(data.values())).all()


def fewest_errors(rows: np.ndarray, labels: np.ndarray, depth: int) -> int:
    """Of any tree of at most this depth, by trying all."""
    least = int(min(labels.sum(), (~labels).sum()))
    if not depth or not least:
        return least
    for column in rows.T:
        for value in np.unique(column)[:-1]:
            left = column <= value
            parts = [fewest_errors(rows[part], labels[part], depth - 1) for part in (left, ~left)]
            least = min(least, sum(parts))
    return least


@pytest.mark.parametrize("max_depth", [1, 2])
def test_of_few_trees_the_best_is_returned(max_depth: int) -> None:
    generator = np.random.default_rng(3)
    rows = generator.integers(0, 6, (200, 3)).astype(float)
    labels = (rows[:, 0] > 2) ^ (rows[:, 1] > 3) ^ (generator.random(200) < 0.1)
    model = EVOTreeClassifier(max_depth=max_depth, alpha_2=0.0).fit(rows, labels)
    assert (model.predict(rows) != labels).sum() == fewest_errors(rows, labels, max_depth)


def test_the_same_seed_gives_the_same_tree_and_another_one_another() -> None:
    data = RULE_SETS["monks-1"]()
    trees = [to_json(EVOTreeClassifier(**QUICK, random_state=seed).fit(data).tree_) for seed in (1, 1, 2)]
    assert trees[0] == trees[1] != trees[2]


def test_the_order_of_rows_and_the_unit_of_weights_decide_nothing() -> None:
    data = RULE_SETS["monks-1"]()
    order = np.random.default_rng(0).permutation(data.rows)
    first = EVOTreeClassifier(**QUICK).fit(data)
    for model in (
        EVOTreeClassifier(**QUICK).fit(data.take(order)),
        EVOTreeClassifier(**QUICK).fit(data, sample_weight=np.full(data.rows, 0.3)),
    ):
        assert model.tree_.attribute.tolist() == first.tree_.attribute.tolist()
        assert model.tree_.decision.tolist() == first.tree_.decision.tolist()
        assert model.history_.mean.tolist() == first.history_.mean.tolist()


def test_labels_are_cut_as_integers_or_tested_one_by_one() -> None:
    """Only red is different, and lies between the others."""
    rows = pa.table({"colour": ["blue", "green", "red", "teal", "violet"] * 4})
    classes = (["no", "no", "yes", "no", "no"]) * 4
    for nominal_tests, depth, groups in (("labels", 1, [1, 4]), ("integers", 2, None)):
        model = EVOTreeClassifier(nominal_tests=nominal_tests).fit(rows, classes)
        assert model.predict(rows).tolist() == classes
        assert model.tree_.depths().max() == depth
        edges = model.tree_.edge_to[model.tree_.edges_of(0)]
        assert (np.unique(edges, return_counts=True)[1].tolist() == groups) == (groups is not None)
        later = pa.table({"colour": ["mauve"]})
        assert model.predict(later).tolist() == ["no"]


def test_labels_that_no_training_row_has_are_cut_where_they_stand() -> None:
    data = data_set_of([[0, 0, 4, 4]], [0, 0, 1, 1], [False])
    model = EVOTreeClassifier(**QUICK, max_depth=1).fit(data)
    everything = data_set_of([[0, 1, 2, 3, 4]], [0] * 5, [False], classes=2)
    assert model.predict(everything).tolist() == ["c0", "c0", "c0", "c1", "c1"]


def test_a_number_is_cut_midway_between_neighbours() -> None:
    model = EVOTreeClassifier(**QUICK).fit([[1.0], [2.0], [4.0]], ["low", "low", "high"])
    assert model.tree_.edge_bound[0] == 3.0


def test_numbers_whose_sum_is_infinite_are_finite() -> None:
    model = EVOTreeClassifier(**QUICK).fit([[1.5e308], [1.6e308], [1.7e308]], ["low", "low", "high"])
    assert model.predict([[1.6e308], [1.79e308]]).tolist() == ["low", "high"]


@pytest.mark.parametrize("kind", [EVOTreeClassifier, EVOTreeFrontClassifier])
@pytest.mark.parametrize(
    ("rows", "classes", "message"),
    [
        ([[1.0, 2.0]], ["a"], "there is only one row, and only one class: EVOTree.*Classifier needs rows"),
        ([[1.0], [2.0], [3.0]], ["a", "a", "a"], "all 3 rows are of one class"),
        ([[5.0, 7.0]] * 5, ["b", "a", "a", "a", "b"], "no attribute has two values in the 5 rows"),
    ],
    ids=["one row", "one class", "constant attributes"],
)
def test_where_nothing_can_evolve_the_error_says_why(
    kind: type[EVOTreeClassifier], rows: Any, classes: list[str], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        kind().fit(rows, classes)


def test_a_constant_attribute_is_never_tested() -> None:
    data = RULE_SETS["monks-1"]()
    constant = pa.table({"same": ["x"] * data.rows} | {f"a{k}": column for k, column in enumerate(data.columns)})
    model = EVOTreeClassifier(**QUICK).fit(constant, data.decisions)
    assert 0 not in model.tree_.attribute


def test_missing_values_are_named_or_filled() -> None:
    rows = pa.table({"size": [1.0, None, 3.0, 8.0], "colour": ["red", "red", None, "blue"]})
    classes = ["a", "b", "a", "b"]
    with pytest.raises(ValueError, match=r"attribute 'size' has 1 missing value in 4 rows, the first in row 1"):
        EVOTreeClassifier().fit(rows, classes)
    filled = pa.table({"size": [1.0, 4.0, 3.0, 8.0], "colour": ["red", "red", "red", "blue"]})
    model = EVOTreeClassifier(**QUICK, missing="fill").fit(rows, classes)
    same = EVOTreeClassifier(**QUICK).fit(filled, classes)
    assert model.predict(rows).tolist() == same.predict(filled).tolist() == classes
    assert to_json(model.tree_) == to_json(same.tree_)
    assert model.costs(rows) == same.costs(filled)


@pytest.mark.parametrize(
    "options",
    [
        {"individuals": np.int8(100), "elite": np.int8(3)},
        {"split_probability": Fraction(1, 2)},
        {"split_probability": np.float16(0.5), "crossover_share": np.float32(0.5)},
    ],
)
def test_options_may_be_numbers_of_any_type(options: dict[str, Any]) -> None:
    data = RULE_SETS["monks-1"]()
    plain = {name: int(value) if isinstance(value, np.integer) else float(value) for name, value in options.items()}
    models = [EVOTreeClassifier(**{**QUICK, **given_options}).fit(data) for given_options in (options, plain)]
    assert models[0].history_.mean.tolist() == models[1].history_.mean.tolist()


@pytest.mark.parametrize(
    ("known", "weight", "mean"),
    [([1.7e308, 1.6e308, 1.5e308], 1.0, 1.6e308), ([1e10, 2e10, 3e10], 1e298, 2e10), ([0.3, 0.4, 0.8], 1e-300, 0.5)],
)
def test_what_is_filled_is_the_mean_of_numbers_and_weights_of_any_size(
    known: list[float], weight: float, mean: float
) -> None:
    rows = np.array([*known, np.nan])[:, None]
    model = EVOTreeClassifier(**QUICK, missing="fill").fit(rows, [0, 0, 1, 1], sample_weight=np.full(4, weight))
    same = EVOTreeClassifier(**QUICK).fit(np.nan_to_num(rows, nan=mean), [0, 0, 1, 1])
    assert model.tree_.edge_bound == pytest.approx(same.tree_.edge_bound)
    assert model.predict(rows).tolist() == same.predict(np.nan_to_num(rows, nan=mean)).tolist()


def test_missing_may_be_set_to_fill_after_fitting() -> None:
    model = EVOTreeClassifier(**QUICK).fit([[1.0], [2.0], [6.0]], [0, 0, 1]).set_params(missing="fill")
    assert model.predict([[np.nan], [6.0]]).tolist() == [0, 1]


def test_more_labels_than_memory_is_wanted_for_are_refused() -> None:
    rows = 200_000
    data = data_set_of([np.arange(rows)], np.arange(rows) % 2, [False])
    with pytest.raises(ValueError, match="attribute 'a1' has 200,000 labels in 200,000 rows: with one test per label"):
        EVOTreeClassifier(nominal_tests="labels").fit(data)


def test_no_more_are_elite_than_there_are() -> None:
    with pytest.raises(ValueError, match="individuals is 3 and elite is 3: expected individuals > elite"):
        EVOTreeClassifier(individuals=3).fit([[1.0], [2.0]], ["a", "b"])
