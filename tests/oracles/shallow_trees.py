"""T2, T3 and T3C by trying everything: a row is (values, class, weight), a value None where it is unknown.

`numeric` says of each attribute whether it is a number. Errors are Fractions, so that no sum is rounded.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, pairwise
from typing import NamedTuple

Row = tuple[tuple[float | None, ...], int, Fraction]
Rows = tuple[Row, ...]


class Form(NamedTuple):
    numeric: tuple[bool, ...]
    acceptable: float
    leaf_intervals: int
    inner_intervals: int


def leaf_errors(rows: Rows) -> Fraction:
    of_class: dict[int, Fraction] = {}
    for _, label, weight in rows:
        of_class[label] = of_class.get(label, Fraction(0)) + weight
    return Fraction(sum(of_class.values()) - max(of_class.values(), default=Fraction(0)))


def acceptable(rows: Rows, form: Form) -> bool:
    return leaf_errors(rows) <= Fraction(form.acceptable) * sum(weight for *_, weight in rows)


def unknown(rows: Rows, asked: int) -> Rows:
    return tuple(row for row in rows if row[0][asked] is None)


def values(rows: Rows, asked: int) -> list[float]:
    return sorted({value for row in rows if (value := row[0][asked]) is not None})


def intervals(rows: Rows, asked: int, fewest: int, most: int) -> Iterable[list[Rows]]:
    """All ways to part the known numbers into intervals: the fewest first, then by the first cut, then by the next."""
    there = values(rows, asked)
    for number in range(min(fewest, len(there)), min(most, len(there)) + 1) if there else ():
        for cuts in combinations(range(1, len(there)), number - 1):
            parts = [set(there[first:stop]) for first, stop in pairwise((0, *cuts, len(there)))]
            yield [tuple(row for row in rows if row[0][asked] in part) for part in parts]


def by_value(rows: Rows, asked: int) -> list[Rows]:
    return [tuple(row for row in rows if row[0][asked] == value) for value in values(rows, asked)]


def splits(rows: Rows, asked: int, form: Form, most: int) -> Iterable[list[Rows]]:
    """The branches with rows of every split by an attribute, if there are two."""
    ways = intervals(rows, asked, 1, most) if form.numeric[asked] else [by_value(rows, asked)]
    for parts in ways:
        there = [part for part in (*parts, unknown(rows, asked)) if part]
        if len(there) > 1:
            yield there


def one_level_errors(rows: Rows, form: Form) -> Fraction:
    """The fewest errors of a leaf, or of a split into leaves."""
    found = [leaf_errors(rows)]
    for asked in range(len(form.numeric)):
        for parts in splits(rows, asked, form, form.leaf_intervals):
            found.append(sum(map(leaf_errors, parts), Fraction(0)))  # noqa: PERF401
    return min(found)


def fewest_errors(rows: Rows, form: Form, depth: int) -> Fraction:
    """Of all trees of the form."""
    if depth == 0 or acceptable(rows, form):
        return leaf_errors(rows)
    found = [one_level_errors(rows, form)]
    if depth > 1:
        for asked in range(len(form.numeric)):
            for parts in splits(rows, asked, form, form.inner_intervals):
                found.append(sum((fewest_errors(part, form, depth - 1) for part in parts), Fraction(0)))  # noqa: PERF401
    return min(found)


def printed_errors(rows: Rows, form: Form, depth: int) -> Fraction:
    """Of the tree that Algorithms 1 to 4 build."""
    best = leaf_errors(rows)
    if depth == 0 or acceptable(rows, form):
        return best
    if depth == 1:
        return one_level_errors(rows, form)
    for asked in range(len(form.numeric)):
        there = values(rows, asked)
        parts = by_value(rows, asked)
        if form.numeric[asked] and len(there) > 1:
            ways = intervals(rows, asked, 2, form.inner_intervals)  # min takes the first of several
            parts = min(ways, key=lambda way: sum(one_level_errors(part, form) for part in way))
        if not there or len(there) + bool(unknown(rows, asked)) < 2:
            continue
        everything = [part for part in (*parts, unknown(rows, asked)) if part]
        best = min(best, sum((printed_errors(part, form, depth - 1) for part in everything), Fraction(0)))
    return best


def fewest_errors_of_two_levels(rows: Rows, attributes: int) -> Fraction:
    """Of nominal attributes: for each root, and each of its values, the best attribute there."""
    best = leaf_errors(rows)
    for root in range(attributes):
        total = Fraction(0)
        for value in {row[0][root] for row in rows}:
            part = tuple(row for row in rows if row[0][root] == value)
            tried = [leaf_errors(part)]
            for second in range(attributes):
                there = {row[0][second] for row in part}
                of_values = [tuple(row for row in part if row[0][second] == one) for one in there]
                tried.append(sum(map(leaf_errors, of_values), Fraction(0)))
            total += min(tried)
        best = min(best, total)
    return best
