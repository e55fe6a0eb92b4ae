"""What a worker makes of a split: every builder fitted on the training rows and held against the test rows."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from algorithms.attributes.one_hot import OneHot
from algorithms.data_set import MISSING, DataSet
from pipeline.builders import Builder
from pipeline.data.preparation import Preparation, unseen_values
from pipeline.data.protocols import ProtocolError, Split, drawn_seed
from pipeline.errors import ConfigError
from pipeline.grammar.comparison.columns import CLASSES, CURVES
from pipeline.grammar.measures import costs_of, proof
from pipeline.grammar.splits import PartedSet
from pipeline.grid import RESULTS_TABLE, RebuiltTree
from pipeline.schema import HELD_RESULTS
from pipeline.work.losses import CELL_ERRORS, loss_of
from pipeline.work.plugin_process import clock

if TYPE_CHECKING:
    from pipeline.grammar.comparison.grid import CompareBuildersGrid

__all__ = ["failure_rows", "rebuilt_tree", "rehearse", "rows_of_split"]

Rows = Sequence[dict[str, Any]]
Labels = NDArray[np.str_]

REHEARSAL_ROWS = 60
WHOLE = 1e-6
"""How near a total path length is to a whole number where the shares of each row add up to one way."""


def rows_of_split(grid: CompareBuildersGrid, parted: PartedSet, repeat: int, fold: int) -> dict[str, pa.Table]:
    """A row for each builder, each class and each generation; what fails is a row that says so."""
    try:
        split = grid.protocol.split(parted.split_source, grid.seed, repeat, fold)
    except ProtocolError as error:
        return failure_rows(grid, parted.called, repeat, fold, "failed", str(error))
    seed = drawn_seed(grid.seed, parted.split_source.name, repeat, fold)
    prepared: dict[Preparation, tuple[DataSet, DataSet, float]] = {}
    results, classes, curves = [], [], []
    for builder in grid.builders:
        row = _called(parted.called, repeat, fold, builder)
        counts = {"rows": len(split.train), "test_rows": len(split.test)}
        try:
            if builder.preparation not in prepared:
                began = time.perf_counter()
                ready = builder.prepared(parted.data, split)
                prepared[builder.preparation] = (*ready, time.perf_counter() - began)
            train, test, seconds = prepared[builder.preparation]
            _, measures, by_class, by_generation = _trial(builder, train, test, seed)
            if builder.preparation.attributes == "of_tree":  # then growing that tree is part of building
                measures["build_seconds"] += seconds
        except CELL_ERRORS as error:
            results.append(row | counts | asdict(loss_of(error)))
        else:
            results.append(row | counts | measures)
            named = {name: value for name, value in row.items() if name != "parameters"}
            classes += [named | found for found in by_class]
            curves += [named | found for found in by_generation]
    return _tables(grid, results, classes, curves)


def rebuilt_tree(grid: CompareBuildersGrid, builder: Builder, parted: PartedSet, repeat: int, fold: int) -> RebuiltTree:
    """The tree of a builder of trees on a split, with the measures of its row; LostError where it is lost."""
    try:
        split = grid.protocol.split(parted.split_source, grid.seed, repeat, fold)
    except ProtocolError as error:
        raise ConfigError(str(error)) from error
    train, test = builder.prepared(parted.data, split)
    seed = drawn_seed(grid.seed, parted.split_source.name, repeat, fold)
    classifier, measures, _, _ = _trial(builder, train, test, seed)
    counts = {"rows": len(split.train), "test_rows": len(split.test)}
    return RebuiltTree(classifier.tree_, classifier.labels_, counts | measures)


def failure_rows(
    grid: CompareBuildersGrid, called: dict[str, str], repeat: int, fold: int, status: str, error: str
) -> dict[str, pa.Table]:
    """The rows of a split that could not be worked, of a source called so: they say why, and hold no measures."""
    said = {"status": status, "error": error}
    return _tables(grid, [_called(called, repeat, fold, builder) | said for builder in grid.builders])


def rehearse(grid: CompareBuildersGrid, parted: PartedSet, *, own: bool = False) -> None:
    """Fit and predict on a few rows with each class that has kernels, so that no time is that of compiling them.

    own : only those that are not of plugins
    """
    rows = np.unique(np.linspace(0, parted.data.rows - 1, REHEARSAL_ROWS).astype(np.int64))
    for builder in {(one.class_path, one.preparation): one for one in grid.builders if one.compiles}.values():
        if own and not builder.own:
            continue
        try:
            train, test = builder.prepared(parted.data, Split(rows, rows))
            _trial(builder, train, test, grid.seed)
        except KeyboardInterrupt:
            if own:  # in the driver it is a person's; workers ignore Ctrl-C, so there a builder raised it
                raise
        except (Exception, SystemExit):  # noqa: S112 - few rows may lack what a builder needs; the trial itself tells
            continue


def _trial(builder: Builder, train: DataSet, test: DataSet, seed: int) -> tuple[Any, dict[str, Any], Rows, Rows]:
    """A builder that has learnt from some rows, and its measures on them and others, of each class and generation."""
    learnt, again, asked = _given(builder, train), _given(builder, train, MISSING), _given(builder, test, MISSING)
    classifier = builder.made(seed)
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
    }
    measures |= _costs(builder, classifier, train) | proof(builder, classifier)
    return classifier, measures, _classes(predicted, test), _curve(classifier)


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


def _called(called: dict[str, str], repeat: int, fold: int, builder: Builder) -> dict[str, Any]:
    return {**called, "repeat": repeat, "fold": fold, "builder": builder.name, "parameters": builder.parameters}


def _tables(grid: CompareBuildersGrid, results: Rows, classes: Rows = (), curves: Rows = ()) -> dict[str, pa.Table]:
    """The tables that the grid has of these rows."""
    made = {RESULTS_TABLE: (results, HELD_RESULTS), "classes": (classes, CLASSES), "curves": (curves, CURVES)}
    return {name: pa.Table.from_pylist(list(made[name][0]), schema=made[name][1]) for name in grid.tables}
