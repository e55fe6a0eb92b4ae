"""OCT as flows: a formulation with a stronger relaxation, for two-valued columns (Aghaei, Gómez and Vayanos).

A complete binary tree of depth D, and rows that flow from its root to the nodes where they end. b_mf is 1 if branch
node m tests feature f; c_kt is 1 if node t, at any depth, is a leaf of class k. z is the share of the rows of one class
with equal values that end, correctly classified, at a node. It is continuous, but 0 or 1 in any vertex. The total
weight of these rows is maximised. After "Strong Optimal Classification Trees" (arXiv 2103.15965), for any number of
classes, and with a least leaf size, for which e says where rows end. If splits cost nothing and leaves may be empty,
all branch nodes split and only the deepest nodes are leaves: this needs fewer decisions and gives the same best tree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers
from algorithms.optimal.instance import Instance
from algorithms.optimal.mio.binary_splits import BinarySplits, CompleteTree, PlacedTree, RankSplit
from algorithms.optimal.mio.model import MOST_NONZEROS, Draft, Indices, Model, check_size

Bits = NDArray[np.bool_]

ADVICE = (
    "Reduce max_depth, set `thresholds` (the most cut points of an attribute), or use OCTClassifier, which solves far "
    "larger problems"
)


@dataclass(frozen=True, eq=False)
class Features:
    """Splits that partition the rows differently, and the distinct rows by these splits."""

    splits: tuple[RankSplit, ...]
    """For each feature the first split that makes this partition, perhaps with its branches exchanged."""
    index: dict[bytes, int]  # the feature of each partition
    right: Bits  # (rows, features) which rows go right
    patterns: Bits  # (patterns, features) the distinct rows of `right`
    pattern: NDArray[np.intp]  # (rows,) which of them a row has

    @classmethod
    def of(cls, splits: BinarySplits) -> Features:
        """The features of all splits."""
        kept: list[RankSplit] = []
        index: dict[bytes, int] = {}
        columns: list[Bits] = []
        for column, levels in enumerate(splits.levels.tolist()):
            for rank in range(1, levels):
                right = splits.ranks[:, column] >= rank
                if index.setdefault(_partition(right), len(kept)) == len(kept):
                    kept.append(RankSplit(column, rank))
                    columns.append(right)
        bits = np.stack(columns, axis=1)
        patterns, pattern = np.unique(bits, axis=0, return_inverse=True)
        return cls(tuple(kept), index, bits, patterns, pattern.reshape(-1))


@dataclass(frozen=True, eq=False)
class FlowModel:
    """The programme of one instance, and the conversion between trees and values of its columns, by their indices."""

    model: Model
    tree: CompleteTree
    instance: Instance
    splits: BinarySplits
    features: Features
    group: NDArray[np.intp]  # (rows,) the rows of a pattern and class form a group
    class_of: NDArray[np.intp]  # (groups,) the row of `c` of each group
    b: Indices  # (branches, features)
    c: Indices  # (classes, nodes)
    z: Indices  # (groups, nodes)
    e: Indices | None  # (patterns, nodes), or None if leaves may have any number of rows
    complete: bool  # whether all branch nodes split, because a split costs nothing and leaves may be empty

    def values(self, placed: PlacedTree) -> Numbers:
        """The values (columns of the model,) of a tree whose leaves all have rows, from which a solver may start."""
        values = np.zeros(len(self.model.costs))
        all_rows = np.arange(self.instance.data.rows)
        # a node of the model, that of `placed` there, its rows, and the class of a leaf above
        waiting: list[tuple[int, int, NDArray[np.intp], int | None]] = [(1, 1, all_rows, None)]
        while waiting:
            node, original, rows, decision = waiting.pop()
            feature, exchanged = 0, 0
            if original in placed:
                right = ~self.splits.left(placed[original], all_rows)
                feature = self.features.index[_partition(right)]
                exchanged = int(self.features.right[0, feature] != right[0])
            else:
                decision = self._majority(rows) if decision is None else decision
                if not self.complete or node in self.tree.leaves:
                    self._fill_leaf(values, node - 1, rows, decision)
                    continue
            values[self.b[node - 1, feature]] = 1
            goes_right = self.features.right[rows, feature]
            waiting += [
                (2 * node + side, 2 * original + (side ^ exchanged), rows[goes_right == bool(side)], decision)
                for side in (0, 1)
            ]
        return values

    def placed(self, values: Numbers) -> dict[int, RankSplit]:
        """The tree that the values of the model's columns describe."""
        chosen = values[self.b]
        return {
            node: self.features.splits[int(chosen[node - 1].argmax())]
            for node in self.tree.branches
            if chosen[node - 1].max() > 0.5
        }

    def _majority(self, rows: NDArray[np.intp]) -> int:
        return int(np.bincount(self.class_of[self.group[rows]], self.instance.weights[rows], len(self.c)).argmax())

    def _fill_leaf(self, values: Numbers, node: int, rows: NDArray[np.intp], decision: int) -> None:
        groups = np.unique(self.group[rows])
        values[self.c[decision, node]] = 1
        values[self.z[groups[self.class_of[groups] == decision], node]] = 1
        if self.e is not None:
            values[self.e[np.unique(self.features.pattern[rows]), node]] = 1


def flow_model(instance: Instance, splits: BinarySplits, depth: int) -> FlowModel:
    """Make the programme for trees of this depth, at least 1; ModelSizeError if it would be too large.

    It minimises errors + alpha x L_hat x splits.
    """
    features = _features(instance, splits, depth)
    tree, draft = CompleteTree(depth), Draft()
    nodes = len(tree.nodes)
    classes, decision = np.unique(instance.data.decisions, return_inverse=True)
    keys, group = np.unique(features.pattern * len(classes) + decision, return_inverse=True)
    pattern_of, class_of = np.divmod(keys, len(classes))
    weight = np.bincount(group, instance.weights)
    groups_of = np.full((len(features.patterns), len(classes)), -1)
    groups_of[pattern_of, class_of] = np.arange(len(keys))

    b = draft.columns(len(tree.branches), len(features.splits), cost=instance.size_cost, whole=True)
    limited = instance.max_splits is not None and instance.max_splits < len(tree.branches)
    complete = instance.size_cost == 0 and instance.min_samples_leaf == 1 and not limited
    ends = np.array([node in tree.leaves or not complete for node in tree.nodes], np.float64)
    c = draft.columns(len(classes), nodes, upper=ends, whole=True)
    z = draft.columns(len(keys), nodes, cost=-weight[:, None], upper=ends)
    for node in tree.nodes:  # it tests one feature, or is a leaf, or is below one
        path = np.array([node, *tree.above(node)]) - 1
        tests = b[node - 1] if node in tree.branches else np.zeros(0, np.int64)
        draft.rows((np.concatenate([tests, c[:, path].ravel()])[None, :], 1.0), lower=1, upper=1)
        draft.rows((z[:, node - 1], 1.0), (c[class_of, node - 1], -1.0), upper=0)
    if limited:
        draft.rows((b.reshape(1, -1), 1.0), upper=float(instance.max_splits or 0))
    occurs = (groups_of >= 0).astype(np.float64)
    e = None
    if instance.min_samples_leaf == 1:
        _route(draft, tree, b, features.patterns, z[groups_of], occurs)
    else:
        e = draft.columns(len(features.patterns), nodes)
        count = np.bincount(features.pattern).astype(np.float64)
        draft.rows((e, 1.0), lower=1, upper=1)
        _route(draft, tree, b, features.patterns, e[:, None, :], np.ones((len(e), 1)))
        for node in range(nodes):
            leaf = np.broadcast_to(c[:, node], (len(e), len(classes)))
            draft.rows((e[:, node], 1.0), (leaf, -1.0), upper=0)
            draft.rows((z[groups_of, node], occurs), (e[:, node], -1.0), upper=0)
            draft.rows((e[None, :, node], count), (c[None, :, node], -float(instance.min_samples_leaf)), lower=0)
    model = draft.model(constant=float(weight.sum()))
    return FlowModel(model, tree, instance, splits, features, group.reshape(-1), class_of, b, c, z, e, complete)


def _route(draft: Draft, tree: CompleteTree, b: Indices, patterns: Bits, flows: Indices, occurs: Numbers) -> None:
    """Add that a branch of node m passes on at most what m sends into it; flows: (patterns, of each, nodes)."""
    for m in tree.branches:
        tests = np.broadcast_to(b[m - 1], patterns.shape)
        for side, sent in enumerate((~patterns, patterns)):
            below = np.array(tree.below(2 * m + side)) - 1
            ends = flows[:, :, below]
            counted = np.broadcast_to(occurs[:, :, None], ends.shape)
            shape = (len(patterns), -1)
            draft.rows((ends.reshape(shape), counted.reshape(shape)), (tests, -sent.astype(np.float64)), upper=0)


def _features(instance: Instance, splits: BinarySplits, depth: int) -> Features:
    """The features, unless they or the model would be too large."""
    rows, classes = instance.data.rows, int((instance.class_weights > 0).sum())
    all_splits = int((splits.levels - 1).sum())
    if rows * all_splits > 20 * MOST_NONZEROS:
        _check_flow_size(rows, rows, all_splits, classes, depth, plain=instance.min_samples_leaf == 1)
    features = Features.of(splits)
    groups = len(np.unique(features.pattern * len(instance.data.classes) + instance.data.decisions))
    patterns = len(features.patterns)
    _check_flow_size(groups, patterns, len(features.splits), classes, depth, plain=instance.min_samples_leaf == 1)
    return features


def _check_flow_size(groups: int, patterns: int, features: int, classes: int, depth: int, *, plain: bool) -> None:
    branches, nodes = 2**depth - 1, 2 ** (depth + 1) - 1
    routed = groups if plain else patterns
    extra = 0 if plain else patterns * nodes
    check_size(
        columns=branches * features + nodes * (classes + groups) + extra,
        rows=nodes * (1 + groups) + 2 * branches * patterns + 2 * extra,
        nonzeros=2 * groups * nodes + branches * patterns * features + routed * nodes * depth + extra * (4 + classes),
        depth=depth,
        advice=ADVICE,
    )


def _partition(right: Bits) -> bytes:
    """A key that is equal for a split and the one with its branches exchanged."""
    return np.packbits(right ^ right[0]).tobytes()
