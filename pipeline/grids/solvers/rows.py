"""The result row of a solver on an instance. Its objective is computed here from the tree's predictions."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from algorithms.optimal.instance import Instance
from algorithms.optimal.optimal_classifier import OptimalClassifier
from pipeline.builders import Builder
from pipeline.data.protocols import drawn_seed
from pipeline.failures import FailedError, Failure
from pipeline.grammar.axes import Item
from pipeline.grammar.cells import Made
from pipeline.grammar.whole_sources import proof, rehearsal_sets
from pipeline.grids.solvers.grid import SolversGrid
from pipeline.grids.solvers.peers import PEERS, Peer, timed

Row = dict[str, Any]
Step = tuple[float, float, float | None]
"""Seconds, an objective and a bound, which is None if none is known."""

SHORTER = (0.01, 0.1)
"""Shares of the time limit with which a slower peer is called again, since it does not report when it found a tree."""


def cell(grid: SolversGrid, item: Item, _: None) -> Made:
    """Run the solver of a cell on its instance."""
    seed = drawn_seed(grid.seed, item.instance.source.seed_name)
    return solved(item.solver, grid.instance_of(item), grid.options(item), seed)


def solved(solver: Any, instance: Instance, options: Row, seed: int) -> Made:
    """Run one of our builders, or an external solver by name, on an instance; one that cannot solve it is skipped."""
    try:
        if isinstance(solver, Builder):
            return _by_ours(solver, instance, options, seed)
        return _by_peer(solver.name, instance, options["time_limit"])
    except TimeoutError as error:
        raise FailedError(Failure("time_limit", str(error))) from error


def rehearsals(_: SolversGrid, items: Sequence[Item], __: Sequence[None]) -> Iterable[Callable[[], object]]:
    """Solve a few rows with each builder."""
    options = {"max_depth": 2, "min_rows_leaf": 1, "alpha": 0.0, "time_limit": 5.0}
    for builder in {item.solver.name: item.solver for item in items if isinstance(item.solver, Builder)}.values():
        for data in rehearsal_sets():
            yield partial(lambda builder, data: _estimator(builder, options, 0).fit(data), builder, data)


def _estimator(builder: Builder, options: Row, seed: int) -> OptimalClassifier:
    parameters = json.dumps(options | json.loads(builder.parameters), sort_keys=True)
    return cast("OptimalClassifier", replace(builder, parameters=parameters).made(seed))


def _by_ours(builder: Builder, instance: Instance, options: Row, seed: int) -> Made:
    """Fit one of our builders to an instance. If time ends it, another fit may give another tree."""
    traced = builder.takes("trace")
    estimator = _estimator(builder.given(trace=True) if traced else builder, options, seed)
    classifier, seconds = timed(lambda: estimator.fit(instance.data))
    codes = {label: code for code, label in enumerate(instance.data.classes)}
    predicted = np.array([codes[label] for label in classifier.predict(instance.data).tolist()], np.int32)
    costs = classifier.costs(instance.data)
    measures = _measures(instance, predicted, costs.nonterminal_nodes, seconds)
    solution = classifier.solution_
    if not math.isclose(measures["objective"], solution.objective, rel_tol=1e-9, abs_tol=1e-9):
        raise AssertionError(
            f"the tree's objective is {measures['objective']:.9g}, but the builder reports {solution.objective:.9g}"
        )
    measures |= {"depth": costs.depth, "average_depth": costs.average_depth}
    steps: list[Step] = [(seconds, solution.objective, solution.bound)]
    if traced:
        steps = [(progress.seconds, progress.objective, progress.bound) for progress in classifier.trace_]
    return Made(measures | proof(builder, classifier), lambda: (classifier.tree_, classifier.labels_), _traced(steps))


def _by_peer(name: str, instance: Instance, seconds: float) -> Made:
    peer = PEERS[name]
    reason = peer.lacks(instance)
    if reason is not None:
        skipped = {"status": "skipped", "error": reason}
        return Made(skipped, more={"traces": [skipped]})
    measures = _peer_measures(peer, instance, seconds)
    ends = [measures]
    for share in SHORTER:
        if peer.limited and measures["build_seconds"] > share * seconds:
            with suppress(TimeoutError):
                ends.append(_peer_measures(peer, instance, share * seconds))
    return Made(measures, more=_traced((end["build_seconds"], end["objective"], end.get("bound")) for end in ends))


def _peer_measures(peer: Peer, instance: Instance, seconds: float) -> Row:
    fitted = peer.fit(instance, seconds)
    measures = _measures(instance, fitted.predicted, fitted.splits, fitted.seconds)
    if not fitted.proven:
        return measures | {"status": "time_limit" if peer.exact else "ok", "optimal": False}
    return measures | {"optimal": True, "bound": measures["objective"]}


def _traced(steps: Iterable[Step]) -> dict[str, list[Row]]:
    """The row of the table `traces`."""
    return {"traces": [{"status": "ok", "trace_seconds": json.dumps(sorted(steps, key=lambda step: step[0]))}]}


def _measures(instance: Instance, predicted: NDArray[np.integer[Any]], splits: int, seconds: float) -> Row:
    """The counts of a tree whose tests have two branches."""
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
