"""Breeds one population of trees from another over the same rows, from given parents."""

from __future__ import annotations

import math

import numpy as np

from algorithms.array_types import Words
from algorithms.evolutionary.breeding import ParentTrees, evaluate, first_generation, next_generation
from algorithms.evolutionary.correct_rows import BLOCK, EvaluationBuffers
from algorithms.evolutionary.draws import begin_stream, draw_words
from algorithms.evolutionary.population import NODE, Population
from algorithms.evolutionary.selection import Trees
from algorithms.evolutionary.training_rows import TrainingRows

MOST_DEPTH = 61
"""In edges: the indices of 62 levels, and their sums, fit into 64 bits."""

MOST_NODES = 1 << 27
"""Nodes of a population: 3 GiB."""

SPARE = 1.5
"""Share of additional nodes allocated beyond those needed or expected."""


class Generations:
    """Breeds populations of `trees` trees over rows with some attribute to test.

    split_probability : of a node of the first trees; max_depth : of any tree, in edges; seed : of all draws
    """

    def __init__(self, coded: TrainingRows, *, trees: int, max_depth: int, split_probability: float, seed: int) -> None:
        words = len(coded.rows.every)
        self._coded = coded
        self._trees, self._max_depth, self._split_probability = trees, max_depth, split_probability
        self._seed = seed
        self._scratch = EvaluationBuffers(
            masks=np.empty((max_depth + 2, 2, words if coded.rows.majority else min(BLOCK, words)), np.uint64),
            waiting=np.empty((2 * max_depth + 2, 3), np.int64),
        )
        self._spare = self._population(0)

    def first(self) -> Population:
        """The random population.

        Raises ValueError if the trees have more than `MOST_NODES` nodes together; so does `following`.
        """
        level, tree = 2.0, 1.0  # expected nodes
        for _ in range(self._max_depth):
            tree += level
            level *= 2 * self._split_probability
        nodes = math.ceil(tree * self._trees * SPARE)
        while True:
            population = self._population(nodes)
            if first_generation(
                population,
                self._coded.tests,
                self._coded.rows,
                self._scratch,
                self._split_probability,
                self._max_depth,
                np.uint64(self._seed),
            ):
                return population
            nodes *= 2

    def evaluated(self, population: Population) -> Population:
        """Evaluate trees bred over other rows, whose tests are now of these rows."""
        evaluate(population, self._coded.rows, self._scratch)
        return population

    def following(self, population: Population, parents: ParentTrees, generation: int) -> Population:
        """The population of a generation, from 1, bred from the previous one; the next but one overwrites it."""
        sizes = np.diff(population.start)
        needed = int(sum(sizes[trees].sum() for trees in parents))
        bred, self._spare = self._spare, population
        if needed > len(bred.nodes):
            bred = self._population(math.ceil(needed * SPARE))
        next_generation(
            population,
            parents,
            bred,
            self._coded.tests,
            self._coded.rows,
            self._scratch,
            self._max_depth,
            np.uint64(self._seed),
            np.uint64(generation),
        )
        return bred

    def words(self, generation: int, number: int) -> Words:
        """The first random words of a generation that no tree uses."""
        return words_of_stream(self._seed, generation, self._trees, number)

    def _population(self, nodes: int) -> Population:
        """An empty population for this many nodes."""
        trees = self._trees
        if nodes > MOST_NODES:
            raise ValueError(
                f"{trees} trees of depth up to {self._max_depth} have more than {MOST_NODES:,} nodes: choose "
                "a smaller max_depth, split_probability or number of individuals"
            )
        return Population(
            np.empty(nodes, NODE), np.zeros(trees + 1, np.int64), np.zeros(trees, np.int64), np.zeros(trees, np.int64)
        )


def words_of_stream(seed: int, generation: int, index: int, number: int) -> Words:
    """The first words of the stream of an index in a generation; trees have the indices below their number."""
    stream, words = np.empty(1, np.uint64), np.empty(number, np.uint64)
    begin_stream(stream, np.uint64(seed), np.uint64(generation), np.uint64(index))
    draw_words(stream, words)
    return words


def parents_needed(children: int, crossover_share: float) -> tuple[int, int]:
    """The number of parents of these children, two or one each, and the number of children made by crossover."""
    crossovers = math.floor(crossover_share * children + 0.5)
    return children + crossovers, crossovers


def paired_parents(elite: Trees, chosen: Trees, crossovers: int) -> ParentTrees:
    """The elite, and the chosen parents: in pairs for the crossovers, then one by one."""
    paired = chosen[: 2 * crossovers]
    return ParentTrees(elite, paired[::2].copy(), paired[1::2].copy(), chosen[2 * crossovers :])
