"""What the paper defines, computed as it is defined: all trees, one by one. Nothing here is shared with the project.

A table is a tuple of rows (codes, decision, weight), codes a tuple of numbers. A tree is a number, its decision, or
(attribute, {code: tree}).
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal, getcontext
from fractions import Fraction
from typing import Any

getcontext().prec = 60

Row = tuple[tuple[int, ...], int, int]
Table = tuple[Row, ...]
Tree = Any
Five = tuple[int, int, int, int, int]

MEASURES = ("ent", "gini", "me", "rt")
TYPES = ("max", "sum", "w_max", "w_sum")


def table_of(codes: Sequence[Sequence[int]], decisions: Sequence[int], weights: Sequence[int] | None = None) -> Table:
    """Rows as given, equal ones replaced by one with the most common decision, the smallest of several."""
    kinds: dict[tuple[int, ...], Counter[int]] = {}
    for i, row in enumerate(codes):
        votes = kinds.setdefault(tuple(int(code) for code in row), Counter())
        votes[int(decisions[i])] += 1 if weights is None else int(weights[i])
    return tuple(
        (row, min(votes, key=lambda d: (-votes[d], d)), 1 if weights is None else sum(votes.values()))
        for row, votes in kinds.items()
    )


def size(table: Table) -> int:
    return sum(weight for _, _, weight in table)


def decisions_of(table: Table) -> set[int]:
    return {decision for _, decision, _ in table}


def parts_of(table: Table, attribute: int) -> dict[int, Table]:
    codes = sorted({row[0][attribute] for row in table})
    return {code: tuple(row for row in table if row[0][attribute] == code) for code in codes}


def splitting(table: Table) -> list[int]:
    """E(T): the attributes that are not constant."""
    return [i for i in range(len(table[0][0])) if len(parts_of(table, i)) > 1]


def all_trees(table: Table) -> Iterator[Tree]:
    """Every decision tree for the table."""
    if len(decisions_of(table)) == 1:
        yield table[0][1]
        return
    for attribute in splitting(table):
        parts = parts_of(table, attribute)
        for below in itertools.product(*(list(all_trees(part)) for part in parts.values())):
            yield attribute, dict(zip(parts, below, strict=True))


def count_trees(table: Table, limit: int) -> int:
    """How many trees `all_trees` gives; anything above `limit` once there are more."""
    if len(decisions_of(table)) == 1:
        return 1
    total = 0
    for attribute in splitting(table):
        product = 1
        for part in parts_of(table, attribute).values():
            product *= count_trees(part, limit)
        total += product
        if total > limit:
            break
    return total


def paths(table: Table, tree: Tree) -> list[int]:
    """For each row, how many attributes are tested before its decision."""
    lengths = []
    for codes, decision, _ in table:
        length, node = 0, tree
        while isinstance(node, tuple):
            node = node[1][codes[node[0]]]
            length += 1
        assert node == decision
        lengths.append(length)
    return lengths


def count_nodes(tree: Tree) -> tuple[int, int]:
    """(nonterminal, terminal) nodes."""
    if not isinstance(tree, tuple):
        return 0, 1
    below = [count_nodes(child) for child in tree[1].values()]
    return 1 + sum(n for n, _ in below), sum(t for _, t in below)


def costs(table: Table, tree: Tree) -> Five:
    """Depth, total path length, nodes, nonterminal nodes, terminal nodes: counted on the tree, not by induction."""
    lengths = paths(table, tree)
    nonterminal, terminal = count_nodes(tree)
    length = sum(n * row[2] for n, row in zip(lengths, table, strict=True))
    return max(lengths), length, nonterminal + terminal, nonterminal, terminal


def least_costs(table: Table) -> Five:
    """The least of each cost over all trees."""
    results = [costs(table, tree) for tree in all_trees(table)]
    return tuple(min(column) for column in zip(*results, strict=True))  # type: ignore[return-value]


def inductive_cost(
    table: Table, tree: Tree, psi_zero: float, combine: Callable[[int, Sequence[float]], float]
) -> float:
    """psi(T, tree) by the paper's induction on (T, tree)."""
    if not isinstance(tree, tuple):
        return psi_zero
    parts = parts_of(table, tree[0])
    below = [inductive_cost(parts[code], child, psi_zero, combine) for code, child in tree[1].items()]
    return combine(size(table), below)


def least_inductive_cost(table: Table, psi_zero: float, combine: Callable[[int, Sequence[float]], float]) -> float:
    return min(inductive_cost(table, tree, psi_zero, combine) for tree in all_trees(table))


def uncertainty(table: Table, measure: str) -> Fraction | Decimal:
    """The measure: exactly, the entropy to 60 digits."""
    n = size(table)
    counts = [sum(w for _, d, w in table if d == decision) for decision in decisions_of(table)]
    if measure == "me":
        return Fraction(n - max(counts))
    if measure == "rt":
        return Fraction(sum(a * b for a, b in itertools.combinations(counts, 2)))
    if measure == "gini":
        return 1 - sum(Fraction(count, n) ** 2 for count in counts)
    two = Decimal(2).ln()
    return -sum((Decimal(c) / n * (Decimal(c) / n).ln() / two for c in counts), Decimal(0))


def impurity(table: Table, attribute: int, impurity_type: str, measure: str) -> Fraction | Decimal:
    terms = []
    for part in parts_of(table, attribute).values():
        term = uncertainty(part, measure)
        if impurity_type.startswith("w_"):
            share = Fraction(size(part), size(table))
            term = term * share if isinstance(term, Fraction) else term * share.numerator / share.denominator
        terms.append(term)
    return max(terms) if impurity_type.endswith("max") else sum(terms[1:], terms[0])


def greedy(table: Table, impurity_type: str, measure: str) -> Tree:
    """V_I(T), the impurity being that of the node's subtable; the first attribute of least impurity."""
    if len(decisions_of(table)) == 1:
        return table[0][1]
    chosen, least = -1, None
    for attribute in splitting(table):
        result = impurity(table, attribute, impurity_type, measure)
        # entropies that agree to 45 of 60 digits are equal: below 50 rows unequal ones differ long before that
        margin = Decimal("1e-45") if isinstance(result, Decimal) else 0
        if least is None or result < least - margin:
            chosen, least = attribute, result
    return chosen, {code: greedy(part, impurity_type, measure) for code, part in parts_of(table, chosen).items()}


def separable_subtables(table: Table) -> set[Table]:
    """T(f, a)... for every set of conditions, by definition: the nonempty ones."""
    attributes = range(len(table[0][0]))
    result = set()
    for request in itertools.chain.from_iterable(
        itertools.combinations(attributes, k) for k in range(len(attributes) + 1)
    ):
        for row in table:
            result.add(tuple(r for r in table if all(r[0][i] == row[0][i] for i in request)))
    return result


def graph(table: Table) -> dict[Table, dict[int, dict[int, Table]]]:
    """The graph of section 4: each subtable reached, with its bundles of edges; terminal ones have none."""
    nodes: dict[Table, dict[int, dict[int, Table]]] = {}
    waiting = [table]
    while waiting:
        subtable = waiting.pop()
        if subtable in nodes:
            continue
        pure = len(decisions_of(subtable)) == 1
        nodes[subtable] = {} if pure else {i: parts_of(subtable, i) for i in splitting(subtable)}
        waiting += [part for bundle in nodes[subtable].values() for part in bundle.values()]
    return nodes


def least_by_recursion(table: Table) -> Five:
    """As `least_costs`, for tables of too many trees: the least over attributes of what the parts cost at least."""
    known: dict[Table, Five] = {}

    def least(subtable: Table) -> Five:
        if subtable not in known:
            if len(decisions_of(subtable)) == 1:
                known[subtable] = (0, 0, 1, 0, 1)
            else:
                options = []
                for attribute in splitting(subtable):
                    h, tpl, nodes, inner, leaves = zip(
                        *(least(part) for part in parts_of(subtable, attribute).values()), strict=True
                    )
                    option = (1 + max(h), size(subtable) + sum(tpl), 1 + sum(nodes), 1 + sum(inner), sum(leaves))
                    options.append(option)
                known[subtable] = tuple(min(column) for column in zip(*options, strict=True))  # type: ignore[assignment]
        return known[subtable]

    return least(table)
