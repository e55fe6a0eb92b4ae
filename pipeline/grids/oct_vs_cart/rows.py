"""The result rows of a split at a depth: CART or OCT, tuned on the same validation rows, and tested."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from algorithms.data.attributes.binary import NO_YES
from algorithms.data.data_set import MISSING, Attribute, AttributeKind, DataSet
from algorithms.induction.tuned_cart import pruned_cart, tuned_cart
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance, fewest_rows
from algorithms.optimal.solution import Effort, Solution
from algorithms.optimal.tuned_oct import tuned_oct
from algorithms.pruning.complexity_tuning import Tuned
from algorithms.trees.decision_tree import DecisionTree
from pipeline.data.protocols import drawn_seed
from pipeline.grammar.axes import Item, once
from pipeline.grammar.cells import Made
from pipeline.grammar.whole_sources import labels_of, measured, proof_of, rehearsal_sets
from pipeline.grids.oct_vs_cart.grid import CART, OctVsCartGrid


class Fitted(NamedTuple):
    """A tree, the rows it was grown from, how its alpha was tuned and, for a search, what it proved."""

    tree: DecisionTree
    train: DataSet
    tuned: Tuned
    solution: Solution | None
    work: int | None


class SplitRows(NamedTuple):
    """Dummy-coded rows: training, validation and test rows, and training with validation rows."""

    train: DataSet
    validation: DataSet
    test: DataSet
    both: DataSet


@once("source")
def coded(grid: OctVsCartGrid, item: Item) -> DataSet:
    """The complete rows of a source, dummy-coded."""
    return dummy_attributes(grid.selected_rows(item).data)


@once("source", "repeat")
def split_rows(grid: OctVsCartGrid, item: Item) -> SplitRows:
    """The rows of a split."""
    split, data = grid.split(item), coded(grid, item)
    both = np.sort(np.concatenate([split.train, split.validation]))
    return SplitRows(*(data.take(rows) for rows in (split.train, split.validation, split.test, both)))


def facts(grid: OctVsCartGrid, item: Item) -> dict[str, Any]:
    """The columns known about a split before anything is fitted."""
    grid.split(item)
    data = coded(grid, item)
    return {"attributes": len(data.attributes), "classes": len(np.unique(data.decisions))}


def cell(grid: OctVsCartGrid, item: Item, method: str) -> Made:
    """The tree of CART or OCT on a split at a depth, its measures, and its tuning."""
    rows = split_rows(grid, item)
    began = time.perf_counter()
    fitted = _cart(grid, item, rows) if method == CART else _oct(grid, item, rows)
    built = time.perf_counter()
    predicted = fitted.tree.predict(rows.test.values())
    ended = time.perf_counter()
    chosen = fitted.tuned.chosen
    measures = {
        **measured(fitted.tree, fitted.train, built - began),
        "test_rows": rows.test.rows,
        "test_accuracy": float(np.mean(predicted == rows.test.decisions)),
        "predict_seconds": ended - built,
        **({} if fitted.solution is None else proof_of(fitted.solution)),
    }
    tuning = {
        "rows": coded(grid, item).rows,
        "validation_rows": rows.validation.rows,
        "validation_accuracy": fitted.tuned.validation_accuracy,
        "candidates": len(fitted.tuned.candidates),
        "alpha": chosen.alpha,
        "alpha_low": chosen.low,
        "alpha_high": chosen.high,
        "work": fitted.work,
    }
    return Made(measures, lambda: (fitted.tree, labels_of(fitted.train)), {"tunings": [measures | tuning]})


def trained(grid: OctVsCartGrid, item: Item) -> DataSet:
    """The training rows of an item."""
    return split_rows(grid, item).train


def rehearsals(grid: OctVsCartGrid, _: Sequence[Item], __: Sequence[str]) -> Iterable[Callable[[], object]]:
    """Run the search on eight rows at each depth, with binary attributes and with numeric ones."""
    for few in rehearsal_sets():
        data, weights = few.take(np.arange(8)), np.ones(8)
        for depth in grid.depths:
            instance = Instance(data, weights, max_depth=depth)
            yield partial(tuned_oct, instance, data, weights, Effort(work=grid.work_limit))


def _cart(grid: OctVsCartGrid, item: Item, rows: SplitRows) -> Fitted:
    growth = partial(
        DecisionTreeClassifier,
        max_depth=item.max_depth,
        min_samples_leaf=grid.min_rows_leaf,
        random_state=drawn_seed(grid.seed, item.source.seed_name, item.repeat),
    )
    tuned = tuned_cart(rows.train, rows.validation, growth)
    if not grid.refit:
        return Fitted(tuned.chosen.tree, rows.train, tuned, None, None)
    return Fitted(pruned_cart(rows.both, np.ones(rows.both.rows), growth, tuned.alpha), rows.both, tuned, None, None)


def _oct(grid: OctVsCartGrid, item: Item, rows: SplitRows) -> Fitted:
    effort = Effort(work=grid.work_limit)
    instance = _instance(grid, item.max_depth, rows.train)
    tuned, solution = tuned_oct(instance, rows.validation, np.ones(rows.validation.rows), effort)
    if not grid.refit:
        return Fitted(solution.tree, rows.train, tuned, solution, solution.work)
    refitted = solve(_instance(grid, item.max_depth, rows.both, tuned.alpha), effort)
    return Fitted(refitted.tree, rows.both, tuned, refitted, solution.work + refitted.work)


def _instance(grid: OctVsCartGrid, max_depth: int, data: DataSet, alpha: float = 0.0) -> Instance:
    fewest = fewest_rows(grid.min_rows_leaf, data.rows)
    return Instance(data, np.ones(data.rows), max_depth=max_depth, min_samples_leaf=fewest, alpha=alpha)


def dummy_attributes(data: DataSet) -> DataSet:
    """Replace each nominal attribute by one binary attribute for every label but the first; numeric attributes stay.

    Labels that no row has are ignored. An attribute of k labels becomes k - 1 attributes named `name=label`. An
    attribute of two labels stays as it is, without labels that no row has, and one of a single label is dropped. A
    missing value is missing in all attributes that replace its own. So are the data sets coded that OCT was compared on
    (Li, *Optimal Decision Tree*).
    """
    attributes, columns = [], []
    for attribute, column in zip(data.attributes, data.columns, strict=True):
        if attribute.kind is AttributeKind.NUMERIC:
            attributes.append(attribute)
            columns.append(column)
            continue
        present = np.unique(column[column != MISSING]).tolist()
        labels = [attribute.labels[code] for code in present]
        for code, label in zip(present[1:], labels[1:], strict=True):
            binary = np.where(column == MISSING, MISSING, column == code).astype(np.int32)
            same = Attribute(attribute.name, attribute.kind, (labels[0], labels[1]))
            dummy = Attribute(f"{attribute.name}={label}", attribute.kind, NO_YES)
            attributes.append(same if len(present) == 2 else dummy)
            columns.append(binary)
    return replace(data, attributes=tuple(attributes), columns=tuple(columns))
