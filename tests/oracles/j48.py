"""C4.5 as J48 has it, slow and plain: lists of rows, nothing kept from one node to the next, one rule after another."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from math import inf, log2, sqrt
from statistics import NormalDist

Row = tuple[tuple[float | None, ...], int]  # values, None where missing, and the class
Rows = list[tuple[Row, float]]  # with the share of each row

EPS = 1e-6


@dataclass(frozen=True)
class Settings:
    labels: list[int]  # of each attribute how many, 0 where it is numeric
    classes: int
    all_rows: list[Row]
    min_rows: int = 2
    confidence: float = 0.25
    pruned: bool = True
    raising: bool = True
    binary: bool = False


@dataclass
class Node:
    rows: Rows
    attribute: int | None = None
    split: float | None = None  # the bound or, of a binary nominal test, the label
    sons: list[Node] = field(default_factory=list)


def xlogx(x: float) -> float:
    return x * log2(x) if x >= EPS else 0.0


def counts(rows: Rows, classes: int) -> list[float]:
    held = [0.0] * classes
    for (_, decision), share in rows:
        held[decision] += share
    return held


def largest(held: list[float]) -> float:
    best = 0.0
    for weight in held:
        if weight - best > EPS:
            best = weight
    return best


def branch_of(value: float | None, split: float | None, nominal: bool) -> int | None:
    if value is None:
        return None
    if split is None:
        return int(value)
    return int(value != split) if nominal else int(value - split >= EPS)


def spread(rows: Rows, attribute: int, split: float | None, branches: int, nominal: bool) -> list[Rows]:
    """The rows of each branch, those with a missing value with their share in every branch."""
    known = [0.0] * branches
    for (values, _), share in rows:
        branch = branch_of(values[attribute], split, nominal)
        if branch is not None:
            known[branch] += share
    shares = [weight / sum(known) if sum(known) > EPS else 1 / branches for weight in known]
    parts: list[Rows] = [[] for _ in range(branches)]
    for row, share in rows:
        branch = branch_of(row[0][attribute], split, nominal)
        if branch is not None:
            parts[branch].append((row, share))
        else:
            for part, fraction in zip(parts, shares, strict=True):
                if fraction > EPS:
                    part.append((row, share * fraction))
    return parts


def gain_and_ratio(parts: list[Rows], total: float, classes: int, fine: float = 0.0) -> tuple[float, float]:
    """Of the known rows in their branches; `fine` is what a numeric test pays."""
    tables = [counts(part, classes) for part in parts]
    bags = [sum(table) for table in tables]
    known = sum(bags)
    before = xlogx(known) - sum(xlogx(sum(column)) for column in zip(*tables, strict=True))
    after = sum(map(xlogx, bags)) - sum(xlogx(weight) for table in tables for weight in table)
    numerator = known / total * (before - after)
    gain = (numerator / known if abs(numerator) >= EPS else 0.0) - fine
    split = xlogx(total) - sum(map(xlogx, bags)) - xlogx(total - known)
    return gain, gain / (split / total) if abs(split) >= EPS else 0.0


def best_test(rows: Rows, attribute: int, settings: Settings) -> tuple[float, float, float | None] | None:
    """(gain, ratio, split) of an attribute's test; None where it has none."""
    known = [(row, share) for row, share in rows if row[0][attribute] is not None]
    total, least, labels = sum(share for _, share in rows), settings.min_rows - EPS, settings.labels[attribute]
    if labels and not settings.binary:
        parts = [[pair for pair in known if pair[0][0][attribute] == label] for label in range(labels)]
        if sum(sum(share for _, share in part) > least for part in parts) < 2:
            return None
        return (*gain_and_ratio(parts, total, settings.classes), None)
    if labels:
        best: tuple[float, float, float | None] | None = None
        for label in range(labels):
            parts = [[pair for pair in known if (pair[0][0][attribute] == label) is side] for side in (True, False)]
            if min(sum(share for _, share in part) for part in parts) > least:
                gain, ratio = gain_and_ratio(parts, total, settings.classes)
                best = best or (0.0, 0.0, None)
                if label == 0 or ratio - best[1] > EPS:
                    best = gain, ratio, label
        return best
    return bound_of(known, attribute, total, settings)


def bound_of(known: Rows, attribute: int, total: float, settings: Settings) -> tuple[float, float, float] | None:
    weight = sum(share for _, share in known)
    least = 0.1 * weight / settings.classes
    least = settings.min_rows if least < settings.min_rows + EPS else min(least, 25)
    numbers = sorted({row[0][attribute] for row, _ in known})
    candidates, best, middle = 0, 0.0, None
    for lower, upper in pairwise(numbers):
        if lower + 1e-5 >= upper:
            continue
        parts = sides(known, attribute, lower)
        if min(sum(share for _, share in part) for part in parts) > least - EPS:
            candidates += 1
            gain, _ = gain_and_ratio(parts, total, settings.classes)
            if gain - best > EPS:
                best, middle, below = gain, (lower + upper) / 2, lower
    if middle is None or best - log2(candidates) / total < EPS:
        return None
    gain, ratio = gain_and_ratio(sides(known, attribute, below), total, settings.classes, log2(candidates) / total)
    bound = -inf
    for values, _ in settings.all_rows:
        value = values[attribute]
        if value is not None and value - bound > EPS and value - middle < EPS:
            bound = value
    return gain, ratio, bound


def sides(known: Rows, attribute: int, lower: float) -> list[Rows]:
    return [[pair for pair in known if (pair[0][0][attribute] <= lower) is side] for side in (True, False)]


def chosen(rows: Rows, settings: Settings) -> tuple[int, float | None] | None:
    """(attribute, split), or None for a leaf."""
    held = counts(rows, settings.classes)
    if sum(held) < 2 * settings.min_rows - EPS or sum(held) - largest(held) < EPS:
        return None
    many = [n > 0 and n >= 0.3 * len(settings.all_rows) - EPS for n in settings.labels]
    tests = [best_test(rows, attribute, settings) for attribute in range(len(settings.labels))]
    gains = [test[0] for test, excluded in zip(tests, many, strict=True) if test and (all(many) or not excluded)]
    best, best_ratio = None, 0.0
    for attribute, test in enumerate(tests):
        if gains and test and test[0] >= sum(gains) / len(gains) - 1e-3 and test[1] - best_ratio > EPS:
            best, best_ratio = (attribute, test[2]), test[1]
    return best


def branches_of(attribute: int, settings: Settings) -> int:
    return 2 if settings.binary or not settings.labels[attribute] else settings.labels[attribute]


def grown(rows: Rows, settings: Settings) -> Node:
    test = chosen(rows, settings)
    if test is None:
        return Node(rows)
    attribute, split = test
    parts = spread(rows, attribute, split, branches_of(attribute, settings), settings.labels[attribute] > 0)
    return Node(rows, attribute, split, [grown(part, settings) for part in parts])


def errors(rows: Rows, settings: Settings) -> float:
    held = counts(rows, settings.classes)
    return sum(held) - largest(held)


def training_errors(node: Node, settings: Settings) -> float:
    return sum(training_errors(son, settings) for son in node.sons) if node.sons else errors(node.rows, settings)


def collapse(node: Node, settings: Settings) -> None:
    if node.sons and training_errors(node, settings) >= errors(node.rows, settings) - 1e-3:
        node.attribute, node.sons = None, []
    for son in node.sons:
        collapse(son, settings)


def added(n: float, e: float, confidence: float) -> float:
    """Stats.addErrs of Weka 3.6, line for line."""
    if e < 1:
        base = n * (1 - confidence ** (1 / n))
        return base if e == 0 else base + e * (added(n, 1, confidence) - base)
    if e + 0.5 >= n:
        return max(n - e, 0)
    z, f = NormalDist().inv_cdf(1 - confidence), (e + 0.5) / n
    return (f + z * z / (2 * n) + z * sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n) * n - e


def estimate(rows: Rows, settings: Settings) -> float:
    weight, wrong = sum(share for _, share in rows), errors(rows, settings)
    return wrong + added(weight, wrong, settings.confidence) if weight >= EPS else 0.0


def estimate_of(node: Node, settings: Settings) -> float:
    return sum(estimate_of(son, settings) for son in node.sons) if node.sons else estimate(node.rows, settings)


def with_rows(node: Node, rows: Rows, settings: Settings) -> Node:
    """The subtree as it is with other rows."""
    if node.attribute is None:
        return Node(rows)
    nominal = settings.labels[node.attribute] > 0
    parts = spread(rows, node.attribute, node.split, len(node.sons), nominal)
    sons = [with_rows(son, part, settings) for son, part in zip(node.sons, parts, strict=True)]
    return Node(rows, node.attribute, node.split, sons)


def pruned(node: Node, settings: Settings) -> Node:
    if not node.sons:
        return node
    node.sons = [pruned(son, settings) for son in node.sons]
    weights = [sum(share for _, share in son.rows) for son in node.sons]
    index = max(i for i, weight in enumerate(weights) if weight > max(weights) - EPS)
    raised = with_rows(node.sons[index], node.rows, settings)
    as_leaf, as_tree = estimate(node.rows, settings), estimate_of(node, settings)
    as_branch = estimate_of(raised, settings) if settings.raising else inf
    if as_leaf < as_tree + 0.1 + EPS and as_leaf < as_branch + 0.1 + EPS:
        return Node(node.rows)
    return pruned(raised, settings) if as_branch < as_tree + 0.1 + EPS else node


def j48(settings: Settings) -> Node:
    root = grown([(row, 1.0) for row in settings.all_rows], settings)
    collapse(root, settings)
    return pruned(root, settings) if settings.pruned else root


def leaves(node: Node) -> int:
    return sum(map(leaves, node.sons)) if node.sons else 1


def size(node: Node) -> int:
    return 1 + sum(map(size, node.sons))


def distribution(node: Node, values: tuple[float | None, ...], settings: Settings) -> list[float]:
    """The share of each class for a row; a branch without rows answers for its node."""
    held = counts(node.rows, settings.classes)
    own = [weight / sum(held) for weight in held] if sum(held) else held
    if node.attribute is None:
        return own
    weights = [sum(share for _, share in son.rows) for son in node.sons]
    branch = branch_of(values[node.attribute], node.split, settings.labels[node.attribute] > 0)
    if branch is not None:
        return distribution(node.sons[branch], values, settings) if weights[branch] else own
    below = [distribution(son, values, settings) for son in node.sons]
    return [
        sum(weight / sum(weights) * part[decision] for weight, part in zip(weights, below, strict=True))
        for decision in range(settings.classes)
    ]
