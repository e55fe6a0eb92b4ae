"""EVO-Tree the plain way: trees as dictionaries by index, every row walked down every tree, draws in Python's integers.

Rows are tuples of codes. A node is a class, or (attribute, cut): codes up to the cut go left, or, where the attribute
is asked by label, those that equal it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

Tree = dict[int, "tuple[int, int] | int"]

ALL = 2**64 - 1
STEP = 0x9E3779B97F4A7C15


def mixed(word: int) -> int:
    """Finaliser of splitmix64 (Steele, Lea and Flood, 2014)."""
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & ALL
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB & ALL
    return word ^ (word >> 31)


class Stream:
    """The draws of a position in a generation."""

    def __init__(self, *key: int) -> None:
        self.state = 0
        for part in key:
            self.state = mixed(((self.state ^ part) + STEP) & ALL)

    def word(self) -> int:
        self.state = (self.state + STEP) & ALL
        return mixed(self.state)

    def below(self, count: int) -> int:
        return (self.word() >> 32) * count >> 32

    def chance(self, probability: float) -> bool:
        return Fraction(self.word() >> 11, 2**53) < Fraction(probability)


@dataclass(frozen=True)
class Problem:
    """Rows of codes, their classes and weights; how many cuts each attribute has, and whether it is asked by label.

    `majority`: whether a leaf has the class of most of its rows rather than its own.
    """

    rows: list[tuple[int, ...]]
    classes: list[int]
    weights: list[int]
    cuts: list[int]
    by_label: list[bool]
    majority: bool = False

    def draw_class(self, stream: Stream) -> int:
        return stream.below(max(self.classes) + 1)

    def draw_test(self, stream: Stream) -> tuple[int, int]:
        attribute = stream.below(len(self.cuts))
        return attribute, stream.below(self.cuts[attribute])

    def leaf(self, tree: Tree, row: tuple[int, ...]) -> int:
        """The index of the leaf that a row reaches."""
        index = 1
        while isinstance(node := tree[index], tuple):
            attribute, cut = node
            left = row[attribute] == cut if self.by_label[attribute] else row[attribute] <= cut
            index = 2 * index + (not left)
        return index

    def right(self, tree: Tree) -> int:
        reached: dict[int, Counter[int]] = {}
        for row, label, weight in zip(self.rows, self.classes, self.weights, strict=True):
            reached.setdefault(self.leaf(tree, row), Counter())[label] += weight
        if self.majority:
            return sum(max(counts.values()) for counts in reached.values())
        return sum(counts[tree[leaf]] for leaf, counts in reached.items())


def level(index: int) -> int:
    return index.bit_length() - 1


def depth(tree: Tree) -> int:
    return max(map(level, tree))


def subtree(tree: Tree, top: int) -> Tree:
    """The nodes below one, it included, by their indices in a tree of their own."""
    result = {}
    for index, node in tree.items():
        steps = level(index) - level(top)
        if steps >= 0 and index >> steps == top:
            result[index - (top << steps) + (1 << steps)] = node
    return result


def replaced(tree: Tree, top: int, other: Tree) -> Tree:
    """The tree with another instead of the nodes below one."""
    gone = subtree(tree, top)
    result = {index: node for index, node in tree.items() if index not in {moved(i, top) for i in gone}}
    return result | {moved(index, top): node for index, node in other.items()}


def moved(index: int, top: int) -> int:
    """The index, in the whole tree, of a node of the subtree at `top`."""
    steps = level(index)
    return index - (1 << steps) + (top << steps)


def random_tree(problem: Problem, split_probability: float, max_depth: int, stream: Stream) -> Tree:
    tree: Tree = {}
    waiting = [1]
    for index in waiting:
        if index == 1 or (level(index) < max_depth and stream.chance(split_probability)):
            tree[index] = problem.draw_test(stream)
            waiting += [2 * index, 2 * index + 1]
        else:
            tree[index] = problem.draw_class(stream)
    return tree


def crossed(first: Tree, second: Tree, max_depth: int, stream: Stream) -> Tree:
    top = sorted(first)[stream.below(len(first))]
    while True:
        other = subtree(second, sorted(second)[stream.below(len(second))])
        if level(top) + depth(other) <= max_depth:
            return replaced(first, top, other)


def mutated(problem: Problem, tree: Tree, stream: Stream) -> Tree:
    index = sorted(tree)[stream.below(len(tree))]
    while problem.majority and isinstance(tree[index], int) and len(tree) > 1:
        index = sorted(tree)[stream.below(len(tree))]
    again = problem.draw_test(stream) if isinstance(tree[index], tuple) else problem.draw_class(stream)
    return tree | {index: again}


def chosen(fitness: list[float], parents: int, stream: Stream, selection: str) -> list[int]:
    """The parents, shuffled, as Matlab's functions of these names choose them."""
    order = sorted(range(len(fitness)), key=fitness.__getitem__)
    scores = {tree: 1 / math.sqrt(rank) for rank, tree in enumerate(order, start=1)}
    total = list(accumulate(scores[tree] for tree in range(len(fitness))))[-1]
    expected = [scores[tree] * (parents / total) for tree in range(len(fitness))]
    wheel = list(accumulate(expected))
    keys = [stream.word() for _ in range(parents)]
    if selection == "tournament":
        players = [[stream.below(len(fitness)) for _ in range(4)] for _ in range(parents)]
        results = [max(four, key=expected.__getitem__) for four in players]
    else:
        if selection == "stochastic_uniform":
            offset = (stream.word() >> 11) / 2**53
            positions = [index + offset for index in range(parents)]
        else:
            positions = [(stream.word() >> 11) / 2**53 * parents for _ in range(parents)]
        results = [sum(end <= position for end in wheel[:-1]) for position in positions]
    return [results[index] for index in sorted(range(parents), key=keys.__getitem__)]


def generations(
    problem: Problem,
    seed: int,
    *,
    individuals: int,
    elite: int,
    crossover_share: float,
    split_probability: float,
    max_depth: int,
    selection: str,
    alphas: tuple[float, float],
    target_depth: int,
) -> Iterator[tuple[list[Tree], list[float]]]:
    """Population after population, and the fitness of each tree."""
    trees = [random_tree(problem, split_probability, max_depth, Stream(seed, 0, index)) for index in range(individuals)]
    all_weight = sum(problem.weights)
    number = 0
    while True:
        number += 1
        fitness = [
            alphas[0] * ((all_weight - problem.right(tree)) / all_weight) + alphas[1] * (depth(tree) / target_depth)
            for tree in trees
        ]
        yield trees, fitness
        crossovers = math.floor(crossover_share * (individuals - elite) + 0.5)
        parents = chosen(fitness, individuals - elite + crossovers, Stream(seed, number, individuals), selection)
        kept = sorted(range(individuals), key=fitness.__getitem__)[:elite]
        born = [trees[tree] for tree in kept]
        for couple in range(crossovers):
            first, second = trees[parents[2 * couple]], trees[parents[2 * couple + 1]]
            born.append(crossed(first, second, max_depth, Stream(seed, number, len(born))))
        for tree in parents[2 * crossovers :]:
            born.append(mutated(problem, trees[tree], Stream(seed, number, len(born))))
        trees = born
