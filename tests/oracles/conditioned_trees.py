"""Optimal trees under conditions by listing every tree; of the project, only the shapes of the questions are used.

A listed tree is the rows of a leaf, each with its share, or a `Split`. Each is held against the conditions as they are
defined.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache, partial
from math import inf, isnan, prod
from typing import Any, NamedTuple

import numpy as np

from algorithms.optimal.conditions.conditions import Conditions
from algorithms.optimal.instance import Instance
from algorithms.trees.arrays import ALL_BRANCHES, NodeKind
from algorithms.trees.decision_tree import DecisionTree

Rows = tuple[tuple[int, float], ...]


class Split(NamedTuple):
    attribute: int
    cut: tuple[float, float] | None  # between the first two children: the threshold is from the first, below the second
    children: tuple[Any, ...]


def all_rows(instance: Instance) -> Rows:
    return tuple((row, 1.0) for row in range(instance.data.rows))


def size(rows: Rows) -> float:
    return sum(share for _, share in rows)


def groups_of(values: list[float], number: int, *, numeric: bool, subsets: bool) -> Iterator[list[set[float]]]:
    """The values of each branch of each test, if no value is missing."""
    if numeric:
        yield from ([{*values[:k]}, {*values[k:]}] for k in range(1, number))
    elif number > 1:
        yield [{value} for value in values]
        for size in range(1, number) if subsets and number > 2 else ():
            for some in itertools.combinations(values[1:], size):
                yield [{*values} - {*some}, {*some}]


def tests_of(instance: Instance, rows: Rows, *, subsets: bool) -> Iterator[tuple[int, Any, list[Rows]]]:
    """Each attribute, cut and partition of the rows by one test, of branches that are large enough."""
    rule, columns = instance.missing, instance.data.values().T.tolist()
    for attribute, about in enumerate(instance.data.attributes):
        column, numeric = columns[attribute], about.kind == "numeric"
        lacking = tuple((row, share) for row, share in rows if isnan(column[row]))
        values = sorted({column[row] for row, _ in rows if not isnan(column[row])})
        two = not numeric and any(map(isnan, column)) and len({each for each in column if not isnan(each)}) <= 2
        label = not numeric and rule != "all_branches" and not (two and rule == "best_side")

        def having(group: set[float], column: Any = column, label: bool = label) -> Rows:
            return tuple(
                (row, share)
                for row, share in rows
                if column[row] in group or (label and isnan(column[row]) and inf in group)
            )

        if label and lacking:
            values = [*values, inf]
        collected: list[tuple[Any, list[Rows]]] = []
        for groups in groups_of(values, len(values), numeric=numeric, subsets=subsets):
            cut = (max(groups[0]), min(groups[1])) if numeric else None
            parts = [having(group) for group in groups]
            if label or not lacking:
                collected.append((cut, parts))
            elif rule == "best_side":
                collected += [(cut, [parts[0] + lacking, parts[1]]), (cut, [parts[0], parts[1] + lacking])]
            elif rule == "own_branch":
                collected.append((cut, [*parts, lacking]))
            else:
                weight = [sum(instance.weights[row] * share for row, share in part) for part in parts]
                taken = [share / sum(weight) for share in weight]
                collected.append(
                    (
                        cut,
                        [
                            part + tuple((row, share * p) for row, share in lacking)
                            for part, p in zip(parts, taken, strict=True)
                        ],
                    )
                )
        if lacking and len(lacking) < len(rows) and not label and rule != "all_branches":
            collected.append((None, [tuple(pair for pair in rows if pair not in lacking), lacking]))
        for cut, parts in collected:
            if all(size(part) >= instance.min_samples_leaf - 1e-9 for part in parts):
                yield attribute, cut, parts


def number_of_trees(instance: Instance, rows: Rows, depth: int, *, subsets: bool) -> int:
    @cache
    def below(rows: Rows, depth: int) -> int:
        tests = tests_of(instance, rows, subsets=subsets) if depth else ()
        return 1 + sum(prod(below(part, depth - 1) for part in parts) for _, _, parts in tests)

    return below(rows, depth)


def all_trees(instance: Instance, rows: Rows, depth: int, *, subsets: bool) -> list[Any]:
    @cache
    def below(rows: Rows, depth: int) -> list[Any]:
        result: list[Any] = [rows]
        for attribute, cut, parts in tests_of(instance, rows, subsets=subsets) if depth else ():
            trees = itertools.product(*(below(part, depth - 1) for part in parts))
            result += [Split(attribute, cut, children) for children in trees]
        return result

    return below(rows, depth)


def splits_of(tree: Any) -> list[Split]:
    return [tree, *(split for child in tree.children for split in splits_of(child))] if isinstance(tree, Split) else []


def leaves_of(tree: Any) -> list[Rows]:
    return [leaf for child in tree.children for leaf in leaves_of(child)] if isinstance(tree, Split) else [tree]


def paths_of(tree: Any) -> list[list[int]]:
    """For each leaf, the attributes that are tested on the way to it."""
    if not isinstance(tree, Split):
        return [[]]
    return [[tree.attribute, *path] for child in tree.children for path in paths_of(child)]


class IndexedConditions:
    """Conditions with attributes by their index."""

    def __init__(self, conditions: Conditions, instance: Instance) -> None:
        names = [attribute.name for attribute in instance.data.attributes]

        def index(name: Any) -> int:
            return names.index(name) if isinstance(name, str) else int(name)

        first = conditions.first
        self.first = None if first is None else index(first[0] if isinstance(first, tuple) else first)
        self.threshold = first[1] if isinstance(first, tuple) else None
        self.forbidden = {*map(index, conditions.forbidden)}
        self.required = {*map(index, conditions.required)}
        self.order = [
            {index(name) for name in (group if isinstance(group, list | tuple) else [group])}
            for group in conditions.order
        ]
        self.once = {*map(index, conditions.once)}
        self.most = inf if conditions.max_attributes is None else conditions.max_attributes
        self.monotone = {index(name): sign for name, sign in (conditions.monotone or {}).items()}
        self.price = {index(name): price for name, price in (conditions.attribute_costs or {}).items()}
        classes = list(instance.data.classes)
        given = conditions.misclassification_costs
        self.cost = 1 - np.eye(len(classes)) if given is None else np.array(given, float)
        self.height = {name: index for index, name in enumerate(conditions.class_order or classes)}
        self.heights = [self.height[name] for name in classes]
        self.scale = float((instance.class_weights @ self.cost).min()) or 1.0
        """L: the cost of the best leaf, or 1."""

    def tests(self, tree: Any) -> bool:
        """Whether the tests of a tree meet the conditions."""
        splits = splits_of(tree)
        used = {split.attribute for split in splits}
        if self.first is not None:
            if not splits or tree.attribute != self.first:
                return False
            if self.threshold is not None and not (tree.cut and tree.cut[0] <= self.threshold < tree.cut[1]):
                return False
        if used & self.forbidden or self.required - used or len(used) > self.most:
            return False
        for path in paths_of(tree):
            positions = [index for each in path for index, group in enumerate(self.order) if each in group]
            if positions != sorted(positions) or any(path.count(attribute) > 1 for attribute in self.once):
                return False
        return True

    def sides(self, tree: Any) -> list[tuple[int, list[Rows], list[Rows]]]:
        """Of each split of a monotone attribute: its sign, and the leaves below and above its threshold."""
        return [
            (self.monotone[split.attribute], leaves_of(split.children[0]), leaves_of(split.children[1]))
            for split in splits_of(tree)
            if split.cut is not None and split.attribute in self.monotone
        ]

    def classes(self, sides: list[tuple[int, list[Rows], list[Rows]]], of_leaf: dict[Rows, int]) -> bool:
        """Whether the classes of the leaves of a tree with these `sides` are monotone."""
        height = {leaf: self.heights[index] for leaf, index in of_leaf.items()} if sides else {}
        return all(
            max(sign * height[leaf] for leaf in below) <= min(sign * height[leaf] for leaf in above)
            for sign, below, above in sides
        )


def objective_of(instance: Instance, conditions: IndexedConditions, tree: Any, of_leaf: dict[Rows, int]) -> float:
    """The objective of a tree."""
    cost = 0.0
    for leaf, path in zip(leaves_of(tree), paths_of(tree), strict=True):
        price = sum(conditions.price.get(attribute, 0) for attribute in {*path})
        for row, share in leaf:
            error = conditions.cost[instance.data.decisions[row], of_leaf[leaf]]
            cost += float(instance.weights[row]) * share * float(error + price)
    size = len(splits_of(tree)) if instance.penalty == "splits" else len(leaves_of(tree))
    return cost / conditions.scale + instance.alpha * size


def best_under(instance: Instance, conditions: Conditions, *, subsets: bool = False) -> float:
    """The least objective of all trees that meet the conditions; inf if there is none."""
    indexed, rows = IndexedConditions(conditions, instance), all_rows(instance)
    best, classes = inf, range(len(instance.data.classes))
    most = inf if instance.max_splits is None else instance.max_splits
    class_of = cache(partial(cheapest, instance, indexed))
    for tree in all_trees(instance, rows, depth_of(instance), subsets=subsets):
        if len(splits_of(tree)) > most or not indexed.tests(tree):
            continue
        leaves = leaves_of(tree)
        if indexed.monotone:
            choices = [
                dict(zip(leaves, chosen, strict=True)) for chosen in itertools.product(classes, repeat=len(leaves))
            ]
            sides = indexed.sides(tree)
            choices = [of_leaf for of_leaf in choices if indexed.classes(sides, of_leaf)]
        else:
            choices = [{leaf: class_of(leaf) for leaf in leaves}]
        best = min([best, *(objective_of(instance, indexed, tree, of_leaf) for of_leaf in choices)])
    return best


def cheapest(instance: Instance, conditions: IndexedConditions, leaf: Rows) -> int:
    """The class of least cost for the rows of a leaf."""
    rows, shares = [row for row, _ in leaf], np.array([share for _, share in leaf])
    weight = np.bincount(instance.data.decisions[rows], instance.weights[rows] * shares, len(conditions.cost))
    return int((weight @ conditions.cost).argmin())


def depth_of(instance: Instance) -> int:
    """The greatest depth of a tree: each split takes a row from each branch."""
    return instance.data.rows - 1 if instance.max_depth is None else min(instance.max_depth, instance.data.rows - 1)


def listed(tree: DecisionTree, instance: Instance) -> tuple[Any, dict[Rows, int]]:
    """A tree of the project as one that could be listed, with the class of each of its leaves."""
    of_leaf: dict[Rows, int] = {}
    values = instance.data.values()

    def at(node: int, rows: Rows) -> Any:
        if tree.kind[node] == NodeKind.TERMINAL:
            of_leaf[rows] = int(tree.decision[node])
            return rows
        attribute, edges, numeric = int(tree.attribute[node]), tree.edges_of(node), tree.kind[node] == NodeKind.BOUNDS
        to, codes, bounds = tree.edge_to[edges], tree.edge_code[edges], tree.edge_bound[edges]
        parts: dict[int, list[tuple[int, float]]] = {child: [] for child in tree.children(node)}
        lacking = [(row, share) for row, share in rows if np.isnan(values[row, attribute])]
        for row, share in rows:
            value = values[row, attribute]
            if not np.isnan(value):
                parts[int(to[np.argmax(bounds >= value) if numeric else codes.tolist().index(value)])].append(
                    (row, share)
                )
        cut = None
        if numeric and len(to) == 2:
            low, high = (values[[row for row, _ in parts[child]], attribute] for child in to)
            cut = float(low.max()), float(high.min())
            assert cut[0] <= bounds[0] < cut[1]
        if lacking and tree.unknown_to[node] == ALL_BRANCHES:
            weight = {child: sum(instance.weights[row] * share for row, share in parts[child]) for child in parts}
            for child in parts:
                parts[child] += [(row, share * weight[child] / sum(weight.values())) for row, share in lacking]
        elif lacking:
            parts[int(tree.unknown_to[node])] += lacking
        return Split(attribute, cut, tuple(at(child, tuple(sorted(parts[child]))) for child in parts))

    return at(0, all_rows(instance)), of_leaf
