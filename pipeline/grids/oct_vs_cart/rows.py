"""What a worker makes of a split at a depth: CART and OCT, both tuned on the same validation rows, and tested."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from algorithms.attributes.dummy import dummy_attributes
from algorithms.complexity_tuning import Tuned
from algorithms.costs import Costs
from algorithms.data_set import Attribute, AttributeKind, DataSet
from algorithms.induction.tuned_cart import Growth, pruned_cart, tuned_cart
from algorithms.optimal.instance import Instance, fewest_rows
from algorithms.optimal.search import solve
from algorithms.optimal.solution import Effort, Solution
from algorithms.optimal.tuned_oct import tuned_oct
from algorithms.tree import DecisionTree
from pipeline.data.protocols import ProtocolError, Split, drawn_seed
from pipeline.data.sources import Source
from pipeline.grammar.comparison.rows import PartedSet, proof_of
from pipeline.grid import RESULTS_TABLE, RebuiltTree
from pipeline.grids.oct_vs_cart.columns import TUNINGS
from pipeline.grids.oct_vs_cart.grid import CART, METHODS
from pipeline.grids.worked_examples.working import labels_of
from pipeline.schema import HELD_RESULTS
from pipeline.work.losses import CELL_ERRORS, loss_of

if TYPE_CHECKING:
    from pipeline.grids.oct_vs_cart.grid import OctVsCartGrid, Trial

__all__ = ["failed_rows", "rebuilt_tree", "rehearse", "rows_of_trials", "split_rows", "tables_of"]

Row = dict[str, Any]


class Fitted(NamedTuple):
    """A tree, the rows that it was made from, how its alpha was tuned, and of a search what it proved."""

    tree: DecisionTree
    train: DataSet
    tuned: Tuned
    solution: Solution | None
    work: int | None


def rows_of_trials(grid: OctVsCartGrid, source: Source, trials: Sequence[Trial]) -> list[Row]:
    """The rows of trials of a source, with the columns of results and of tunings; what fails is a row that says so."""
    parted = _coded(grid, source)
    counted = {"attributes": len(parted.data.attributes), "classes": len(np.unique(parted.data.decisions))}
    rows = []
    for trial in trials:
        try:
            split = grid.protocol.split(parted.split_source, grid.seed, trial.repeat, 1)
        except ProtocolError as error:
            rows += failed_rows(grid, parted.called, trial, "failed", str(error))
            continue
        for place, method in enumerate(METHODS):
            named = _named(grid, parted.called, trial, method) | counted
            if loss := grid.losses.get(place):
                rows.append(named | asdict(loss))
                continue
            try:
                rows.append(named | _trial(grid, parted, split, trial, method)[1])
            except CELL_ERRORS as error:
                rows.append(named | asdict(loss_of(error)))
    return rows


def rebuilt_tree(grid: OctVsCartGrid, source: Source, trial: Trial, method: str) -> RebuiltTree:
    """The tree of a method in a trial, with the measures of its row."""
    parted = _coded(grid, source)
    split = grid.protocol.split(parted.split_source, grid.seed, trial.repeat, 1)
    found, measures = _trial(grid, parted, split, trial, method)
    return RebuiltTree(found.tree, labels_of(found.train), measures)


def split_rows(grid: OctVsCartGrid, source: Source, repeat: int) -> tuple[DataSet, DataSet, DataSet]:
    """The rows of a repeat that train, that tune and that test, dummy-coded."""
    parted = _coded(grid, source)
    return _taken(parted.data, grid.protocol.split(parted.split_source, grid.seed, repeat, 1))


def failed_rows(grid: OctVsCartGrid, called: Mapping[str, str], trial: Trial, status: str, error: str) -> list[Row]:
    """The rows of a trial that could not be worked: they say so, and hold no measures."""
    return [_named(grid, called, trial, method) | {"status": status, "error": error} for method in METHODS]


def tables_of(rows: Sequence[Row]) -> dict[str, pa.Table]:
    """The tables of the grid; the rows of a data set are counted in the tunings, those trained on in the results."""
    tunings = [row | {"rows": row.get("all_rows")} for row in rows]
    return {
        RESULTS_TABLE: pa.Table.from_pylist(list(rows), schema=HELD_RESULTS),
        "tunings": pa.Table.from_pylist(tunings, schema=TUNINGS),
    }


def rehearse(grid: OctVsCartGrid) -> None:
    """Compile or load the kernels of the search, of binary attributes and of numeric ones, by way of eight rows."""
    codes = np.arange(8, dtype=np.int32)
    bits = (codes % 2, codes // 2 % 2, codes // 4)
    binary = tuple(Attribute(f"bit {place}", AttributeKind.NOMINAL, ("no", "yes")) for place in range(len(bits)))
    numeric = Attribute("number", AttributeKind.NUMERIC)
    for attributes, columns in ((binary, bits), ((*binary, numeric), (*bits, codes.astype(np.float64)))):
        data = DataSet(attributes, columns, ("0", "1"), (codes * 5 % 8 > 2).astype(np.int32))
        for depth in grid.depths:
            tuned_oct(Instance(data, np.ones(8), max_depth=depth), data, np.ones(8), Effort(work=grid.work_limit))


def _coded(grid: OctVsCartGrid, source: Source) -> PartedSet:
    """The complete rows of a source, dummy-coded."""
    parted = PartedSet.of(grid, source, source.load())
    return PartedSet(parted.called, dummy_attributes(parted.data), parted.split_source)


def _taken(data: DataSet, split: Split) -> tuple[DataSet, DataSet, DataSet]:
    return data.take(split.train), data.take(split.validation), data.take(split.test)


def _trial(grid: OctVsCartGrid, parted: PartedSet, split: Split, trial: Trial, method: str) -> tuple[Fitted, Row]:
    """The tree of a method on a split, and its measures."""
    train, validation, test = _taken(parted.data, split)
    both = parted.data.take(np.sort(np.concatenate([split.train, split.validation])))
    began = time.perf_counter()
    if method == CART:
        seed = drawn_seed(grid.seed, parted.split_source.name, trial.repeat)
        found = _cart(
            Growth(trial.max_depth, grid.min_rows_leaf, seed), train, validation, both if grid.refit else None
        )
    else:
        found = _oct(grid, trial.max_depth, train, validation, both if grid.refit else None)
    built = time.perf_counter()
    predicted = found.tree.predict(test.values())
    ended = time.perf_counter()
    values = found.train.values()
    costs = found.tree.costs_of_rows(values)
    measures: Row = {field.name: getattr(costs, field.name) for field in fields(Costs)}
    chosen = found.tuned.chosen
    return found, measures | {
        "total_path_length": round(costs.total_path_length),
        "rows": found.train.rows,
        "test_rows": test.rows,
        "all_rows": parted.data.rows,
        "train_accuracy": float(np.mean(found.tree.predict(values) == found.train.decisions)),
        "test_accuracy": float(np.mean(predicted == test.decisions)),
        "build_seconds": built - began,
        "predict_seconds": ended - built,
        "validation_rows": validation.rows,
        "validation_accuracy": found.tuned.validation_accuracy,
        "candidates": len(found.tuned.candidates),
        "alpha": chosen.alpha,
        "alpha_low": chosen.low,
        "alpha_high": chosen.high,
        "work": found.work,
        "status": "ok",
        **({} if found.solution is None else proof_of(found.solution)),
    }


def _cart(growth: Growth, train: DataSet, validation: DataSet, again: DataSet | None) -> Fitted:
    tuned = tuned_cart(train, validation, growth)
    if again is None:
        return Fitted(tuned.chosen.tree, train, tuned, None, None)
    return Fitted(pruned_cart(again, np.ones(again.rows), growth, tuned.alpha), again, tuned, None, None)


def _oct(grid: OctVsCartGrid, max_depth: int, train: DataSet, validation: DataSet, again: DataSet | None) -> Fitted:
    effort = Effort(work=grid.work_limit)
    instance = _instance(grid, max_depth, train)
    tuned, solution = tuned_oct(instance, validation, np.ones(validation.rows), effort)
    if again is None:
        return Fitted(solution.tree, train, tuned, solution, solution.work)
    found = solve(_instance(grid, max_depth, again, tuned.alpha), effort)
    return Fitted(found.tree, again, tuned, found, solution.work + found.work)


def _instance(grid: OctVsCartGrid, max_depth: int, data: DataSet, alpha: float = 0.0) -> Instance:
    fewest = fewest_rows(grid.min_rows_leaf, data.rows)
    return Instance(data, np.ones(data.rows), max_depth=max_depth, min_rows_leaf=fewest, alpha=alpha)


def _named(grid: OctVsCartGrid, called: Mapping[str, str], trial: Trial, method: str) -> Row:
    identity = {"repeat": trial.repeat, "fold": 1, "builder": method, "max_depth": trial.max_depth}
    return {**called, **identity, "parameters": grid.parameters(trial.max_depth)}
