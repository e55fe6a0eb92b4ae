"""The tables that Ben-Gal et al. 2014 compute by hand: partitions, chain rule, orthogonality, choices, trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from algorithms.data.data_set import DataSet
from algorithms.data.tables_from_data import decision_table
from algorithms.estimators.tree_classifier import TreeClassifier
from algorithms.exact.graph import SubtableGraph
from algorithms.induction.did import DIDClassifier
from algorithms.induction.id3 import GainRatioClassifier, ID3Classifier
from algorithms.measures.partitions import (
    Partition,
    blocks,
    conditional_entropy,
    entropy,
    join,
    mutual_information,
    rokhlin_distance,
)
from algorithms.trees.arrays import NO_ATTRIBUTE
from algorithms.trees.costs import AVERAGE_DEPTH
from algorithms.trees.decision_tree import DecisionTree
from pipeline.grids.worked_examples.example import BuiltTree, Step, WorkedExample, printed_table, tree_steps, yes_or_no

SAME = 1e-9
"""Measures that differ by less are equal, so that rounding decides no choice."""


@dataclass(frozen=True)
class Search:
    """A builder of the slides: its class, and the measure by which a node chooses its attribute.

    measure : of the partitions of the node's rows by A and by Y, in bits. The attribute A with the greatest is chosen,
              the first of several. None: attributes are tested in one order, that of `_turns`
    """

    builder: str
    parameters: dict[str, float | bool]
    kind: Callable[..., TreeClassifier]
    measure_name: str = ""
    measure: Callable[[Partition, Partition], float] | None = None


def _gain_ratio(attribute: Partition, decision: Partition) -> float:
    return mutual_information(attribute, decision) / entropy(attribute)


def _did(ratio: float) -> Search:
    """DID with w1 / w2 = ratio; its score is least if H(A) w1 - H(Y | A) w2 is greatest."""
    name = "did" if ratio == 1 else f"did, w1/w2 = {ratio:g}"

    def measure(attribute: Partition, decision: Partition) -> float:
        return ratio * entropy(attribute) - conditional_entropy(decision, attribute)

    return Search(name, {"orthogonality_weight": ratio}, DIDClassifier, "w1 H(A) - w2 H(Y | A)", measure)


SEARCHES = (
    Search("id3", {}, ID3Classifier, "I(A; Y)", mutual_information),
    Search("gain_ratio", {}, GainRatioClassifier, "I(A; Y) / H(A)", _gain_ratio),
    _did(1.0),
    _did(0.25),
    *(
        Search(f"preprocess, w1/w2 = {ratio:g}", {"orthogonality_weight": ratio, "restricted": False}, DIDClassifier)
        for ratio in (1.0, 2.0)
    ),
)


def worked_example(name: str) -> WorkedExample:
    """Compute the example with this name."""
    data = printed_table(name)
    trees = [
        BuiltTree.of(search.builder, search.parameters, search.kind(**search.parameters).fit(data).tree_, data)
        for search in SEARCHES
    ]
    exact = BuiltTree.of("exact", {"cost": AVERAGE_DEPTH.name}, _exact_tree(data), data)
    steps = [*_partitions(data), *_chain_rule(data), *_orthogonality(data)]
    for search, built in zip(SEARCHES, trees, strict=True):
        if search.measure is None:
            steps += _turns(search, data)
        steps += [*_choices(search, built.tree, data), *tree_steps(built, data)]
        least = built.row["total_path_length"] == exact.row["total_path_length"]
        steps.append(Step(search.builder, "average depth is the exact minimum", yes_or_no(least)))
    return WorkedExample(data, (*steps, *tree_steps(exact, data)), (*trees, exact))


def _exact_tree(data: DataSet) -> DecisionTree:
    """A tree of least average depth over the rows, with equal rows merged into one weighted row."""
    table = decision_table(data, row_weights="multiplicity", distinct_attributes="keep")
    return SubtableGraph.of(table).optimal_tree(AVERAGE_DEPTH)


def _partitions(data: DataSet) -> Iterator[Step]:
    """The blocks by the class, by each attribute, by each two and by all, with rows counted from 1."""
    partitions = [("Y", data.decisions), *_named(data)]
    partitions += [(_joined(pair), join(*(column for _, column in pair))) for pair in combinations(_named(data), 2)]
    if len(data.columns) > 2:
        partitions.append((_joined(_named(data)), join(*(column for _, column in _named(data)))))
    for name, partition in partitions:
        in_order = sorted((np.asarray(block) + 1).tolist() for block in blocks(partition))
        words = " ".join("{" + ", ".join(map(str, block)) + "}" for block in in_order)
        yield Step("partition", f"by {name}", words)
        yield Step.of("partition", f"H({name})", entropy(partition))


def _chain_rule(data: DataSet) -> Iterator[Step]:
    """I(A1, …, An; Y) as the sum of what each attribute adds, less what is left once the class is known."""
    before: Partition = np.zeros(data.rows, np.int64)
    given, orthogonal, uncertain = "", 0.0, 0.0
    for name, column in _named(data):
        adds = conditional_entropy(column, before)
        left = conditional_entropy(column, join(before, data.decisions))
        yield Step.of("chain rule", f"H({name}{f' | {given}' if given else ''})", adds)
        yield Step.of("chain rule", f"H({name} | {f'{given}, ' if given else ''}Y)", left)
        before, given = join(before, column), f"{given}, {name}" if given else name
        orthogonal, uncertain = orthogonal + adds, uncertain + left
    yield Step.of("chain rule", "sum of the first less sum of the second", orthogonal - uncertain)
    yield Step.of("chain rule", f"I({given}; Y)", mutual_information(before, data.decisions))


def _orthogonality(data: DataSet) -> Iterator[Step]:
    """The two attributes that are furthest apart, those under each value of the first, and what they classify."""
    named = _named(data)
    columns = dict(named)
    distances = {
        (left, right): rokhlin_distance(columns[left], columns[right]) for left, right in combinations(columns, 2)
    }
    for (left, right), distance in distances.items():
        yield Step.of("orthogonality", f"Rokhlin distance of {left} and {right}", distance)
    pairs = [pair for pair, distance in distances.items() if distance >= max(distances.values()) - SAME]
    yield Step("orthogonality", "most orthogonal pair", "; ".join(", ".join(pair) for pair in pairs))
    for left, right in pairs:
        joined = join(columns[left], columns[right])
        yield Step("orthogonality", f"{left} v {right} classifies Y", _classifies(data.decisions, joined))
    root, column = named[0]
    for code, value in enumerate(data.attributes[0].labels):
        rows = column == code
        spread = {name: entropy(other[rows]) for name, other in named[1:]}
        most = [name for name, value_entropy in spread.items() if value_entropy >= max(spread.values()) - SAME]
        where = f"where {root} = {value}"
        yield Step("orthogonality", f"most orthogonal {where}", ", ".join(most))
        yield Step("orthogonality", f"one class {where}", yes_or_no(len(np.unique(data.decisions[rows])) == 1))


def _choices(search: Search, tree: DecisionTree, data: DataSet) -> Iterator[Step]:
    """At each nonterminal node, from the root down: the measure of each attribute that varies, and the chosen one."""
    where = _paths(tree, data)
    for node, rows in tree.rows_of_nodes(data.values()):
        tested = int(tree.attribute[node])
        if tested == NO_ATTRIBUTE:
            continue
        if search.measure is not None:
            for name, column in _named(data):
                if len(np.unique(column[rows])) > 1:
                    measure = search.measure(column[rows], data.decisions[rows])
                    quantity = f"{search.measure_name} of {name}, {where[node]}"
                    yield Step.of(search.builder, quantity, measure)
        yield Step(search.builder, f"asks, {where[node]}", data.attributes[tested].name)


def _turns(search: Search, data: DataSet) -> Iterator[Step]:
    """The order of the unrestricted variant on all rows: the score of each remaining attribute at each choice."""
    ratio = search.parameters["orthogonality_weight"]
    left, before = dict(_named(data)), ""
    current: Partition = np.zeros(data.rows, np.int64)
    while left and conditional_entropy(data.decisions, current) > SAME:
        scores = {
            name: ratio * rokhlin_distance(current, column) - conditional_entropy(data.decisions, column)
            for name, column in left.items()
        }
        after = f"after {before}" if before else "first"
        for name, score in scores.items():
            yield Step.of(search.builder, f"w1 Rokhlin - w2 H(Y | A) of {name}, {after}", score)
        chosen = next(name for name, score in scores.items() if score >= max(scores.values()) - SAME)
        yield Step(search.builder, f"next, {after}", chosen)
        current, before = join(current, left.pop(chosen)), f"{before}, {chosen}" if before else chosen


def _paths(tree: DecisionTree, data: DataSet) -> list[str]:
    """The rows of each node, as text."""
    path: list[list[str]] = [[] for _ in range(tree.nodes)]
    for node in range(tree.nodes):
        edges = tree.edges_of(node)
        for code, child in zip(tree.edge_code[edges].tolist(), tree.edge_to[edges].tolist(), strict=True):
            attribute = data.attributes[int(tree.attribute[node])]
            path[child] = [*path[node], f"{attribute.name} = {attribute.labels[code]}"]
    return [f"where {' and '.join(steps)}" if steps else "all rows" for steps in path]


def _named(data: DataSet) -> list[tuple[str, Partition]]:
    return [(attribute.name, column) for attribute, column in zip(data.attributes, data.columns, strict=True)]  # type: ignore[misc]


def _joined(named: Iterable[tuple[str, Partition]]) -> str:
    return " v ".join(name for name, _ in named)


def _classifies(decisions: Partition, partition: Partition) -> str:
    """Whether each block has one class."""
    return yes_or_no(all(len(np.unique(decisions[block])) == 1 for block in blocks(partition)))
