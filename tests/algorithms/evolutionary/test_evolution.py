"""Generations of EVO-Tree, tree by tree, against the plain form of the same algorithm with the same draws."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from algorithms.data.data_set import AttributeKind, DataSet
from algorithms.evolutionary.correct_rows import BLOCK
from algorithms.evolutionary.evolution import Evolution
from algorithms.evolutionary.population import Population
from algorithms.evolutionary.selection import stochastic_uniform
from algorithms.evolutionary.training_rows import TrainingRows
from algorithms.trees.node_kinds import NO_ATTRIBUTE
from tests.algorithms.data_sets import data_set_of, data_sets
from tests.oracles import evo_tree as oracle


def evolution(**options: Any) -> Evolution:
    usual: dict[str, Any] = {
        "max_depth": 6,
        "target_depth": 21,
        "alpha_1": 0.99,
        "alpha_2": 0.01,
        "individuals": 12,
        "generations": 4,
        "patience": 3,
        "elite": 2,
        "crossover_share": 0.6,
        "split_probability": 0.7,
        "selection": "stochastic_uniform",
    }
    return Evolution(**usual | options)


def trees_of(population: Population) -> list[oracle.Tree]:
    """The trees by index; that their arrays are as they must be is asserted on the way."""
    result = []
    for tree in range(len(population.depth)):
        nodes = population.nodes[population.start[tree] : population.start[tree + 1]]
        index, inner = nodes["index"].tolist(), nodes["attribute"] != NO_ATTRIBUTE
        assert index == sorted(index)
        assert nodes["left"][inner].tolist() == [index.index(2 * i) for i in nodes["index"][inner].tolist()]
        assert len(index) == 2 * inner.sum() + 1
        result.append(
            {
                int(node["index"]): (int(node["attribute"]), int(node["cut"]))
                if node["attribute"] != NO_ATTRIBUTE
                else int(node["label"])
                for node in nodes
            }
        )
    return result


def problem_of(data: DataSet, weights: list[int], nominal_tests: str, leaf_labels: str = "evolved") -> oracle.Problem:
    """The rows by the ranks of their values, of the attributes that differ among them."""
    columns, cuts, by_label = [], [], []
    for attribute, column in zip(data.attributes, data.columns, strict=True):
        values = sorted(set(column.tolist()))
        if len(values) > 1:
            columns.append([values.index(value) for value in column.tolist()])
            by_label.append(nominal_tests == "labels" and attribute.kind is AttributeKind.NOMINAL)
            cuts.append(len(values) - (not by_label[-1]))
    there = sorted(set(data.decisions.tolist()))
    classes = [there.index(label) for label in data.decisions.tolist()]
    rows = list(zip(*columns, strict=True))
    return oracle.Problem(rows, classes, weights, cuts, by_label, leaf_labels == "majority")


@settings(max_examples=60)
@given(
    data_sets(),
    st.data(),
    st.sampled_from(["integers", "labels"]),
    st.sampled_from(["evolved", "majority"]),
    st.sampled_from(["stochastic_uniform", "roulette", "tournament"]),
    st.integers(1, 5),
    st.integers(2, 15),
    st.floats(0, 1),
    st.integers(0, 2**64 - 1),
)
def test_every_tree_of_every_generation_is_that_of_the_plain_form(
    data: DataSet,
    more: st.DataObject,
    nominal_tests: Any,
    leaf_labels: Any,
    selection: Any,
    max_depth: int,
    individuals: int,
    share: float,
    seed: int,
) -> None:
    weights = more.draw(st.lists(st.integers(1, 9), min_size=data.rows, max_size=data.rows))
    problem = problem_of(data, weights, nominal_tests, leaf_labels)
    assume(problem.cuts)
    coded = TrainingRows.of(data, np.array(weights, np.float64), nominal_tests, leaf_labels)
    options = {
        "individuals": individuals,
        "elite": min(3, individuals - 1),
        "crossover_share": share,
        "max_depth": max_depth,
        "selection": selection,
    }
    expected = oracle.generations(problem, seed, alphas=(0.99, 0.01), target_depth=21, split_probability=0.7, **options)
    ours = evolution(**options).populations(coded, seed)
    unit = sum(weights) // coded.total
    best = np.inf
    for (population, fitness), (trees, plain) in zip(islice(ours, 6), expected, strict=False):
        assert trees_of(population) == trees
        assert (population.correct * unit).tolist() == [problem.right(tree) for tree in trees]
        assert population.depth.tolist() == [oracle.depth(tree) for tree in trees]
        assert population.depth.max() <= max_depth
        assert fitness.tolist() == plain
        assert fitness.min() <= best  # for the elite go on
        best = fitness.min()


@pytest.mark.parametrize(("scale", "leaf_labels"), [(1.0, "evolved"), (0.1, "majority")])
def test_rows_of_several_blocks_and_weights_of_many_digits(scale: float, leaf_labels: Any) -> None:
    generator = np.random.default_rng(0)
    n = 2 * 64 * BLOCK + 77
    numbers = [generator.integers(0, k, n).astype(float) for k in (2, 3, 100, 5000)]
    data = data_set_of(
        [*numbers, generator.integers(0, 5, n)], generator.integers(0, 4, n).tolist(), [True] * 4 + [False]
    )
    weights = generator.integers(1, 1000, n)
    problem = problem_of(data, weights.tolist(), "labels", leaf_labels)
    coded = TrainingRows.of(data, weights * scale, "labels", leaf_labels)
    for population, _ in islice(evolution(individuals=6, max_depth=9).populations(coded, 5), 2):
        right = np.array([problem.right(tree) for tree in trees_of(population)])
        share = population.correct / coded.total
        if scale == 1:
            assert share.tolist() == (right / weights.sum()).tolist()
        assert share == pytest.approx(right / weights.sum(), rel=1e-11)


def test_patience_and_the_number_of_generations() -> None:
    data = data_set_of([[0.0, 1.0, 2.0, 3.0]], [0, 1, 0, 1], [True])
    coded = TrainingRows.of(data, np.ones(4))
    run = evolution(generations=7, patience=7, individuals=30).run(coded, 0)
    assert len(run.history.best) == len(run.history.mean) == 8
    waited = evolution(generations=1000, patience=9, individuals=30).run(coded, 0)
    best = waited.history.best
    assert best[-1] == best[-10] < best[-11]
    assert waited.fitness == best[-1] == pytest.approx(0.01 * 2 / 21)
    assert len(evolution(generations=0).run(coded, 0).history.best) == 1


def test_more_nodes_than_memory_is_wanted_for_are_refused() -> None:
    data = data_set_of([[0.0, 1.0]], [0, 1], [True])
    with pytest.raises(ValueError, match=r"12 trees of depth up to 60 have more than 134,217,728 nodes"):
        evolution(split_probability=1.0, max_depth=60).run(TrainingRows.of(data, np.ones(2)), 0)


def test_a_step_that_ends_where_a_section_begins_is_in_it() -> None:
    assert stochastic_uniform(np.ones(5), np.zeros(1, np.uint64)).tolist() == [0, 1, 2, 3, 4]
