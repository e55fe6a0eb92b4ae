"""What a worker makes of a split: every builder fitted on the training rows and held against the test rows."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.attributes.one_hot import OneHot
from algorithms.data_set import MISSING, DataSet
from pipeline.builders import Builder
from pipeline.data.preparation import Preparation, unseen_values
from pipeline.data.protocols import Split
from pipeline.grammar.cells import Made
from pipeline.grammar.costs import costs_of
from pipeline.grammar.whole_sources import proof
from pipeline.work.plugin_process import clock

__all__ = ["made", "rehearsals"]

Rows = Sequence[dict[str, Any]]
Labels = NDArray[np.str_]
Prepared = dict[Preparation, tuple[DataSet, DataSet, float]]
"""The rows that train and those that test as each preparation leaves them, and the seconds that it took."""

REHEARSAL_ROWS = 60
WHOLE = 1e-6
"""How near a total path length is to a whole number where the shares of each row add up to one way."""


def made(builder: Builder, data: DataSet, split: Split, seed: int, prepared: Prepared) -> Made:
    """A builder on a split of some rows; `prepared` has the split as the builders before it had it prepared."""
    preparation = builder.preparation
    if preparation not in prepared:
        began = time.perf_counter()
        ready = preparation.prepared(data, split)
        prepared[preparation] = (*ready, time.perf_counter() - began)
    train, test, seconds = prepared[preparation]
    found = _trial(builder, train, test, seed)
    if preparation.attributes == "of_tree":  # then growing that tree is part of building
        found.measures["build_seconds"] += seconds
    return found


def rehearsals(sets: Iterable[DataSet], builders: Sequence[Builder], seed: int) -> Iterable[Callable[[], object]]:
    """Fit and predict on a few rows with each class that has kernels, so that no time is that of compiling them."""
    classes = {(one.class_path, one.preparation): one for one in builders if one.compiles}
    for data in sets if classes else ():
        for builder in classes.values():
            yield partial(_try_few_rows, data, builder, seed)


def _try_few_rows(data: DataSet, builder: Builder, seed: int) -> None:
    rows = np.unique(np.linspace(0, data.rows - 1, REHEARSAL_ROWS).astype(np.int64))
    _trial(builder, *builder.preparation.prepared(data, Split(rows, rows)), seed)


def _trial(builder: Builder, train: DataSet, test: DataSet, seed: int) -> Made:
    """A builder that has learnt from some rows, and its measures on them and others, of each class and generation."""
    learnt, again, asked = _given(builder, train), _given(builder, train, MISSING), _given(builder, test, MISSING)
    classifier: Any = builder.made(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as of a search that ends by its limit: its result is what is measured
        began = clock()
        if isinstance(learnt, DataSet):
            classifier.fit(learnt)
        else:
            classifier.fit(learnt, _labels(train))
        built = clock()
        predicted = _as_labels(classifier.predict(asked), test)
        ended = clock()
        recalled = _as_labels(classifier.predict(again), train)
    measures = {
        "unseen_values": unseen_values(train, test),
        "train_accuracy": float(np.mean(recalled == _labels(train))),
        "test_accuracy": float(np.mean(predicted == _labels(test))),
        "build_seconds": built - began,
        "predict_seconds": ended - built,
        "status": "ok",
        **_costs(builder, classifier, train),
        **proof(builder, classifier),
    }
    more = {"classes": _classes(predicted, test), "curves": _curve(classifier)}
    return Made(measures, lambda: (classifier.tree_, classifier.labels_), more)


def _given(builder: Builder, data: DataSet, decision: int | None = None) -> DataSet | NDArray[np.float64]:
    """What a builder gets, in memory of its own that it may write to; every class is `decision` if that is given."""
    if builder.preparation.encoding == "one_hot":
        return OneHot.of(data.attributes).matrix(data)
    decisions = data.decisions.copy() if decision is None else np.full(data.rows, decision, np.int32)
    return replace(data, columns=tuple(column.copy() for column in data.columns), decisions=decisions)


def _labels(data: DataSet) -> Labels:
    return np.asarray(data.classes)[data.decisions]


def _as_labels(predicted: Any, data: DataSet) -> Labels:
    found = np.asarray(predicted)
    if found.shape != (data.rows,):
        msg = f"predict gave an array of shape {found.shape} for {data.rows} rows: expected a label for each"
        raise ValueError(msg)
    known = set(data.classes)
    strange = [label for label in found.tolist() if not isinstance(label, str) or label not in known]
    if strange:
        msg = (
            f"predict gave {strange[0]!r}, and {len(strange)} in all of {data.rows} that are no class: expected some "
            f"of the texts {', '.join(map(repr, data.classes[:9]))}"
        )
        raise ValueError(msg)
    return found.astype(str)


def _costs(builder: Builder, classifier: Any, train: DataSet) -> dict[str, Any]:
    """The costs over its training rows of the tree that was built, if it is one."""
    if not builder.grows_tree:
        return {}
    costs = classifier.costs(train)
    measures = costs_of(costs)
    length = round(costs.total_path_length)
    measures["total_path_length"] = length if abs(costs.total_path_length - length) < WHOLE else None
    return measures


def _classes(predicted: Labels, test: DataSet) -> Rows:
    """Counts and measures of each class that test rows have or are predicted to have."""
    labels, rows = _labels(test), []
    for label in test.classes:
        support, said = int(np.count_nonzero(labels == label)), int(np.count_nonzero(predicted == label))
        correct = int(np.count_nonzero((labels == label) & (predicted == label)))
        if support or said:
            rows.append(
                {
                    "class": label,
                    "support": support,
                    "predicted": said,
                    "correct": correct,
                    "precision": correct / said if said else None,
                    "recall": correct / support if support else None,
                    "f1": 2 * correct / (support + said),
                }
            )
    return rows


def _curve(classifier: Any) -> Rows:
    """Best and mean fitness of each generation, if the fitted builder has a history of them."""
    history = getattr(classifier, "history_", None)
    if history is None:
        return []
    fitness = zip(history.best.tolist(), history.mean.tolist(), strict=True)
    return [{"generation": number, "best": best, "mean": mean} for number, (best, mean) in enumerate(fitness)]
