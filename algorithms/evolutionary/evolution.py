"""The run of EVO-Tree (Jankowski & Jackowski 2014, section 4): a population of trees, generation after generation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers
from algorithms.evolutionary.breeding import ParentTrees
from algorithms.evolutionary.generations import Generations, paired_parents, parents_needed
from algorithms.evolutionary.population import Population
from algorithms.evolutionary.selection import (
    Selection,
    expectations,
    roulette,
    shuffled,
    stochastic_uniform,
    tournament,
)
from algorithms.evolutionary.training_rows import TrainingRows

PLAYERS = 4
"""Players of a tournament, as in Matlab."""


@dataclass(frozen=True, eq=False)
class History:
    """The best and the mean fitness of each generation (generations run + 1,); index 0 is the random generation."""

    best: Numbers
    mean: Numbers


@dataclass(frozen=True, eq=False)
class Evolved:
    """The fittest tree of the last generation."""

    nodes: NDArray[np.void]  # as the kernels have them
    fitness: float
    history: History
    population: Population  # the last generation


@dataclass(frozen=True)
class Evolution:
    """How trees evolve; `algorithms.evolutionary.evo_tree.EVOTreeClassifier` documents the options.

    Raises ValueError unless there are fewer elite trees than trees.
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
        """Convert the options to Python's own numbers: sums of numpy's small types may overflow."""
        for name, value in vars(self).items():
            if name != "selection":
                object.__setattr__(self, name, int(value) if isinstance(value, Integral) else float(value))
        if self.individuals <= self.elite:
            raise ValueError(
                f"individuals is {self.individuals} and elite is {self.elite}: expected individuals > elite"
            )

    def fitness(self, correct: NDArray[Any], total: float, depth: NDArray[np.int64]) -> Numbers:
        """(trees,): the fitness of equation 1; the error is the share of the total weight that is not `correct`."""
        error = (total - correct) / total
        return np.asarray(self.alpha_1 * error + self.alpha_2 * (depth / self.target_depth))

    def run(self, coded: TrainingRows, seed: int, start: Population | None = None, generation: int = 0) -> Evolved:
        """Evolve trees for rows with some attribute to test; the same trees for the same seed.

        start : the population of a `generation` to continue from, whose tests are of these rows

        Raises ValueError if the trees of a generation have more than `MOST_NODES` nodes together.
        """
        best: list[float] = []
        mean: list[float] = []
        generations = self.populations(coded, seed, start, generation)
        while True:
            population, fitness = next(generations)
            best.append(float(fitness.min()))
            mean.append(float(np.cumsum(fitness)[-1] / len(fitness)))
            generations_run, improved = len(best) - 1, best.index(min(best))
            if generations_run == self.generations or generations_run - improved == self.patience:
                fittest = int(fitness.argmin())
                nodes = population.nodes[population.start[fittest] : population.start[fittest + 1]].copy()
                return Evolved(nodes, best[-1], History(np.array(best), np.array(mean)), population)

    def populations(
        self, coded: TrainingRows, seed: int, start: Population | None = None, generation: int = 0
    ) -> Iterator[tuple[Population, Numbers]]:
        """Generation after generation without end, the random one first, and the fitness (trees,) of its trees.

        start : the population of a `generation`, which comes first instead; its tests are of these rows

        A population is overwritten by the next but one.
        """
        generations = Generations(
            coded,
            trees=self.individuals,
            max_depth=self.max_depth,
            split_probability=self.split_probability,
            seed=seed,
        )
        population = generations.first() if start is None else generations.evaluated(start)
        for following in count(generation + 1):
            fitness = self.fitness(population.correct, coded.total, population.depth)
            yield population, fitness
            parents = self._parents(fitness, generations, following)
            population = generations.following(population, parents, following)

    def _parents(self, fitness: Numbers, generations: Generations, generation: int) -> ParentTrees:
        """The elite, and the parents of each child."""
        number, crossovers = parents_needed(self.individuals - self.elite, self.crossover_share)
        expected = expectations(fitness, number)
        words = generations.words(generation, number * (1 + PLAYERS))
        if self.selection == "tournament":
            chosen = tournament(expected, words[number:].reshape(number, PLAYERS))
        elif self.selection == "roulette":
            chosen = roulette(expected, words[number : 2 * number])
        else:
            chosen = stochastic_uniform(expected, words[number : number + 1])
        elite = np.argsort(fitness, kind="stable")[: self.elite]
        return paired_parents(elite, shuffled(chosen, words[:number]), crossovers)
