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


def unknown(rows: Rows, attribute: int) -> Rows:
    return tuple(row for row in rows if row[0][attribute] is None)


def values(rows: Rows, attribute: int) -> list[float]:
    return sorted({value for row in rows if (value := row[0][attribute]) is not None})


def intervals(rows: Rows, attribute: int, fewest: int, most: int) -> Iterable[list[Rows]]:
    """All ways to part the known numbers into intervals: the fewest first, then by the first cut, then by the next."""
    there = values(rows, attribute)
    for number in range(min(fewest, len(there)), min(most, len(there)) + 1) if there else ():
        for cuts in combinations(range(1, len(there)), number - 1):
            parts = [set(there[first:stop]) for first, stop in pairwise((0, *cuts, len(there)))]
            yield [tuple(row for row in rows if row[0][attribute] in part) for part in parts]


def by_value(rows: Rows, attribute: int) -> list[Rows]:
    return [tuple(row for row in rows if row[0][attribute] == value) for value in values(rows, attribute)]


def splits(rows: Rows, attribute: int, form: Form, most: int) -> Iterable[list[Rows]]:
    """The branches with rows of every split by an attribute, if there are two."""
    partitions = intervals(rows, attribute, 1, most) if form.numeric[attribute] else [by_value(rows, attribute)]
    for parts in partitions:
        there = [part for part in (*parts, unknown(rows, attribute)) if part]
        if len(there) > 1:
            yield there


def one_level_errors(rows: Rows, form: Form) -> Fraction:
    """The fewest errors of a leaf, or of a split into leaves."""
    results = [leaf_errors(rows)]
    for attribute in range(len(form.numeric)):
        for parts in splits(rows, attribute, form, form.leaf_intervals):
            results.append(sum(map(leaf_errors, parts), Fraction(0)))  # noqa: PERF401
    return min(results)


def fewest_errors(rows: Rows, form: Form, depth: int) -> Fraction:
    """Of all trees of the form."""
    if depth == 0 or acceptable(rows, form):
        return leaf_errors(rows)
    results = [one_level_errors(rows, form)]
    if depth > 1:
        for attribute in range(len(form.numeric)):
            for parts in splits(rows, attribute, form, form.inner_intervals):
                results.append(sum((fewest_errors(part, form, depth - 1) for part in parts), Fraction(0)))  # noqa: PERF401
    return min(results)


def printed_errors(rows: Rows, form: Form, depth: int) -> Fraction:
    """Of the tree that Algorithms 1 to 4 build."""
    best = leaf_errors(rows)
    if depth == 0 or acceptable(rows, form):
        return best
    if depth == 1:
        return one_level_errors(rows, form)
    for attribute in range(len(form.numeric)):
        there = values(rows, attribute)
        parts = by_value(rows, attribute)
        if form.numeric[attribute] and len(there) > 1:
            partitions = intervals(rows, attribute, 2, form.inner_intervals)  # min takes the first of several
            parts = min(partitions, key=lambda partition: sum(one_level_errors(part, form) for part in partition))
        if not there or len(there) + bool(unknown(rows, attribute)) < 2:
            continue
        everything = [part for part in (*parts, unknown(rows, attribute)) if part]
        best = min(best, sum((printed_errors(part, form, depth - 1) for part in everything), Fraction(0)))
    return best
