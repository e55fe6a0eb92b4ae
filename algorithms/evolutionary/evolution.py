"""The run of EVO-Tree (`003_…`, section 4): a population of trees, generation after generation."""

from __future__ import annotations

import math
from dataclasses import dataclass
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

FIRST_ROOM = 64
"""Nodes a tree that room is made for at first; it is doubled until it is enough."""


@dataclass(frozen=True, eq=False)
class History:
    """The fitness of each generation (generations run + 1,), that of the first population at 0: the less, the fitter."""

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
    players: int

    def __post_init__(self) -> None:
        """Check the options."""
        _check_whole("max_depth", self.max_depth, 1, MOST_DEPTH)
        _check_whole("elite", self.elite, 1)
        for name, least in (("target_depth", 1), ("individuals", 2), ("generations", 0), ("patience", 1), ("players", 1)):
            _check_whole(name, getattr(self, name), least)
        if self.individuals <= self.elite:
            msg = f"individuals is {self.individuals} and elite {self.elite}: expected more individuals than elite ones"
            raise ValueError(msg)
        for name, most in (("alpha_1", math.inf), ("alpha_2", math.inf), ("crossover_share", 1), ("split_probability", 1)):
            _check_number(name, getattr(self, name), most)
        if self.selection not in get_args(Selection):
            msg = f"selection is {self.selection!r}: expected one of {', '.join(get_args(Selection))}"
            raise ValueError(msg)

    def fitness(self, right: NDArray[Any], total: float, depth: NDArray[np.int64]) -> Numbers:
        """(trees,): alpha_1 x error + alpha_2 x depth / target_depth (equation 1), error the weight not right / total."""
        error = (total - right) / total
        return np.asarray(self.alpha_1 * error + self.alpha_2 * (depth / self.target_depth))

    def run(self, coded: CodedRows, seed: int) -> Evolved:
        """Evolve trees for rows of which some attribute may be asked; the same for the same seed.

        Raises ValueError where the trees of a generation have more nodes together than memory is wanted for.
        """
        words = len(coded.rows.every)
        room = Room(
            masks=np.empty((self.max_depth + 2, 2, words if coded.rows.majority else min(BLOCK, words)), np.uint64),
            waiting=np.empty((2 * self.max_depth + 2, 3), np.int64),
        )
        now, then = self._first(coded, room, seed), self._population(0)
        fitness = self.fitness(now.right, coded.total, now.depth)
        best, mean = [float(fitness.min())], [float(fitness.mean())]
        improved = 0
        for generation in range(1, self.generations + 1):
            parents = self._parents(fitness, seed, generation)
            sizes = np.diff(now.start)
            needed = int(sum(sizes[trees].sum() for trees in parents))
            if needed > len(then.nodes):
                then = self._population(needed + needed // 2)
            next_generation(
                now, parents, then, coded.tests, coded.rows, room, self.max_depth, np.uint64(seed), np.uint64(generation)
            )
            now, then = then, now
            fitness = self.fitness(now.right, coded.total, now.depth)
            best.append(float(fitness.min()))
            mean.append(float(fitness.mean()))
            if best[-1] < best[improved]:
                improved = generation
            elif generation - improved >= self.patience:
                break
        fittest = int(fitness.argmin())
        nodes = now.nodes[now.start[fittest] : now.start[fittest + 1]].copy()
        return Evolved(nodes, best[-1], History(np.array(best), np.array(mean)))

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
        nodes = FIRST_ROOM * self.individuals
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
        words = _words(seed, generation, self.individuals, number * (1 + self.players))
        if self.selection == "tournament":
            chosen = tournament(expected, words[number:].reshape(number, self.players))
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
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= value <= most or value == math.inf:
        upto = "a finite number from 0" if most == math.inf else f"a number from 0 to {most}"
        msg = f"{name} is {value!r}: expected {upto}"
        raise ValueError(msg)
