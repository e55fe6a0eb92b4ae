"""The result rows of a split: every builder is fitted to the training rows and tested on the test rows."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.data.attributes.one_hot import OneHot
from algorithms.data.data_set import MISSING, DataSet
from pipeline.builders import Builder
from pipeline.data.preparation import Preparation, unseen_values
from pipeline.data.protocols import Split
from pipeline.grammar.cells import Made
from pipeline.grammar.whole_sources import proof
from pipeline.work.plugin_process import clock

Rows = Sequence[dict[str, Any]]
Labels = NDArray[np.str_]
Prepared = dict[Preparation, tuple[DataSet, DataSet, float]]
"""Training and test rows after each preparation, and the seconds it took."""

REHEARSAL_ROWS = 60
WHOLE = 1e-6
"""A total path length this close to a whole number is rounded to it, if the shares of each row add up to 1."""


def made(builder: Builder, data: DataSet, split: Split, seed: int, prepared: Prepared) -> Made:
    """Fit and test a builder on a split of some rows; `prepared` caches the split for each preparation."""
    preparation = builder.preparation
    if preparation not in prepared:
        began = time.perf_counter()
        train_and_test = preparation.prepared(data, split)
        prepared[preparation] = (*train_and_test, time.perf_counter() - began)
    train, test, seconds = prepared[preparation]
    result = _trial(builder, train, test, seed)
    if preparation.attributes == "of_tree":  # growing that tree is then part of building
        result.measures["build_seconds"] += seconds
    return result


def rehearsals(sets: Iterable[DataSet], builders: Sequence[Builder], seed: int) -> Iterable[Callable[[], object]]:
    """Fit and predict on a few rows with each class that has kernels, so that no time includes compiling them."""
    classes = {(builder.class_path, builder.preparation): builder for builder in builders if builder.compiles}
    for data in sets if classes else ():
        for builder in classes.values():
            yield partial(_try_few_rows, data, builder, seed)


def _try_few_rows(data: DataSet, builder: Builder, seed: int) -> None:
    rows = np.unique(np.linspace(0, data.rows - 1, REHEARSAL_ROWS).astype(np.int64))
    _trial(builder, *builder.preparation.prepared(data, Split(rows, rows)), seed)


def _trial(builder: Builder, train: DataSet, test: DataSet, seed: int) -> Made:
    """Fit a builder to some rows, and measure it on them and on others, for each class and generation."""
    learnt, recall, unknown = _given(builder, train), _given(builder, train, MISSING), _given(builder, test, MISSING)
    classifier: Any = builder.made(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # for example that a search reached its limit: its result is measured
        began = clock()
        if isinstance(learnt, DataSet):
            classifier.fit(learnt)
        else:
            classifier.fit(learnt, _labels(train))
        built = clock()
        predicted = _as_labels(classifier.predict(unknown), test)
        ended = clock()
        recalled = _as_labels(classifier.predict(recall), train)
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
    """What a builder receives, in memory of its own that it may change; every class is `decision` if that is given."""
    if builder.preparation.encoding == "one_hot":
        return OneHot.of(data.attributes).matrix(data)
    decisions = data.decisions.copy() if decision is None else np.full(data.rows, decision, np.int32)
    return replace(data, columns=tuple(column.copy() for column in data.columns), decisions=decisions)


def _labels(data: DataSet) -> Labels:
    return np.asarray(data.classes)[data.decisions]


def _as_labels(predicted: Any, data: DataSet) -> Labels:
    """What a builder predicted for some rows, as an array of labels; ValueError unless each is a class."""
    labels = np.asarray(predicted)
    if labels.shape != (data.rows,):
        raise ValueError(
            f"`predict` returned an array of shape {labels.shape} for {data.rows} rows: expected a label for each row"
        )
    classes = set(data.classes)
    strange = [label for label in labels.tolist() if not isinstance(label, str) or label not in classes]
    if strange:
        raise ValueError(
            f"`predict` returned {strange[0]!r}; {len(strange)} of {data.rows} values are not a class: expected the "
            f"text of a class, such as {', '.join(map(repr, data.classes[:9]))}"
        )
    return labels.astype(str)


def _costs(builder: Builder, classifier: Any, train: DataSet) -> dict[str, Any]:
    """The costs of the grown tree over its training rows, if there is one."""
    if not builder.grows_tree:
        return {}
    costs = classifier.costs(train)
    measures = asdict(costs)
    length = round(costs.total_path_length)
    measures["total_path_length"] = length if abs(costs.total_path_length - length) < WHOLE else None
    return measures


def _classes(predicted: Labels, test: DataSet) -> Rows:
    """Counts and measures of each class that test rows have or are predicted to have."""
    labels, rows = _labels(test), []
    for label in test.classes:
        support, predictions = int(np.count_nonzero(labels == label)), int(np.count_nonzero(predicted == label))
        correct = int(np.count_nonzero((labels == label) & (predicted == label)))
        if support or predictions:
            rows.append(
                {
                    "class": label,
                    "support": support,
                    "predicted": predictions,
                    "correct": correct,
                    "precision": correct / predictions if predictions else None,
                    "recall": correct / support if support else None,
                    "f1": 2 * correct / (support + predictions),
                }
            )
    return rows


def _curve(classifier: Any) -> Rows:
    """Best and mean fitness of each generation, if the fitted builder records a history."""
    history = getattr(classifier, "history_", None)
    if history is None:
        return []
    fitness = zip(history.best.tolist(), history.mean.tolist(), strict=True)
    return [{"generation": number, "best": best, "mean": mean} for number, (best, mean) in enumerate(fitness)]
