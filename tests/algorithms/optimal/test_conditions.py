"""Optimal trees under conditions, against every tree there is."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from algorithms.data.data_set import missing_in
from algorithms.optimal.conditions.conditions import Conditions
from algorithms.optimal.conditions.solve_under import solve_under
from algorithms.optimal.instance import Instance, MissingRule
from algorithms.optimal.search import OCTClassifier
from algorithms.optimal.solution import Effort, EffortSpentError, Progress, Solution, Status
from algorithms.options import ParameterError
from algorithms.trees.arrays import NodeKind
from tests.algorithms.optimal.instances import KINDS, instances, with_missing
from tests.algorithms.optimal.proofs import forced_errors
from tests.oracles.conditioned_trees import (
    IndexedConditions,
    all_rows,
    best_under,
    depth_of,
    leaves_of,
    listed,
    number_of_trees,
    objective_of,
    size,
    splits_of,
)

MOST_TREES = 3000
TIE = 1e-9


def random_conditions(generator: np.random.Generator, instance: Instance, names: tuple[str, ...]) -> Conditions:
    """Conditions of these names: about attributes and classes of the instance, which may contradict each other."""
    data = instance.data
    attributes = [about.name for about in data.attributes]

    def some(share: float) -> list[Any]:
        return [
            name if generator.random() < 0.5 else index
            for index, name in enumerate(attributes)
            if generator.random() < share
        ]

    tested = int(generator.integers(len(attributes)))
    numeric = [index for index, about in enumerate(data.attributes) if about.kind == "numeric"]
    between = [float(value) for value in np.unique(data.columns[tested][~missing_in(data.columns[tested])])[:-1]]
    first: Any = attributes[tested]
    if tested in numeric and between and generator.random() < 0.5:
        first = (first, between[generator.integers(len(between))] + generator.choice([0, 1e-3]))
    order = [attributes[index] for index in generator.permutation(len(attributes)) if generator.random() < 0.8]
    classes = len(data.classes)
    cost = generator.choice([0, 0.5, 1, 1, 2, 8], (classes, classes)) * (1 - np.eye(classes))
    every = {
        "first": first,
        "forbidden": some(0.3),
        "required": some(0.5),
        "order": [order[:2], *order[2:]] if generator.random() < 0.3 else order,
        "once": some(0.7),
        "max_attributes": int(generator.integers(len(attributes) + 1)),
        "monotone": {index: int(generator.choice([-1, 1])) for index in numeric},
        "class_order": [data.classes[k] for k in generator.permutation(classes)],
        "attribute_costs": {name: float(generator.choice([0, 1 / 64, 1 / 16, 0.25, 1])) for name in some(0.8)},
        "misclassification_costs": cost,
    }
    return Conditions(**{name: every[name] for name in names})


EACH = (
    *(("first",), ("forbidden",), ("misclassification_costs",), ("attribute_costs",), ("order",), ("once",)),
    *(("max_attributes",), ("required",), ("monotone",), ("monotone", "class_order")),
)
ALL = tuple(dict.fromkeys(name for names in EACH for name in names))


def small(instance: Instance, *, subsets: bool) -> None:
    """Leave out instances of too many trees to list."""
    assume(number_of_trees(instance, all_rows(instance), depth_of(instance), subsets=subsets) < MOST_TREES)


def check(instance: Instance, conditions: Conditions, *, subsets: bool) -> None:
    """That the tree meets the conditions and no tree that does is better; or that there is none."""
    best = best_under(instance, conditions, subsets=subsets)
    if best == np.inf:
        with pytest.raises(ParameterError) as raised:
            solve_under(instance, conditions, subsets=subsets)
        event(str(raised.value)[:12])
        return
    event("found")
    seen: list[Progress] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("algorithms.optimal.conditions.solve_under.SECONDS_BETWEEN", -1)
        solution = solve_under(instance, conditions, subsets=subsets, on_progress=seen.append)
    check_tree(solution, instance, conditions)
    assert all(progress.bound - TIE <= best <= progress.objective + TIE for progress in seen)
    assert min(progress.objective for progress in seen) == pytest.approx(best)
    assert solution.status is Status.OPTIMAL
    assert solution.bound == solution.objective
    assert solution.objective == pytest.approx(best)


def check_tree(solution: Solution, instance: Instance, conditions: Conditions) -> None:
    """Check that the tree meets the conditions, and that the solution describes it."""
    tree, of_leaf = listed(solution.tree, instance)
    indexed = IndexedConditions(conditions, instance)
    assert indexed.tests(tree)
    assert indexed.classes(indexed.sides(tree), of_leaf)
    assert solution.tree.depths().max() <= depth_of(instance)
    assert instance.max_splits is None or solution.splits <= instance.max_splits
    assert all(size(leaf) >= instance.min_samples_leaf - 1e-9 for leaf in leaves_of(tree))
    assert (solution.splits, solution.leaves) == (len(splits_of(tree)), len(leaves_of(tree)))
    assert solution.objective == pytest.approx(objective_of(instance, indexed, tree, of_leaf))
    if instance.missing != "all_branches":
        wrong = solution.tree.predict(instance.data.values()) != instance.data.decisions
        assert solution.errors == pytest.approx(instance.weights[wrong].sum())
    assert solution.forced == pytest.approx(forced_errors(instance))
    assert solution.bound <= solution.objective


@pytest.mark.parametrize("names", EACH, ids="-".join)
@given(instances(max_rows=8, max_attributes=3), st.integers(0, 2**63), st.booleans())
@settings(max_examples=60)
def test_no_tree_that_meets_a_condition_is_better(
    names: tuple[str, ...], instance: Instance, seed: int, subsets: bool
) -> None:
    small(instance, subsets=subsets)
    check(instance, random_conditions(np.random.default_rng(seed), instance, names), subsets=subsets)


@pytest.mark.parametrize("kind", KINDS)
@given(st.data(), st.integers(0, 2**63), st.booleans())
@settings(max_examples=100)
def test_no_tree_that_meets_several_conditions_is_better(
    kind: str, data: st.DataObject, seed: int, subsets: bool
) -> None:
    instance = data.draw(instances(kind, max_rows=8, max_attributes=4))
    small(instance, subsets=subsets)
    generator = np.random.default_rng(seed)
    names = tuple(name for name in ALL if generator.random() < 0.3)
    check(instance, random_conditions(generator, instance, names), subsets=subsets)


@pytest.mark.parametrize("rule", get_args(MissingRule))
@given(instances(max_rows=8, max_attributes=3), st.integers(0, 2**63), st.booleans())
@settings(max_examples=200)
def test_no_tree_for_rows_with_missing_values_is_better(
    rule: MissingRule, complete: Instance, seed: int, subsets: bool
) -> None:
    generator = np.random.default_rng(seed)
    instance = with_missing(complete, generator, rule)
    small(instance, subsets=subsets)
    names = tuple(name for name in ALL if generator.random() < generator.choice([0.0, 0.15]))
    check(instance, random_conditions(generator, instance, names), subsets=subsets)


@pytest.mark.parametrize(
    ("rows", "y", "errors"),
    [
        ([(None, "b"), (None, "a"), ("y", "b"), ("x", "a"), ("y", "b")], [0, 2, 0, 2, 0], 0),
        ([(None, "b"), (None, "a"), ("y", "b"), ("x", "b"), ("y", "a"), ("x", "a")], [0, 2, 0, 2, 0, 2], 1),
    ],
)
def test_what_is_tested_where_values_are_missing_counts_as_an_attribute(rows: Any, y: list[int], errors: int) -> None:
    """The best trees with one attribute; both attributes together make no errors."""
    one = Conditions(max_attributes=1)
    model = OCTClassifier(max_depth=4, missing="best_side", conditions=one).fit(np.array(rows, object), y)
    assert len(set(model.tree_.attribute[model.tree_.kind != NodeKind.TERMINAL].tolist())) == 1
    assert (model.solution_.status, model.solution_.errors) == (Status.OPTIMAL, errors)


@given(instances(max_rows=8, max_attributes=4), st.integers(0, 2**63), st.sampled_from([1, 2, 3, 5, 10, 30]))
@settings(max_examples=100)
def test_a_search_cut_short_has_a_tree_and_a_bound(instance: Instance, seed: int, work: int) -> None:
    small(instance, subsets=False)
    generator = np.random.default_rng(seed)
    conditions = random_conditions(generator, instance, tuple(name for name in ALL if generator.random() < 0.25))
    best = best_under(instance, conditions)
    assume(best < np.inf)
    try:
        solution = solve_under(instance, conditions, Effort(work=work))
    except EffortSpentError:
        event("no tree in time")
        return
    event(solution.status)
    check_tree(solution, instance, conditions)
    assert solution.bound <= best * (1 + 1e-9) + 1e-12
    assert solution.objective >= best * (1 - 1e-9) - 1e-12
    assert solution.optimal == (solution.bound == solution.objective)
