"""The run of EVO-Tree (`003_…`, section 4): a population of trees, generation after generation."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from numbers import Integral, Real
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from algorithms.evolutionary.coded_rows import CodedRows
from algorithms.evolutionary.selection import (
    Selection,
    expectations,
    roulette,
    shuffled,
    stochastic_uniform,
    tournament,
)
from algorithms.kernels.evolutionary.breeding import Parents, first_generation, next_generation
from algorithms.kernels.evolutionary.draws import begin, fill
from algorithms.kernels.evolutionary.rows import BLOCK, Room
from algorithms.kernels.evolutionary.trees import NODE, Population

__all__ = ["MOST_DEPTH", "Evolution", "Evolved", "History"]

Numbers = NDArray[np.float64]
Nodes = NDArray[np.void]
Words = NDArray[np.uint64]

MOST_DEPTH = 61
"""Edges: the indices of 62 levels fit into 64 bits, and so do their sums."""

MOST_NODES = 1 << 27
"""Of a population: 3 GiB."""

PLAYERS = 4
"""Of a tournament, as in Matlab."""

ROOM = 1.5
"""Times the nodes that are expected, or needed, is what room is made for."""


@dataclass(frozen=True, eq=False)
class History:
    """The best and the mean fitness of each generation (generations run + 1,), at 0 those of the random one."""

    best: Numbers
    mean: Numbers


@dataclass(frozen=True, eq=False)
class Evolved:
    """The fittest tree of the last generation, its nodes as the kernels have them, and how it came about."""

    nodes: Nodes
    fitness: float
    history: History


@dataclass(frozen=True)
class Evolution:
    """How trees evolve; the options are told at `algorithms.evolutionary.evo_tree.EVOTreeClassifier`.

    Raises ValueError where an option is out of its range; the message names it.
    """

    max_depth: int
    target_depth: int
    alpha_1: float
    alpha_2: float
    individuals: int
    generations: int
    patience: int
    elite: int
    crossover_share: float
    split_probability: float
    selection: Selection

    def __post_init__(self) -> None:
        """Check the options."""
        _check_whole("max_depth", self.max_depth, 1, MOST_DEPTH)
        _check_whole("elite", self.elite, 1)
        for name, least in (("target_depth", 1), ("individuals", 2), ("generations", 0), ("patience", 1)):
            _check_whole(name, getattr(self, name), least)
        if self.individuals <= self.elite:
            msg = f"individuals is {self.individuals} and elite {self.elite}: expected more individuals than elite ones"
            raise ValueError(msg)
        for name in ("alpha_1", "alpha_2"):
            _check_number(name, getattr(self, name), math.inf)
        for name in ("crossover_share", "split_probability"):
            _check_number(name, getattr(self, name), 1)
        if self.selection not in get_args(Selection):
            msg = f"selection is {self.selection!r}: expected one of {', '.join(get_args(Selection))}"
            raise ValueError(msg)

    def fitness(self, right: NDArray[Any], total: float, depth: NDArray[np.int64]) -> Numbers:
        """(trees,): alpha_1 x error + alpha_2 x depth / target_depth (equation 1), the weight not right of all."""
        error = (total - right) / total
        return np.asarray(self.alpha_1 * error + self.alpha_2 * (depth / self.target_depth))

    def run(self, coded: CodedRows, seed: int) -> Evolved:
        """Evolve trees for rows of which some attribute may be asked; the same for the same seed.

        Raises ValueError where the trees of a generation have more nodes together than memory is wanted for.
        """
        best: list[float] = []
        mean: list[float] = []
        generations = self.populations(coded, seed)
        while True:
            population, fitness = next(generations)
            best.append(float(fitness.min()))
            mean.append(float(np.cumsum(fitness)[-1] / len(fitness)))
            generation, improved = len(best) - 1, best.index(min(best))
            if generation == self.generations or generation - improved == self.patience:
                fittest = int(fitness.argmin())
                nodes = population.nodes[population.start[fittest] : population.start[fittest + 1]].copy()
                return Evolved(nodes, best[-1], History(np.array(best), np.array(mean)))

    def populations(self, coded: CodedRows, seed: int) -> Iterator[tuple[Population, Numbers]]:
        """Generation after generation without end, the random one first, and the fitness (trees,) of its trees.

        A population is overwritten by the next but one.
        """
        room = Room(
            masks=np.empty((self.max_depth + 2, 2, min(BLOCK, len(coded.rows.every))), np.uint64),
            waiting=np.empty((2 * self.max_depth + 2, 3), np.int64),
        )
        now, then = self._first(coded, room, seed), self._population(0)
        for generation in count(1):
            fitness = self.fitness(now.right, coded.total, now.depth)
            yield now, fitness
            parents = self._parents(fitness, seed, generation)
            sizes = np.diff(now.start)
            needed = int(sum(sizes[trees].sum() for trees in parents))
            if needed > len(then.nodes):
                then = self._population(math.ceil(needed * ROOM))
            next_generation(
                now,
                parents,
                then,
                coded.tests,
                coded.rows,
                room,
                self.max_depth,
                np.uint64(seed),
                np.uint64(generation),
            )
            now, then = then, now

    def _population(self, nodes: int) -> Population:
        """Room for a population of so many nodes."""
        if nodes > MOST_NODES:
            msg = (
                f"{self.individuals} trees of depth up to {self.max_depth} have more than {MOST_NODES:,} nodes: choose "
                "a smaller max_depth, split_probability or number of individuals"
            )
            raise ValueError(msg)
        trees = self.individuals
        return Population(
            np.empty(nodes, NODE), np.zeros(trees + 1, np.int64), np.zeros(trees, np.int64), np.zeros(trees, np.int64)
        )

    def _first(self, coded: CodedRows, room: Room, seed: int) -> Population:
        level = 2.0  # nodes of a level that are expected
        tree = 1.0
        for _ in range(self.max_depth):
            tree += level
            level *= 2 * self.split_probability
        nodes = math.ceil(tree * self.individuals * ROOM)
        while True:
            population = self._population(nodes)
            if first_generation(
                population, coded.tests, coded.rows, room, self.split_probability, self.max_depth, np.uint64(seed)
            ):
                return population
            nodes *= 2

    def _parents(self, fitness: Numbers, seed: int, generation: int) -> Parents:
        """The elite, and who has children with whom."""
        children = self.individuals - self.elite
        crossovers = math.floor(self.crossover_share * children + 0.5)
        number = children + crossovers
        expected = expectations(fitness, number)
        words = _words(seed, generation, self.individuals, number * (1 + PLAYERS))
        if self.selection == "tournament":
            chosen = tournament(expected, words[number:].reshape(number, PLAYERS))
        elif self.selection == "roulette":
            chosen = roulette(expected, words[number : 2 * number])
        else:
            chosen = stochastic_uniform(expected, words[number : number + 1])
        chosen = shuffled(chosen, words[:number])
        couples, mutated = chosen[: 2 * crossovers], chosen[2 * crossovers :]
        elite = np.argsort(fitness, kind="stable")[: self.elite]
        return Parents(elite, couples[::2].copy(), couples[1::2].copy(), mutated)


def _words(seed: int, generation: int, place: int, number: int) -> Words:
    """The first words of the stream of a place in a generation."""
    stream, words = np.empty(1, np.uint64), np.empty(number, np.uint64)
    begin(stream, np.uint64(seed), np.uint64(generation), np.uint64(place))
    fill(stream, words)
    return words


def _check_whole(name: str, value: Any, least: int, most: float = math.inf) -> None:
    if not isinstance(value, Integral) or isinstance(value, bool) or not least <= int(value) <= most:
        upto = "" if most == math.inf else f" to {most}"
        msg = f"{name} is {value!r}: expected a whole number from {least}{upto}"
        raise ValueError(msg)


def _check_number(name: str, value: Any, most: float) -> None:
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= float(value) <= most or value == math.inf:
        upto = "a finite number from 0" if most == math.inf else f"a number from 0 to {most}"
        msg = f"{name} is {value!r}: expected {upto}"
        raise ValueError(msg)
