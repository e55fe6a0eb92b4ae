"""The result rows of a data set at a depth: the builders' trees, and the fewest errors by number of splits."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from algorithms.data.data_set import DataSet
from algorithms.estimators.tree_classifier import TreeClassifier
from algorithms.evolutionary.evo_tree import EVOTreeClassifier
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.solution import Effort, Solution
from pipeline.data.protocols import drawn_seed
from pipeline.grammar.axes import Item, once
from pipeline.grammar.cells import Made
from pipeline.grammar.whole_sources import fitted_tree, labels_of, measured, proof_of, rehearsal_sets, with_two_branches
from pipeline.grids.evo_vs_exact.grid import EvoVsExactGrid, Grow
from pipeline.words import counted

Row = dict[str, Any]

SAME = 1e-12
"""Fitnesses that differ by a smaller share are equal."""
WHOLE = 1e-6
"""Rounding may lift a bound above a whole number of errors by up to this much."""


class FewestErrors(NamedTuple):
    """The fewest errors of trees with at most some number of splits: the best tree found, and a lower bound."""

    splits: int
    errors: int
    bound: int


class Searched(NamedTuple):
    """What is proven about an instance: the fewest errors by splits, as frontier rows; and the cell of the search."""

    frontier: list[FewestErrors]
    made: Made


@once()
def instance(grid: EvoVsExactGrid, item: Item) -> Instance:
    """All rows of the source, with the depth."""
    data = trained(grid, item)
    return Instance(data, np.ones(data.rows), max_depth=item.max_depth)


@once()
def searched(grid: EvoVsExactGrid, item: Item) -> Searched:
    """Run the search; return the fewest errors by splits that it proves, and its tree."""
    given = instance(grid, item)
    began = time.perf_counter()
    solution = solve(given, Effort(work=grid.max_work), frontier=True)
    seconds = time.perf_counter() - began
    frontier = fewest_by_splits(given, solution)
    fewest = {"objective": solution.errors, "bound": float(frontier[-1].bound)}
    measures = measured(solution.tree, given.data, seconds) | proof_of(solution) | fewest
    points = [point._asdict() | {"status": "ok"} for point in frontier]
    return Searched(frontier, Made(measures, lambda: (solution.tree, labels_of(given.data)), {"frontiers": points}))


@once()
def fewest_of_depths(grid: EvoVsExactGrid, item: Item) -> list[int]:
    """Lower bounds on the errors at each depth."""
    return fewest_by_depth(instance(grid, item), searched(grid, item).frontier, grid.max_work)


def fitted(grid: EvoVsExactGrid, item: Item, method: Grow) -> tuple[TreeClassifier, Made]:
    """Fit a builder to the rows of the instance; return it with the measures of its tree."""
    seed = drawn_seed(grid.seed, item.source.seed_name, item.max_depth, method.repeat)
    classifier, measures = fitted_tree(method.builder.given(max_depth=item.max_depth), instance(grid, item).data, seed)
    return classifier, Made(measures, lambda: (classifier.tree_, classifier.labels_))


def cell(grid: EvoVsExactGrid, item: Item, method: Grow | str) -> Made:
    """A builder's tree compared with the results of the search, or the search's tree. It fails if the search fails."""
    return grown(grid, item, method) if isinstance(method, Grow) else searched(grid, item).made


def again(grid: EvoVsExactGrid, item: Item, method: Grow | str) -> Made:
    """The tree of a builder, without the search that its row was compared with; or that of the search."""
    return fitted(grid, item, method)[1] if isinstance(method, Grow) else searched(grid, item).made


def trained(_: EvoVsExactGrid, item: Item) -> DataSet:
    """The rows of an item: one attribute for each label, numbers unchanged."""
    return with_two_branches(item.source, bins=None)


def grown(grid: EvoVsExactGrid, item: Item, method: Grow) -> Made:
    """A builder's tree, compared with the search, and the course of its fitness."""
    frontier = searched(grid, item).frontier
    if grid.evolves:
        fewest_of_depths(grid, item)  # if it fails, all cells fail, as with the search
    classifier, made = fitted(grid, item, method)
    row, max_depth = made.measures, item.max_depth
    wrong, splits = round((1 - row["train_accuracy"]) * row["rows"]), row["nonterminal_nodes"]
    least = frontier[min(splits, len(frontier) - 1)].bound
    if row["depth"] > max_depth or wrong < least:
        raise ValueError(
            f"its tree has depth {row['depth']}, {counted(splits, 'split')} and {counted(wrong, 'error')}. A tree of "
            f"binary tests has at least {least:g} errors if its depth is at most {max_depth} and it has at most "
            f"{counted(splits, 'split')}: the builder does not grow such trees, so leave it out"
        )
    if not method.builder.extends(EVOTreeClassifier):
        return made
    evolved = cast("EVOTreeClassifier", classifier)
    fitness, bound = evolved.fitness_, least_fitness(evolved, fewest_of_depths(grid, item), row["rows"])
    if fitness < bound * (1 - SAME):
        raise ValueError(f"its fitness is {fitness:.9g}, but no tree of depth {max_depth} has less than {bound:.9g}")
    proof = {"objective": fitness, "bound": bound, "optimal": fitness <= bound * (1 + SAME)}
    descent = [step | {"bound": bound} for step in _descent(evolved.history_.best)]
    return replace(made, measures=row | proof, more={"descents": descent})


def least_fitness(evolved: EVOTreeClassifier, fewest: Sequence[int], rows: int) -> float:
    """The least fitness that any tree has under the builder's options, given lower bounds on the errors by depth."""
    return float(
        min(
            evolved.alpha_1 * (errors / rows) + evolved.alpha_2 * (depth / evolved.target_depth)
            for depth, errors in enumerate(fewest)
        )
    )


def rehearsals(
    grid: EvoVsExactGrid, _: Sequence[Item], methods: Sequence[Grow | str]
) -> Iterable[Callable[[], object]]:
    """Grow and search trees on a few rows."""
    depth = min(max(grid.depths), 3)
    builders = dict.fromkeys(method.builder for method in methods if isinstance(method, Grow))
    for data in rehearsal_sets():
        yield partial(
            solve, Instance(data, np.ones(data.rows), max_depth=depth), Effort(work=grid.max_work), frontier=True
        )
        for builder in builders:
            yield partial(fitted_tree, builder.given(max_depth=depth), data, 0)


def _descent(best: NDArray[np.float64]) -> list[Row]:
    """The first generation, each that improved on all before it, and the last."""
    least = np.minimum.accumulate(best)
    improved = np.flatnonzero(np.diff(least, prepend=np.inf)).tolist()
    last = len(best) - 1
    return [
        {"generation": generation, "fitness": float(least[generation])}
        for generation in (improved if improved[-1] == last else [*improved, last])
    ]


def fewest_by_splits(instance: Instance, solution: Solution) -> list[FewestErrors]:
    """The fewest errors found and their lower bound, for each number of splits from 0 to the depth's maximum.

    Parameters
    ----------
    instance : Instance
        With a `max_depth`, alpha 0 and weights of 1.
    solution : Solution
        Of the instance, with its frontier.
    """
    points, least = solution.frontier, _whole(solution.bound * instance.baseline)
    fewest = []
    for splits in range(2 ** (instance.max_depth or 0)):
        errors = round(min(point.errors for point in points if point.splits <= splits))
        bound = next((_whole(point.bound) for point in points if point.splits >= splits), least)
        fewest.append(FewestErrors(splits, errors, errors if solution.exhausted else min(max(bound, least), errors)))
    return fewest


def fewest_by_depth(instance: Instance, frontier: Sequence[FewestErrors], max_work: int) -> list[int]:
    """A lower bound on the errors for each depth from 0 to that of the instance; one search for each depth."""
    deepest = instance.max_depth or 0
    between = [
        _whole(solve(replace(instance, max_depth=depth), Effort(work=max_work)).bound * instance.baseline)
        for depth in range(2, deepest)
    ]
    fewest = [frontier[0].bound, frontier[1].bound, *between]  # a tree of one split has depth 1
    bounds = [*fewest[:deepest], frontier[-1].bound]
    return list(accumulate(reversed(bounds), max))[::-1]  # a bound for a depth also holds for smaller depths


def _whole(bound: float) -> int:
    """The smallest whole number of errors that is not below a bound."""
    return max(math.ceil(bound - WHOLE), 0)
