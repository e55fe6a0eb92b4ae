"""ID3, gain ratio, DID, look-ahead and mid-level search as they are defined, entropies to 60 digits.

Tables and trees are those of `tests.oracles.brute_force`, but rows may be equal. Nothing is shared with the project.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from tests.oracles.brute_force import Table, Tree, decisions_of, parts_of, size, splitting
from tests.oracles.sets_of_trees import most_common

SAME = Decimal("1e-45")
TWO = Decimal(2).ln()

Score = Callable[[Table, int], Decimal]


def table_of_rows(codes: Sequence[Sequence[int]], decisions: Sequence[int], weights: Sequence[int] | None) -> Table:
    """Rows as given, equal ones too."""
    return tuple(
        (tuple(map(int, row)), int(decisions[i]), 1 if weights is None else int(weights[i]))
        for i, row in enumerate(codes)
    )


def entropy(table: Table, block: Callable[[Any], Any]) -> Decimal:
    """Bits of the partition of the rows by what `block` says of (codes, decision, weight)."""
    weights: Counter[Any] = Counter()
    for row in table:
        weights[block(row)] += row[2]
    shares = [Decimal(weight) / size(table) for weight in weights.values()]
    return -sum((share * share.ln() / TWO for share in shares), Decimal(0))


def entropies(table: Table, attribute: int) -> tuple[Decimal, Decimal, Decimal]:
    """H(A), H(Y), H(A, Y)."""
    return (
        entropy(table, lambda row: row[0][attribute]),
        entropy(table, lambda row: row[1]),
        entropy(table, lambda row: (row[0][attribute], row[1])),
    )


def gain(table: Table, attribute: int) -> Decimal:
    own, decision, joint = entropies(table, attribute)
    return own + decision - joint


def minus_gain(table: Table, attribute: int) -> Decimal:
    return -gain(table, attribute)


def minus_gain_ratio(table: Table, attribute: int) -> Decimal:
    return -gain(table, attribute) / entropies(table, attribute)[0]


def dual(w1: Fraction, w2: Fraction, distance: str) -> Score:
    """-w1 H(A) + w2 d2."""

    def score(table: Table, attribute: int) -> Decimal:
        own, decision, joint = entropies(table, attribute)
        d2 = {
            "conditional_entropy": joint - own,
            "rokhlin": (joint - own) + (joint - decision),
            "mantaras": 1 - (own + decision - joint) / joint,
        }[distance]
        return times(w2, d2) - times(w1, own)

    return score


def times(weight: Fraction, number: Decimal) -> Decimal:
    return number * weight.numerator / weight.denominator


def ranked(table: Table, score: Score) -> list[int]:
    """The attributes that are not constant by increasing score, the first of equal ones first."""
    left, order = splitting(table), []
    while left:
        scores = [score(table, attribute) for attribute in left]
        order.append(next(a for a, result in zip(left, scores, strict=True) if result <= min(scores) + SAME))
        left.remove(order[-1])
    return order


def grown(table: Table, choose: Callable[[Table], int | None]) -> Tree:
    """The tree in which every subtable of several decisions tests the chosen attribute, until none is chosen."""
    attribute = choose(table) if len(decisions_of(table)) > 1 and splitting(table) else None
    if attribute is None:
        return most_common(table)
    return attribute, {code: grown(part, choose) for code, part in parts_of(table, attribute).items()}


def by_score(score: Score, *, stop_at_zero_gain: bool = False) -> Callable[[Table], int | None]:
    def choose(table: Table) -> int | None:
        best = ranked(table, score)[0]
        return None if stop_at_zero_gain and gain(table, best) < SAME else best

    return choose


def leaves_within(table: Table, levels: int) -> Iterator[tuple[Table, ...]]:
    """The subtables at the leaves of every tree that tests as many attributes on a path as it can, up to a number."""
    if levels == 0 or len(decisions_of(table)) == 1 or not splitting(table):
        yield (table,)
        return
    for attribute in splitting(table):
        yield from leaves_below(table, attribute, levels)


def leaves_below(table: Table, attribute: int, levels: int) -> Iterator[tuple[Table, ...]]:
    below = [list(leaves_within(part, levels - 1)) for part in parts_of(table, attribute).values()]
    for choice in itertools.product(*below):
        yield tuple(leaf for leaves in choice for leaf in leaves)


def least_impurity(table: Table, attribute: int, levels: int) -> Decimal:
    """Least entropy times weight left by all trees of so many levels that begin with an attribute."""
    return min(
        sum((entropy(leaf, lambda row: row[1]) * size(leaf) for leaf in leaves), Decimal(0))
        for leaves in leaves_below(table, attribute, levels)
    )


def least_impurity_by_parts(table: Table, attribute: int, levels: int) -> Decimal:
    """The same for tables of too many trees: each part by itself."""
    total = Decimal(0)
    for part in parts_of(table, attribute).values():
        tied = splitting(part) if levels > 1 and len(decisions_of(part)) > 1 else []
        here = entropy(part, lambda row: row[1]) * size(part)
        total += min((least_impurity_by_parts(part, below, levels - 1) for below in tied), default=here)
    return total


def by_look_ahead(
    depth: int, impurity: Callable[[Table, int, int], Decimal] = least_impurity
) -> Callable[[Table], int | None]:
    """Least entropy left within so many levels; of equal ones that of least with one level less, and so on."""

    def choose(table: Table) -> int | None:
        tied = splitting(table)
        for levels in range(depth, 0, -1):
            results = [impurity(table, attribute, levels) for attribute in tied]
            tied = [a for a, left in zip(tied, results, strict=True) if left <= min(results) + SAME]
        return tied[0]

    return choose


def path_length_ahead(table: Table, levels: int, most_values: int) -> Decimal:
    """Least path length up to the horizon and, beyond, entropy over log2 of most values."""
    if len(decisions_of(table)) == 1 or not splitting(table):
        return Decimal(0)
    if levels == 0:
        return size(table) * entropy(table, lambda row: row[1]) * TWO / Decimal(most_values).ln()
    return min(path_length_by(table, attribute, levels, most_values) for attribute in splitting(table))


def path_length_by(table: Table, attribute: int, levels: int, most_values: int) -> Decimal:
    parts = parts_of(table, attribute).values()
    return size(table) + sum(path_length_ahead(part, levels - 1, most_values) for part in parts)


def by_path_length(depth: int, most_values: int) -> Callable[[Table], int | None]:
    def choose(table: Table) -> int | None:
        tied = splitting(table)
        results = [path_length_by(table, attribute, depth, most_values) for attribute in tied]
        return next(a for a, length in zip(tied, results, strict=True) if length <= min(results) + SAME)

    return choose


def least_path_length(table: Table, width: int, score: Score) -> int:
    """Least total path length over the trees that ask one of the `width` attributes of least score everywhere."""
    if len(decisions_of(table)) == 1 or not splitting(table):
        return 0
    return size(table) + min(
        sum(least_path_length(part, width, score) for part in parts_of(table, attribute).values())
        for attribute in ranked(table, score)[:width]
    )
