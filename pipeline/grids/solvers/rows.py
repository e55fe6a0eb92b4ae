"""What a worker makes of a solver on an instance: a row, its objective counted here from what the tree predicts."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from algorithms.optimal.instance import Instance
from algorithms.optimal.oct_classifier import OCTClassifier
from pipeline.builders import Builder
from pipeline.data.protocols import drawn_seed
from pipeline.grammar.measures import proof
from pipeline.grammar.whole_sources import rehearsal_sets, with_two_branches
from pipeline.grid import RebuiltTree
from pipeline.grids.solvers.grid import BINARY
from pipeline.grids.solvers.peers.base import timed
from pipeline.grids.solvers.peers.kinds import PEERS
from pipeline.work.losses import CELL_ERRORS, loss_of

if TYPE_CHECKING:
    from pipeline.grids.solvers.grid import Cell, SolversGrid

__all__ = ["called", "instance_of", "rebuilt_tree", "rehearse", "row_of"]

Row = dict[str, Any]


def called(grid: SolversGrid, cell: Cell) -> Row:
    """What tells the row of a cell from others."""
    asked = {"attributes": cell.attributes, **_options(grid, cell)}
    if cell.solver < len(grid.builders):
        asked |= json.loads(grid.builders[cell.solver].parameters)
    return {
        **grid.source(cell).called,
        "builder": grid.solvers[cell.solver],
        "parameters": json.dumps(asked, sort_keys=True),
    }


def instance_of(grid: SolversGrid, cell: Cell) -> Instance:
    """The rows of a source that have a class, missing values filled, attributes of the cell's kind, classes they have.

    Raises ValueError where there are fewer rows than a leaf must have.
    """
    data = with_two_branches(grid.source(cell), bins=grid.bins if cell.attributes == BINARY else None)
    return Instance(
        data, np.ones(data.rows), max_depth=cell.max_depth, min_rows_leaf=grid.min_rows_leaf, alpha=grid.alpha
    )


def row_of(grid: SolversGrid, cell: Cell) -> Row:
    """The row of a solver on an instance; one that cannot be asked is skipped, and what fails says so."""
    row = called(grid, cell)
    try:
        instance = instance_of(grid, cell)
        row["rows"] = instance.data.rows
        if cell.solver < len(grid.builders):
            return row | _solved(grid, cell, instance)[1]
        return row | _row_of_peer(grid.solvers[cell.solver], grid.seconds, instance)
    except TimeoutError as error:
        return row | {"status": "time_limit", "error": str(error)}
    except CELL_ERRORS as error:  # code of others runs here
        return row | asdict(loss_of(error))


def rebuilt_tree(grid: SolversGrid, cell: Cell) -> RebuiltTree:
    """The tree of a builder of ours, with the measures of its row; of one that time ended perhaps another."""
    instance = instance_of(grid, cell)
    classifier, measures = _solved(grid, cell, instance)
    return RebuiltTree(classifier.tree_, classifier.labels_, {"rows": instance.data.rows} | measures)


def rehearse(grid: SolversGrid, builders: Iterable[int]) -> None:
    """Have builders solve a few rows, so that no time is that of compiling their kernels or loading them."""
    options = {"max_depth": 2, "min_rows_leaf": 1, "alpha": 0.0, "time_limit": 5.0}
    for place in builders:
        for data in rehearsal_sets():
            try:
                _asked(grid.builders[place], options, 0).fit(data)
            except Exception:  # noqa: S112 - the rows of the grid will tell
                continue


def _options(grid: SolversGrid, cell: Cell) -> Row:
    """What every solver is asked for, as the estimators of `algorithms.optimal` call it."""
    return {
        "alpha": grid.alpha,
        "max_depth": cell.max_depth,
        "min_rows_leaf": grid.min_rows_leaf,
        "time_limit": grid.seconds,
    }


def _asked(builder: Builder, options: Row, seed: int) -> OCTClassifier:
    parameters = json.dumps(options | json.loads(builder.parameters), sort_keys=True)
    return cast("OCTClassifier", replace(builder, parameters=parameters).made(seed))


def _solved(grid: SolversGrid, cell: Cell, instance: Instance) -> tuple[OCTClassifier, Row]:
    """A builder of ours fitted to an instance, and the measures of its tree."""
    seed = drawn_seed(grid.seed, grid.source(cell).title)
    asked = _asked(grid.builders[cell.solver], _options(grid, cell), seed)
    classifier, seconds = timed(lambda: asked.fit(instance.data))
    codes = {label: code for code, label in enumerate(instance.data.classes)}
    predicted = np.array([codes[label] for label in classifier.predict(instance.data).tolist()], np.int32)
    costs = classifier.costs(instance.data)
    measures = _measures(instance, predicted, costs.nonterminal_nodes, seconds)
    found = classifier.solution_
    if not math.isclose(measures["objective"], found.objective, rel_tol=1e-9, abs_tol=1e-9):
        msg = f"the objective of its tree is {measures['objective']:.9g}, and it says {found.objective:.9g}"
        raise AssertionError(msg)
    measures |= {"depth": costs.depth, "average_depth": costs.average_depth}
    return classifier, measures | proof(grid.builders[cell.solver], classifier)


def _row_of_peer(name: str, seconds: float, instance: Instance) -> Row:
    peer = PEERS[name]()
    reason = peer.lacks(instance)
    if reason is not None:
        return {"status": "skipped", "error": reason}
    found = peer.fit(instance, seconds)
    measures = _measures(instance, found.predicted, found.splits, found.seconds)
    if not found.proven:
        return measures | {"status": "time_limit", "optimal": False}
    return measures | {"optimal": True, "bound": measures["objective"]}


def _measures(instance: Instance, predicted: NDArray[np.integer[Any]], splits: int, seconds: float) -> Row:
    """What is counted of a tree with tests of two branches."""
    wrong = int(np.count_nonzero(np.asarray(predicted) != instance.data.decisions))
    return {
        "status": "ok",
        "nodes": 2 * splits + 1,
        "nonterminal_nodes": splits,
        "terminal_nodes": splits + 1,
        "train_accuracy": 1 - wrong / instance.data.rows,
        "build_seconds": seconds,
        "objective": instance.objective(wrong, splits, splits + 1),
    }
