"""EVO-Tree: a decision tree by an evolutionary algorithm (Jankowski and Jackowski, `003_…`)."""

from __future__ import annotations

from numbers import Integral
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from algorithms.attributes.one_hot import filled, usual_values
from algorithms.data_set import DataSet
from algorithms.evolutionary.coded_rows import CodedRows, NominalTests
from algorithms.evolutionary.evolution import Evolution, History
from algorithms.evolutionary.selection import Selection
from algorithms.induction.tree_classifier import TreeClassifier
from algorithms.inputs import Nominal
from algorithms.optimal.plan import Leaf, tree_of_plan
from algorithms.tree import DecisionTree

__all__ = ["EVOTreeClassifier"]

Numbers = NDArray[np.float64]

SEEDS = 1 << 64


class EVOTreeClassifier(TreeClassifier):
    """EVO-Tree: binary trees evolve towards the least alpha_1 x training error + alpha_2 x depth / target_depth.

    The first trees are random: the root is split, each further node with `split_probability`; attribute, cut midway
    between neighbouring distinct numbers, and the class of a leaf are drawn with equal chances. Of each generation the
    `elite` go on, and the others are made anew: the share `crossover_share` (rounded) by crossover, a random node's
    subtree in the place of another's, the rest by mutation, in which a random node's test or class is drawn again.
    Parents are chosen as Matlab's `ga` does, which the paper used: the fittest has rank 1, and a tree is expected to be
    one in proportion to 1 / sqrt(rank). A leaf's class is the one that evolved, not that of most of its rows.

    max_depth         : edges from the root to a leaf at most, 1 to 61, of any tree; the second tree of a crossover
                        gives a node whose subtree fits
    target_depth      : what depths are divided by
    alpha_1, alpha_2  : what error and depth cost
    individuals       : trees of a generation
    generations       : at most; 0: the best of the first trees is taken
    patience          : generations without improvement of the best after which it ends
    elite             : how many of the fittest go on as they are
    crossover_share   : of the others, those made by crossover
    split_probability : P_split
    selection         : "stochastic_uniform", "roulette", or "tournament" of 4
    nominal_tests     : "integers", as the paper has it: labels in their order are cut like numbers; "labels": one label
                        against all others
    missing           : "refuse" missing values, or "fill": the mean, or the most common label, of the training rows
    random_state      : whole number from 0; the same tree for the same one, on any machine
    nominal           : columns of numbers that are nominal, by name or place

    After `fit`, `fitness_` is that of `tree_`, and `history_` has the best and mean fitness of each generation, at 0
    those of the first trees. Where the rows have one class, or no attribute with two values, nothing evolves: the tree
    is a leaf with the most common class. A label that training did not have stays at a node that asks for it, whose
    answer is the most common class there. Rows count by their weights.
    """

    fitness_: float
    history_: History

    def __init__(  # noqa: PLR0913 - the paper's
        self,
        *,
        max_depth: int = 8,
        target_depth: int = 21,
        alpha_1: float = 0.99,
        alpha_2: float = 0.01,
        individuals: int = 400,
        generations: int = 500,
        patience: int = 100,
        elite: int = 3,
        crossover_share: float = 0.6,
        split_probability: float = 0.7,
        selection: Selection = "stochastic_uniform",
        nominal_tests: NominalTests = "integers",
        missing: Literal["refuse", "fill"] = "refuse",
        random_state: int = 0,
        nominal: Nominal = "auto",
    ) -> None:
        self.max_depth = max_depth
        self.target_depth = target_depth
        self.alpha_1 = alpha_1
        self.alpha_2 = alpha_2
        self.individuals = individuals
        self.generations = generations
        self.patience = patience
        self.elite = elite
        self.crossover_share = crossover_share
        self.split_probability = split_probability
        self.selection = selection
        self.nominal_tests = nominal_tests
        self.missing = missing
        self.random_state = random_state
        self.nominal = nominal

    @property
    def handles_missing(self) -> bool:  # type: ignore[override]
        """Whether missing values are filled."""
        return self.missing == "fill"

    def _grow(self, data: DataSet, weights: Numbers) -> DecisionTree:
        evolution = self._evolution()
        if self.missing == "fill":
            self._filling = usual_values(data, weights)
            data = filled(data, self._filling)
        coded = CodedRows.of(data, weights, self.nominal_tests)
        if len(coded.classes) == 1 or not coded.attribute:
            leaf = tree_of_plan(Leaf(), data, weights)
            alone = evolution.fitness(leaf.counts.max(axis=1), weights.sum(), np.zeros(1, np.int64))
            self.fitness_, self.history_ = float(alone[0]), History(alone, alone)
            return leaf
        evolved = evolution.run(coded, int(self.random_state))
        self.fitness_, self.history_ = evolved.fitness, evolved.history
        return tree_of_plan(coded.plan(evolved.nodes), data, weights)

    def _evolution(self) -> Evolution:
        """The options, checked."""
        for name, value, allowed in (
            ("nominal_tests", self.nominal_tests, get_args(NominalTests)),
            ("missing", self.missing, ("refuse", "fill")),
        ):
            if value not in allowed:
                msg = f"{name} is {value!r}: expected {' or '.join(map(repr, allowed))}"
                raise ValueError(msg)
        seed = self.random_state
        if not isinstance(seed, Integral) or isinstance(seed, bool) or not 0 <= int(seed) < SEEDS:
            msg = f"random_state is {seed!r}: expected a whole number from 0 to 2**64 - 1"
            raise ValueError(msg)
        return Evolution(
            max_depth=self.max_depth,
            target_depth=self.target_depth,
            alpha_1=self.alpha_1,
            alpha_2=self.alpha_2,
            individuals=self.individuals,
            generations=self.generations,
            patience=self.patience,
            elite=self.elite,
            crossover_share=self.crossover_share,
            split_probability=self.split_probability,
            selection=self.selection,
        )

    def _values(self, data: DataSet) -> Numbers:
        return super()._values(filled(data, self._filling) if self.missing == "fill" else data)

    def _distribution(self, data: DataSet) -> Numbers:
        """Sure of the class predicted: classes evolved, which may not be those of most rows."""
        return np.asarray(np.eye(len(self.classes_))[self._decisions(data)])
