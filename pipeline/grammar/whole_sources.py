"""All rows of a source that have a class, the trees grown from them, and what a search proved about a tree."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any, cast

import numpy as np

from algorithms.data.attributes.binary import NO_YES, binary_attributes
from algorithms.data.data_set import MISSING, Attribute, AttributeKind, DataSet
from algorithms.data.table import Labels
from algorithms.estimators.tree_classifier import TreeClassifier
from algorithms.optimal.optimal_classifier import ProvenTreeClassifier
from algorithms.optimal.solution import Solution, Status
from algorithms.trees.decision_tree import DecisionTree
from pipeline.builders import Builder
from pipeline.data.preparation import Preparation
from pipeline.data.sources import Source
from pipeline.work.plugin_process import clock


def labelled(source: Source) -> DataSet:
    """The rows of a source that have a class."""
    data = source.load().part(source.part)
    return data.take(data.decisions != MISSING)


def complete(source: Source) -> DataSet:
    """The rows of a source that have a class. Missing values are filled with the most common label or the mean."""
    return Preparation(missing="fill").whole(labelled(source))


def with_two_branches(source: Source, *, bins: int | None) -> DataSet:
    """The complete rows with two-valued and numeric attributes only, and the classes that occur.

    Each label becomes an attribute, that label against all others. A number stays a number or is first cut into `bins`
    intervals; see `algorithms.data.attributes.binary`. So every builder chooses from the same tests.
    """
    data = complete(source)
    present, decisions = np.unique(data.decisions, return_inverse=True)
    classes = tuple(data.classes[code] for code in present)
    return binary_attributes(replace(data, classes=classes, decisions=decisions.astype(np.int32)), bins=bins)


def fitted_tree(builder: Builder, data: DataSet, seed: int) -> tuple[TreeClassifier, dict[str, Any]]:
    """Fit a builder of trees to rows; return it with the measures of its tree on these rows."""
    made = builder.made(seed)
    began = clock()
    classifier = cast("TreeClassifier", made.fit(data))
    seconds = clock() - began
    return classifier, measured(classifier.tree_, data, seconds)


def measured(tree: DecisionTree, data: DataSet, seconds: float) -> dict[str, Any]:
    """The measures of a tree on the rows that it was built from in this many seconds."""
    values = data.values()
    costs = tree.costs_of_rows(values)
    return asdict(costs) | {
        "total_path_length": round(costs.total_path_length),
        "rows": data.rows,
        "train_accuracy": float(np.mean(tree.predict(values) == data.decisions)),
        "build_seconds": seconds,
        "status": "ok",
    }


def rehearsal_sets() -> tuple[DataSet, DataSet]:
    """Two sets of forty rows to compile and load kernels with: two-valued attributes only, and one beside numbers."""
    rng = np.random.default_rng(0)
    codes, numbers = rng.integers(0, 2, (4, 40), np.int32), rng.random((2, 40))
    nominal = [Attribute(f"c{index}", AttributeKind.NOMINAL, NO_YES) for index in range(len(codes))]
    numeric = [Attribute(f"x{index}", AttributeKind.NUMERIC) for index in range(len(numbers))]
    decisions = rng.integers(0, 2, 40).astype(np.int32)
    binary = DataSet(tuple(nominal), tuple(codes), ("0", "1"), decisions)
    mixed = DataSet((*nominal[:1], *numeric), (codes[0], *numbers), ("0", "1"), decisions)
    return binary, mixed


def labels_of(data: DataSet) -> Labels:
    """The labels behind the codes in the rows, and in a tree built from them."""
    return Labels.of(data.attributes, data.classes)


def proof(builder: Builder, classifier: Any) -> dict[str, Any]:
    """What the search behind a fitted builder proved about its tree; empty if there was no search."""
    return proof_of(classifier.solution_) if builder.extends(ProvenTreeClassifier) else {}


def proof_of(solution: Solution) -> dict[str, Any]:
    """What a search proved. If a limit of time or memory ended it, the row has that status.

    A limit of work gives the same tree on every machine, so such a row stays ok.
    """
    ended: dict[str, Any] = {}
    if solution.status in {Status.TIME_LIMIT, Status.MEMORY_LIMIT}:
        instead = "to get the same tree on any machine, limit the work instead of the time"
        why = f"a tree with an objective up to {solution.gap:.1%} lower may exist; {instead}"
        ended = {"status": str(solution.status), "error": why}
    return ended | {"optimal": solution.optimal, "objective": solution.objective, "bound": solution.bound}
