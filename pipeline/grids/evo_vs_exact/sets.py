"""Trees of a data set at a depth beside the fewest errors that any has there, and how their fitness fell."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline.grids.evo_vs_exact.grid import EXACT
from pipeline.summary.statistics import Estimate, PairedMoments

__all__ = ["Descent", "Held", "Optimum", "Tree", "descents_of", "held_trees"]

Row = Mapping[str, Any]
Counts = list[int]


def title_of(source: str, part: str) -> str:
    """A data set, and its part where that is not the whole."""
    return source if part == "all" else f"{source} ({part})"


class Key(NamedTuple):
    """A data set, and a greatest depth."""

    source: str
    part: str
    max_depth: int


class Tree(NamedTuple):
    """How many training rows a tree gets wrong, and its nonterminal nodes, those that training rows reach.

    fittest : whether no tree has less fitness; None where it did not evolve
    """

    errors: int
    splits: int
    fittest: bool | None = None


@dataclass(frozen=True)
class Optimum:
    """The fewest errors of trees of a depth on all rows of a data set.

    errors : by number of splits at most, from 0: the fewest that the search or a builder found
    bounds : by number of splits at most: no tree has fewer
    """

    source: str
    part: str
    max_depth: int
    rows: int
    errors: tuple[int, ...]
    bounds: tuple[int, ...]

    @property
    def title(self) -> str:
        """The data set, and its part where that is not the whole."""
        return title_of(self.source, self.part)

    @property
    def fewest(self) -> int:
        """The fewest errors found with any number of splits."""
        return self.errors[-1]

    @property
    def bound(self) -> int:
        """No tree of this depth has fewer errors."""
        return self.bounds[-1]

    @property
    def proven(self) -> bool:
        """Whether the fewest errors found are the fewest there can be."""
        return self.fewest == self.bound

    @property
    def proven_by_splits(self) -> bool:
        """Whether they are with each number of splits."""
        return self.errors == self.bounds

    def points(self, errors: float) -> float:
        """Errors in percent of the rows."""
        return 100 * errors / self.rows

    def fewest_splits(self, errors: int) -> int:
        """Of the trees found with no more errors, the fewest splits."""
        return next(splits for splits, fewest in enumerate(self.errors) if fewest <= errors)


@dataclass(frozen=True)
class Held:
    """A builder's trees, one of each seed that it was grown from, held against the optimum."""

    optimum: Optimum
    builder: str
    trees: tuple[Tree, ...]

    @property
    def errors(self) -> Estimate:
        """Mean errors over the seeds."""
        return _estimate([tree.errors for tree in self.trees])

    @property
    def best(self) -> int:
        """Errors of the best seed."""
        return min(tree.errors for tree in self.trees)

    @property
    def reached(self) -> int:
        """Trees than which none has fewer errors."""
        return sum(tree.errors == self.optimum.bound for tree in self.trees)

    @property
    def fittest(self) -> int | None:
        """Trees than which none has less fitness; None where they did not evolve."""
        known = [tree.fittest for tree in self.trees if tree.fittest is not None]
        return sum(known) if known else None

    @property
    def excess(self) -> Estimate:
        """Errors above the bound, in points of the training error: the excess where that is proven, else at most it."""
        return _estimate([self.optimum.points(tree.errors - self.optimum.bound) for tree in self.trees])

    @property
    def excess_for_size(self) -> Estimate:
        """Errors above the bound of trees with no more splits, in points of the training error."""
        bounds = self.optimum.bounds
        return _estimate([self.optimum.points(tree.errors - bounds[tree.splits]) for tree in self.trees])

    @property
    def splits(self) -> Estimate:
        """Mean splits over the seeds."""
        return _estimate([tree.splits for tree in self.trees])

    @property
    def fewest_splits(self) -> Estimate:
        """Mean over the seeds of the fewest splits with no more errors."""
        return _estimate([self.optimum.fewest_splits(tree.errors) for tree in self.trees])


@dataclass(frozen=True, eq=False)
class Descent:
    """How the best fitness of trees of a depth fell on a data set, one tree a seed.

    builder : what evolved
    above   : (seeds, generations): fitness above what no tree has less of; after a seed's last generation that of it
    """

    source: str
    part: str
    max_depth: int
    builder: str
    above: NDArray[np.float64]

    @property
    def title(self) -> str:
        """The data set, and its part where that is not the whole."""
        return title_of(self.source, self.part)

    @staticmethod
    def of(key: Key, seeds: Sequence[Sequence[Row]]) -> Descent:
        """The descent of each seed by its rows: the generations that bettered all before them, and the last."""
        generations = 1 + max(rows[-1]["generation"] for rows in seeds)
        above = np.empty((len(seeds), generations))
        for one, rows in zip(above, seeds, strict=True):
            for row in rows:
                one[row["generation"] :] = row["fitness"] - row["bound"]
        return Descent(*key, seeds[0][0]["builder"], above)


def held_trees(results: Iterable[Row], frontiers: Iterable[Row]) -> tuple[Held, ...]:
    """The result rows by data set, depth and builder, in their order; none where a tree or an optimum lacks."""
    trees: dict[Key, dict[str, list[Tree]]] = {}
    rows: dict[Key, int] = {}
    for row in results:
        key = Key(row["source"], row["part"], json.loads(row["parameters"])["max_depth"])
        if row["status"] == "ok":
            rows[key] = row["rows"]
        if row["status"] == "ok" and row["builder"] != EXACT:
            wrong = round((1 - row["train_accuracy"]) * row["rows"])
            tree = Tree(wrong, row["nonterminal_nodes"], row["optimal"])
            trees.setdefault(key, {}).setdefault(row["builder"], []).append(tree)
    grown = {key: [tree for own in by_builder.values() for tree in own] for key, by_builder in trees.items()}
    known = _frontiers(frontiers, grown)
    return tuple(
        Held(Optimum(*key, rows[key], *map(tuple, known[key])), builder, tuple(own))
        for key, by_builder in trees.items()
        if key in known
        for builder, own in by_builder.items()
    )


def _frontiers(points: Iterable[Row], grown: Mapping[Key, Sequence[Tree]]) -> dict[Key, tuple[Counts, Counts]]:
    """The fewest errors found by splits, and their bounds, by what is known of all depths of a data set together.

    A tree is one of every greater depth, too; and one of so many splits is no deeper than that.
    """
    found: dict[Key, tuple[Counts, Counts]] = {}
    ordered = sorted((row for row in points if row["status"] == "ok"), key=lambda row: int(row["splits"]))
    for row in ordered:
        errors, bounds = found.setdefault(Key(row["source"], row["part"], row["max_depth"]), ([], []))
        errors.append(row["errors"])
        bounds.append(row["bound"])
    for key, (errors, _) in found.items():
        for tree in grown.get(key, ()):
            errors[tree.splits] = min(errors[tree.splits], tree.errors)
    for key in sorted(found, key=lambda key: key.max_depth):
        errors, bounds = found[key]
        for other in (one for one in found if one[:2] == key[:2] and one.max_depth < key.max_depth):
            theirs, proven = found[other]
            errors[: len(theirs)] = map(min, errors, theirs)
            same = other.max_depth + 1
            bounds[:same] = map(max, bounds[:same], proven[:same])
        errors[:] = accumulate(errors, min)
    return found


def descents_of(rows: Iterable[Row]) -> tuple[Descent, ...]:
    """The rows of descents by data set and depth, those of the first builder that has any."""
    found: dict[Key, dict[int, list[Row]]] = {}
    builder = None
    for row in rows:
        builder = builder or row["builder"]
        if row["builder"] == builder:
            key = Key(row["source"], row["part"], row["max_depth"])
            found.setdefault(key, {}).setdefault(row["repeat"], []).append(row)
    return tuple(Descent.of(key, list(by_repeat.values())) for key, by_repeat in found.items())


def _estimate(values: Sequence[float]) -> Estimate:
    return PairedMoments.of(np.array(values, np.float64)[:, None]).estimate(0)
