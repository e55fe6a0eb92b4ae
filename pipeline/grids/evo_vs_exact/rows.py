"""What a worker makes of a data set at a depth: the trees of builders, and the fewest errors by number of splits."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from algorithms.data_set import DataSet
from algorithms.evolutionary.evo_tree import EVOTreeClassifier
from algorithms.induction.tree_classifier import TreeClassifier
from algorithms.optimal.instance import Instance
from algorithms.optimal.search import solve
from algorithms.optimal.solution import Effort, Solution
from pipeline.builders import Builder
from pipeline.data.protocols import drawn_seed
from pipeline.grammar.measures import labels_of, proof_of
from pipeline.grammar.whole_sources import fitted_tree, measured, rehearsal_sets, with_two_branches
from pipeline.grid import RESULTS_TABLE, RebuiltTree
from pipeline.grids.evo_vs_exact.columns import DESCENTS, FRONTIERS
from pipeline.grids.evo_vs_exact.grid import EXACT
from pipeline.schema import HELD_RESULTS
from pipeline.work.losses import CELL_ERRORS, loss_of

if TYPE_CHECKING:
    from pipeline.grids.evo_vs_exact.grid import Cell, EvoVsExactGrid

__all__ = [
    "Rows",
    "best_tree",
    "failed_rows",
    "fewest_by_depth",
    "fewest_by_splits",
    "grown_tree",
    "least_fitness",
    "rehearse",
    "rows_of",
    "tables_of",
]

Row = dict[str, Any]

WHOLE = 1e-6
"""How far rounding may lift a bound above a whole number of errors."""
SAME = 1e-12
"""Fitnesses that differ by a smaller share are equal."""


class Rows(NamedTuple):
    """The rows of an item: the builders' trees in their order, repeat by repeat, then the best; and of other tables."""

    results: list[Row]
    frontier: list[Row]
    descents: list[Row]


class Searched(NamedTuple):
    """What is proven of an instance: the fewest errors by splits, as frontier rows; and, if trees evolve, by depth."""

    instance: Instance
    frontier: list[Row]
    fewest_by_depth: list[int]


def rows_of(grid: EvoVsExactGrid, cell: Cell) -> Rows:
    """The rows of a data set at a depth; what fails says so."""
    try:
        instance = _instance(cell)
        _, frontier, measures_of_best = _searched(grid, instance)
        by_depth = fewest_by_depth(instance, frontier, grid.max_work) if grid.evolves else []
        searched = Searched(instance, frontier, by_depth)
    except CELL_ERRORS as error:
        loss = loss_of(error)
        return failed_rows(grid, cell, loss.status, loss.error)
    *trees, best = _called(grid, cell)
    results, descents = [], []
    for row, builder in zip(trees, (builder for builder in grid.builders for _ in range(grid.repeats)), strict=True):
        measures, descent = _grown(builder, partial(_fitted, grid, cell, builder, row["repeat"]), searched)
        results.append(row | measures)
        descents += [_named(cell) | {name: row[name] for name in ("repeat", "builder")} | step for step in descent]
    results.append(best | measures_of_best)
    return Rows(results, [_named(cell) | point | {"status": "ok"} for point in frontier], descents)


def grown_tree(grid: EvoVsExactGrid, cell: Cell, builder: Builder, repeat: int) -> RebuiltTree:
    """The tree of a builder, with the measures of its row but those that the search proves."""
    classifier, measures = _fitted(grid, cell, builder, repeat, _instance(cell).data)
    return RebuiltTree(classifier.tree_, classifier.labels_, measures)


def best_tree(grid: EvoVsExactGrid, cell: Cell) -> RebuiltTree:
    """The tree of the search, with the measures of its row."""
    instance = _instance(cell)
    found, _, measures = _searched(grid, instance)
    return RebuiltTree(found.tree, labels_of(instance.data), measures)


def failed_rows(grid: EvoVsExactGrid, cell: Cell, status: str, error: str) -> Rows:
    """The rows of an item that could not be worked: they say so, and hold no measures."""
    said = {"status": status, "error": error}
    return Rows([row | said for row in _called(grid, cell)], [_named(cell) | said], [])


def tables_of(rows: Sequence[Rows]) -> dict[str, pa.Table]:
    """The tables of the grid."""
    return {
        RESULTS_TABLE: pa.Table.from_pylist([row for item in rows for row in item.results], schema=HELD_RESULTS),
        "frontiers": pa.Table.from_pylist([row for item in rows for row in item.frontier], schema=FRONTIERS),
        "descents": pa.Table.from_pylist([row for item in rows for row in item.descents], schema=DESCENTS),
    }


def fewest_by_splits(instance: Instance, found: Solution) -> list[Row]:
    """For each number of splits from 0 to all that the depth has room for, the fewest errors found, and their bound.

    The instance has a max_depth, alpha 0 and weights of 1, and `found` its frontier.
    """
    points, least = found.frontier, _whole(found.bound * instance.baseline)
    fewest = []
    for splits in range(2 ** (instance.max_depth or 0)):
        errors = round(min(point.errors for point in points if point.splits <= splits))
        bound = next((_whole(point.bound) for point in points if point.splits >= splits), least)
        fewest.append(
            {"splits": splits, "errors": errors, "bound": errors if found.exhausted else min(max(bound, least), errors)}
        )
    return fewest


def fewest_by_depth(instance: Instance, frontier: Sequence[Row], max_work: int) -> list[int]:
    """For each depth from 0 to that of the instance, what no tree has fewer errors than; a search a depth."""
    deepest = instance.max_depth or 0
    between = [
        _whole(solve(replace(instance, max_depth=depth), Effort(work=max_work)).bound * instance.baseline)
        for depth in range(2, deepest)
    ]
    fewest = [frontier[0]["bound"], frontier[1]["bound"], *between]  # a tree of one split is one of depth 1
    own = [*fewest[:deepest], frontier[-1]["bound"]]
    return list(accumulate(reversed(own), max))[::-1]  # what holds of a depth holds of lesser ones


def least_fitness(evolved: EVOTreeClassifier, fewest: Sequence[int], rows: int) -> float:
    """No tree has less fitness by its options, if none of depth 0, 1, ... has fewer errors than `fewest`."""
    return float(
        min(
            evolved.alpha_1 * (errors / rows) + evolved.alpha_2 * (depth / evolved.target_depth)
            for depth, errors in enumerate(fewest)
        )
    )


def rehearse(grid: EvoVsExactGrid) -> None:
    """Grow and search a few rows, so that no time is that of compiling kernels or loading them."""
    depth = min(max(grid.depths), 3)
    for data in rehearsal_sets():
        solve(Instance(data, np.ones(data.rows), max_depth=depth), Effort(work=grid.max_work), frontier=True)
        for builder in grid.builders:
            try:
                fitted_tree(builder.given(max_depth=depth), data, 0)
            except Exception:  # noqa: S112 - the rows of the grid will tell
                continue


def _instance(cell: Cell) -> Instance:
    """All rows of the source, at the depth."""
    data = with_two_branches(cell.source, bins=None)
    return Instance(data, np.ones(data.rows), max_depth=cell.max_depth)


def _searched(grid: EvoVsExactGrid, instance: Instance) -> tuple[Solution, list[Row], Row]:
    """What the search finds, the fewest errors by splits that it proves, and the measures of its tree."""
    began = time.perf_counter()
    found = solve(instance, Effort(work=grid.max_work), frontier=True)
    seconds = time.perf_counter() - began
    frontier = fewest_by_splits(instance, found)
    fewest = {"objective": found.errors, "bound": float(frontier[-1]["bound"])}
    return found, frontier, measured(found.tree, instance.data, seconds) | proof_of(found) | fewest


def _fitted(
    grid: EvoVsExactGrid, cell: Cell, builder: Builder, repeat: int, data: DataSet
) -> tuple[TreeClassifier, Row]:
    """A builder fitted to the rows of the instance, and the measures of its tree."""
    seed = drawn_seed(grid.seed, cell.source.title, cell.max_depth, repeat)
    return fitted_tree(builder.given(max_depth=cell.max_depth), data, seed)


def _grown(builder: Builder, fitted: Callable[[DataSet], tuple[Any, Row]], searched: Searched) -> tuple[Row, list[Row]]:
    """The measures of a builder's tree, which is one of those that were searched, and how its fitness fell."""
    instance, frontier, fewest = searched
    try:
        classifier, row = fitted(instance.data)
        wrong, splits = round((1 - row["train_accuracy"]) * row["rows"]), row["nonterminal_nodes"]
        if row["depth"] > (instance.max_depth or 0) or wrong < frontier[min(splits, len(frontier) - 1)]["bound"]:
            msg = (
                f"its tree of depth {row['depth']} with {splits} splits has {wrong} errors, and none of depth "
                f"{instance.max_depth} with tests of two branches has so few: leave it out"
            )
            raise ValueError(msg)
        if not builder.extends(EVOTreeClassifier):
            return row, []
        fitness, bound = classifier.fitness_, least_fitness(classifier, fewest, row["rows"])
        if fitness < bound * (1 - SAME):
            msg = f"its fitness is {fitness:.9g}, and no tree of depth {instance.max_depth} has less than {bound:.9g}"
            raise ValueError(msg)
        proof = {"objective": fitness, "bound": bound, "optimal": fitness <= bound * (1 + SAME)}
        return row | proof, [step | {"bound": bound} for step in _descent(classifier.history_.best)]
    except CELL_ERRORS as error:
        return asdict(loss_of(error)), []


def _descent(best: NDArray[np.float64]) -> list[Row]:
    """The first generation, each that bettered all before it, and the last."""
    least = np.minimum.accumulate(best)
    told = np.flatnonzero(np.diff(least, prepend=np.inf)).tolist()
    last = len(best) - 1
    return [
        {"generation": generation, "fitness": float(least[generation])}
        for generation in (told if told[-1] == last else [*told, last])
    ]


def _whole(bound: float) -> int:
    """The fewest errors, each of one row, that are no fewer than a bound."""
    return max(math.ceil(bound - WHOLE), 0)


def _called(grid: EvoVsExactGrid, cell: Cell) -> list[Row]:
    """What tells the rows of an item from others."""
    depth = json.dumps({"max_depth": cell.max_depth})
    trees = [
        {**cell.source.called, "repeat": repeat, "builder": builder.name, "parameters": parameters}
        for builder in grid.builders
        for parameters in [builder.given(max_depth=cell.max_depth).parameters]
        for repeat in range(1, grid.repeats + 1)
    ]
    return [*trees, {**cell.source.called, "builder": EXACT, "parameters": depth}]


def _named(cell: Cell) -> Row:
    return {**cell.source.called, "max_depth": cell.max_depth}
