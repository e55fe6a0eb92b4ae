"""Sets of trees as they are defined: all trees are listed, each is costed by its rows, and the set is sifted.

Tables and trees are those of `tests.oracles.brute_force`; nothing here is shared with the project.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from math import prod
from typing import Any

from tests.oracles.brute_force import Table, Tree, count_nodes, parts_of, size, splitting

COSTS = ("depth", "average_depth", "nodes", "nonterminal_nodes", "terminal_nodes")
Point = tuple[Fraction, Fraction]


def frozen(tree: Tree) -> Any:
    """A tree that can be in a set."""
    return (
        (tree[0], tuple((code, frozen(tree[1][code])) for code in sorted(tree[1]))) if isinstance(tree, tuple) else tree
    )


def pairs(table: Table) -> int:
    """Pairs of rows with different decisions, a row of weight w counting as w rows."""
    return sum(a[2] * b[2] for a, b in itertools.combinations(table, 2) if a[1] != b[1])


def most_common(table: Table) -> int:
    votes: Counter[int] = Counter()
    for _, decision, weight in table:
        votes[decision] += weight
    return min(votes, key=lambda decision: (-votes[decision], decision))


def alpha_trees(table: Table, alpha: Fraction, whole: Table | None = None, *, must_stop: bool = True) -> Iterator[Tree]:
    """Every alpha-decision tree: terminal where pairs are at most alpha times those of the whole, and only there.

    With `must_stop=False` those too that go on there, down to subtables of one decision.
    """
    whole = whole or table
    if pairs(table) <= alpha * pairs(whole):
        yield most_common(table)
        if must_stop or not pairs(table):
            return
    for attribute in splitting(table):
        parts = parts_of(table, attribute)
        choices = [list(alpha_trees(part, alpha, whole, must_stop=must_stop)) for part in parts.values()]
        for below in itertools.product(*choices):
            yield attribute, dict(zip(parts, below, strict=True))


def costs_of(table: Table, tree: Tree) -> dict[str, Fraction]:
    """The five costs, counted on the tree."""
    lengths = []
    for codes, _, weight in table:
        length, node = 0, tree
        while isinstance(node, tuple):
            length, node = length + 1, node[1][codes[node[0]]]
        lengths.append((length, weight))
    nonterminal, terminal = count_nodes(tree)
    average = Fraction(sum(length * weight for length, weight in lengths), size(table))
    deepest = Fraction(max(length for length, _ in lengths))
    numbers = (nonterminal + terminal, nonterminal, terminal)
    return dict(zip(COSTS, (deepest, average, *map(Fraction, numbers)), strict=True))


def optimal(costed: Sequence[tuple[Tree, dict[str, Fraction]]], names: Sequence[str]) -> list[Tree]:
    """Those of least first cost; among these those of least second; and so on."""
    left = list(costed)
    for name in names:
        least = min(costs[name] for _, costs in left)
        left = [(tree, costs) for tree, costs in left if costs[name] == least]
    return [tree for tree, _ in left]


def front(points: Iterator[Point] | Sequence[Point]) -> list[Point]:
    """Points that no other one equals or betters by both coordinates, by the first of them."""
    distinct = set(points)
    return sorted(p for p in distinct if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in distinct))


def front_by_recursion(table: Table, first: str, second: str, alpha: Fraction = Fraction(0)) -> list[Point]:
    """As `front` of the costs of all alpha-decision trees, for tables of too many: unions of parts' fronts, sifted."""
    whole, allowed = size(table), alpha * pairs(table)

    def joined(name: str, n: int, parts: Sequence[Fraction]) -> Fraction:
        if name == "depth":
            return 1 + max(parts)
        added = {"average_depth": Fraction(n, whole), "terminal_nodes": Fraction(0)}
        return added.get(name, Fraction(1)) + sum(parts)

    @cache
    def below(subtable: Table) -> tuple[Point, ...]:
        if pairs(subtable) <= allowed:
            leaf = {"nodes": Fraction(1), "terminal_nodes": Fraction(1)}
            return ((leaf.get(first, Fraction(0)), leaf.get(second, Fraction(0))),)
        collected: set[Point] = set()
        for attribute in splitting(subtable):
            parts = parts_of(subtable, attribute).values()
            for chosen in itertools.product(*(below(part) for part in parts)):
                n = size(subtable)
                collected.add((joined(first, n, [p[0] for p in chosen]), joined(second, n, [p[1] for p in chosen])))
        return tuple(front(list(collected)))

    return list(below(table))


def sorting_table(elements: int) -> tuple[list[list[int]], list[int]]:
    """(codes, decisions) of sorting: a row per order of the elements, an attribute per pair: which comes first."""
    orders = list(itertools.permutations(range(elements)))
    pairs_of = list(itertools.combinations(range(elements), 2))
    return [[int(order[i] < order[j]) for i, j in pairs_of] for order in orders], list(range(len(orders)))


def sorting_trees(elements: int) -> tuple[int, int]:
    """(least total path length, number of trees that have it) of sorting, by partial orders instead of subtables."""

    @cache
    def best(above: tuple[int, ...]) -> tuple[int, int, int]:
        """(orders that agree, least length, number) of a partial order: bit k of above[i] means that k is above i."""
        collected = []
        for i, j in itertools.combinations(range(elements), 2):
            if above[i] >> j & 1 or above[j] >> i & 1:
                continue
            answers = []
            for low, high in ((i, j), (j, i)):
                more = above[high] | 1 << high
                closed = tuple(bits | more if k == low or bits >> low & 1 else bits for k, bits in enumerate(above))
                answers.append(best(closed))
            agree, length = (sum(answer[index] for answer in answers) for index in (0, 1))
            collected.append((agree, agree + length, prod(answer[2] for answer in answers)))
        if not collected:
            return 1, 0, 1
        least = min(length for _, length, _ in collected)
        return collected[0][0], least, sum(number for _, length, number in collected if length == least)

    return best((0,) * elements)[1:]
