"""What a worker makes of a solver on an instance: a row, its objective counted here from what the tree predicts."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from algorithms.optimal.instance import Instance
from algorithms.optimal.oct_classifier import OCTClassifier
from pipeline.builders import Builder
from pipeline.data.protocols import drawn_seed
from pipeline.grammar.at import At, once
from pipeline.grammar.cells import Made
from pipeline.grammar.measures import proof
from pipeline.grammar.whole_sources import rehearsal_sets, with_two_branches
from pipeline.grids.solvers.grid import BINARY
from pipeline.grids.solvers.peers.base import timed
from pipeline.grids.solvers.peers.kinds import PEERS
from pipeline.work.losses import Loss, LostError

if TYPE_CHECKING:
    from pipeline.grids.solvers.grid import SolversGrid

__all__ = ["instance_of", "rehearsals", "solved"]

Row = dict[str, Any]


@once()
def instance_of(grid: SolversGrid, at: At) -> Instance:
    """The rows of a source that have a class, missing values filled, attributes of the item's kind, classes they have.

    Raises ValueError where there are fewer rows than a leaf must have.
    """
    data = with_two_branches(at.instance.source, bins=grid.bins if at.instance.attributes == BINARY else None)
    return Instance(
        data, np.ones(data.rows), max_depth=at.max_depth, min_rows_leaf=grid.min_rows_leaf, alpha=grid.alpha
    )


def solved(grid: SolversGrid, at: At) -> Made:
    """The solver of an item on its instance; one that cannot be asked is skipped."""
    instance = instance_of(grid, at)
    try:
        if isinstance(at.solver, Builder):
            return _by_ours(grid, at, instance)
        return Made(_by_peer(at.solver.name, grid.seconds, instance))
    except TimeoutError as error:
        raise LostError(Loss("time_limit", str(error))) from error


def rehearsals(builders: Iterable[Builder]) -> Iterable[Callable[[], object]]:
    """Have builders solve a few rows, so that no time is that of compiling their kernels or loading them."""
    options = {"max_depth": 2, "min_rows_leaf": 1, "alpha": 0.0, "time_limit": 5.0}
    for builder in builders:
        for data in rehearsal_sets():
            yield partial(lambda builder, data: _asked(builder, options, 0).fit(data), builder, data)


def _asked(builder: Builder, options: Row, seed: int) -> OCTClassifier:
    parameters = json.dumps(options | json.loads(builder.parameters), sort_keys=True)
    return cast("OCTClassifier", replace(builder, parameters=parameters).made(seed))


def _by_ours(grid: SolversGrid, at: At, instance: Instance) -> Made:
    """A builder of ours fitted to an instance; where time ends it, once more it may be another tree."""
    seed = drawn_seed(grid.seed, at.instance.source.title)
    asked = _asked(at.solver, grid.options(at), seed)
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
    return Made(measures | proof(at.solver, classifier), lambda: (classifier.tree_, classifier.labels_))


def _by_peer(name: str, seconds: float, instance: Instance) -> Row:
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
