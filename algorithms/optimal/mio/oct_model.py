"""OCT as a MIP: Bertsimas & Dunn 2017 as reported by Li ("Finding the Global Optima - OCT"), corrected.

A complete binary tree of depth D. At branch node m the columns are a_jm (the attribute that it tests), b_m (the cut)
and d_m (whether it splits); at leaf t they are z_it (row i ends there), l_t (any row does), c_kt (its class), and the
counts N_t, N_kt and errors L_t. The slides print `b_t` and `for all t in T_B` in the two rows that route: b_m, for
every leaf t and its ancestors m, is meant.

As printed, a row passes a node that does not split on either side: there a_m = 0 and b_m = 0, so that the left branch
tests 0 <= 0 and the right one 0 >= 0. Rows are then sorted by class without any split. The repair is z_it <= d_m for
every leaf t to the left of m: what does not split sends all rows right.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers
from algorithms.optimal.instance import Instance
from algorithms.optimal.mio.binary_splits import BinarySplits, CompleteTree, PlacedTree, RankSplit
from algorithms.optimal.mio.model import Draft, Indices, Model, check_size

LEAST_EPSILON = 1e-4
"""A hundred times the tolerance of solvers. A column whose values, scaled to [0, 1], are closer than this is scaled by
ranks instead, which are evenly spaced and give the same trees. A column with too many values for that is refused.
"""


@dataclass(frozen=True, eq=False)
class OCTModel:
    """The programme of one instance, and the conversion between trees and values of its columns, by their indices."""

    model: Model
    tree: CompleteTree
    instance: Instance
    splits: BinarySplits
    scaled: Numbers  # (rows, columns of the splits) in [0, 1]
    epsilon: Numbers  # (columns,) least difference of two values of a column
    a: Indices  # (branches, columns)
    b: Indices  # (branches,)
    d: Indices  # (branches,)
    z: Indices  # (rows, leaves)
    l: Indices  # noqa: E741 - (leaves,)
    c: Indices  # (classes, leaves)
    n: Indices  # (leaves,)
    n_of: Indices  # (classes, leaves)
    errors: Indices  # (leaves,)

    def values(self, placed: PlacedTree) -> Numbers:
        """The values (columns of the model,) of a tree whose leaves all have rows, from which a solver may start."""
        values = np.zeros(len(self.model.costs))
        waiting = [(1, np.arange(self.instance.data.rows))]
        while waiting:
            node, rows = waiting.pop()
            if node in self.tree.leaves:
                self._fill_leaf(values, node - self.tree.leaves.start, rows)
                continue
            left = np.zeros(len(rows), bool)
            if node in placed:
                column, rank = placed[node]
                left = self.splits.left(placed[node], rows)
                last = self.scaled[self.splits.ranks[:, column] < rank, column].max() + self.epsilon[column]
                first = self.scaled[self.splits.ranks[:, column] >= rank, column].min()
                values[self.a[node - 1, column]] = values[self.d[node - 1]] = 1
                values[self.b[node - 1]] = min(last / 2 + first / 2, 1)
            waiting += [(2 * node, rows[left]), (2 * node + 1, rows[~left])]
        return values

    def placed(self, values: Numbers) -> dict[int, RankSplit]:
        """The tree that the values of the model's columns describe; rows below b_m - epsilon / 2 go left."""
        result = {}
        for node in self.tree.branches:
            if values[self.d[node - 1]] > 0.5:
                column = int(values[self.a[node - 1]].argmax())
                left = self.scaled[:, column] < values[self.b[node - 1]] - self.epsilon[column] / 2
                result[node] = RankSplit(column, int(self.splits.ranks[left, column].max(initial=-1)) + 1)
        return result

    def _fill_leaf(self, values: Numbers, leaf: int, rows: NDArray[np.intp]) -> None:
        count = np.bincount(
            self.instance.data.decisions[rows], self.instance.weights[rows], len(self.instance.data.classes)
        )[_classes(self.instance)]
        values[self.z[rows, leaf]] = 1
        values[self.n[leaf]], values[self.n_of[:, leaf]] = count.sum(), count
        if len(rows):
            values[self.l[leaf]] = values[self.c[count.argmax(), leaf]] = 1
            values[self.errors[leaf]] = count.sum() - count.max()


def oct_model(instance: Instance, splits: BinarySplits, depth: int, *, printed: bool = False) -> OCTModel:
    """Make the programme for trees of this depth, at least 1. Errors and counts are weighted, N_min counts rows.

    It minimises errors + alpha x L_hat x splits, which is L_hat times the printed objective. `printed` omits the
    repair, to demonstrate that the printed programme admits costs below those of any tree.

    Raises ModelSizeError if it would be too large.
    """
    _check_oct_size(instance, splits, depth)
    tree, draft = CompleteTree(depth), Draft()
    rows, branches, leaves = instance.data.rows, len(tree.branches), len(tree.leaves)
    classes = _classes(instance)
    weight = instance.weights
    total = float(weight.sum())
    of_class = instance.data.decisions == classes[:, None]  # (classes, rows): 1/2 (1 + Y_ik)
    scaled, epsilon = _scaled(splits)

    a = draft.columns(branches, splits.columns, whole=True)
    b = draft.columns(branches)
    d = draft.columns(branches, cost=instance.size_cost, whole=True)
    z = draft.columns(rows, leaves, whole=True)
    l = draft.columns(leaves, whole=True)  # noqa: E741
    c = draft.columns(len(classes), leaves, whole=True)
    n = draft.columns(leaves, upper=total)
    n_of = draft.columns(len(classes), leaves, upper=total)
    errors = draft.columns(leaves, cost=1.0, upper=total)

    draft.rows((a, 1.0), (d, -1.0), lower=0, upper=0)
    draft.rows((b, 1.0), (d, -1.0), upper=0)
    if branches > 1:
        below = np.arange(2, branches + 1)
        draft.rows((d[below - 1], 1.0), (d[below // 2 - 1], -1.0), upper=0)
    if instance.max_splits is not None and instance.max_splits < branches:
        draft.rows((d[None, :], 1.0), upper=instance.max_splits)
    draft.rows((z, 1.0), lower=1, upper=1)
    draft.rows((c.T, 1.0), (l, -1.0), lower=0, upper=0)
    draft.rows((z.T, 1.0), (l, -float(instance.min_samples_leaf)), lower=0)
    draft.rows((z.T, -weight[None, :]), (n, 1.0), lower=0, upper=0)
    for k in range(len(classes)):
        draft.rows((z.T, -(weight * of_class[k])[None, :]), (n_of[k], 1.0), lower=0, upper=0)
        draft.rows((errors, 1.0), (n, -1.0), (n_of[k], 1.0), (c[k], -total), lower=-total)
        draft.rows((errors, 1.0), (n, -1.0), (n_of[k], 1.0), (c[k], -total), upper=0)
    for leaf, node in enumerate(tree.leaves):
        draft.rows((z[:, leaf], 1.0), (np.full(rows, l[leaf]), -1.0), upper=0)
        for m in tree.right_above(node):
            tests, cut = np.broadcast_to(a[m - 1], scaled.shape), np.full(rows, b[m - 1])
            draft.rows((tests, scaled), (cut, -1.0), (z[:, leaf], -1.0), lower=-1)
        for m in tree.left_above(node):
            tests, cut = np.broadcast_to(a[m - 1], scaled.shape), np.full(rows, b[m - 1])
            slack = 1 + float(epsilon.max())
            draft.rows((tests, scaled + epsilon), (cut, -1.0), (z[:, leaf], slack), upper=slack)
            if not printed:
                draft.rows((z[:, leaf], 1.0), (np.full(rows, d[m - 1]), -1.0), upper=0)
    return OCTModel(draft.model(), tree, instance, splits, scaled, epsilon, a, b, d, z, l, c, n, n_of, errors)


def _classes(instance: Instance) -> NDArray[np.intp]:
    """The classes that occur."""
    return np.flatnonzero(instance.class_weights)


def _scaled(splits: BinarySplits) -> tuple[Numbers, Numbers]:
    """The values (rows, columns) scaled to [0, 1], and their epsilon (columns,).

    They are scaled by their range, or by their ranks if values are too close or only some thresholds are allowed.
    """
    scaled, epsilon = np.empty(splits.values.shape), np.empty(splits.columns)
    for column in range(splits.columns):
        values = splits.values[:, column]
        least, most = values.min() / 2, values.max() / 2  # halves, because the range may be too large
        share = (values / 2 - least) / ((most - least) or 1.0)  # 0 if halves of the least numbers are equal
        gap = float(np.diff(np.unique(share)).min(initial=1.0))
        if gap < LEAST_EPSILON or len(np.unique(share)) != splits.levels[column]:
            share = splits.ranks[:, column] / max(splits.levels[column] - 1, 1)
            gap = float(np.diff(np.unique(share)).min(initial=1.0))
        scaled[:, column], epsilon[column] = share, gap
    return scaled, epsilon


def _check_oct_size(instance: Instance, splits: BinarySplits, depth: int) -> None:
    rows, leaves, classes = instance.data.rows, 2**depth, int((instance.class_weights > 0).sum())
    routes = leaves * depth
    check_size(
        columns=(leaves - 1) * (splits.columns + 2) + leaves * (rows + 3 + 2 * classes),
        rows=rows * (leaves + 1 + routes + routes // 2) + leaves * (2 + 4 * classes),
        nonzeros=rows * (routes * (splits.columns + 3) + leaves * (4 + 2)),
        depth=depth,
        advice="Reduce max_depth or the number of rows, or use OCTClassifier, which solves far larger problems",
    )
    if splits.levels.max(initial=2) - 1 > 1 / LEAST_EPSILON:
        column = int(splits.levels.argmax())
        raise ValueError(
            f"attribute {splits.attributes[splits.attribute[column]].name!r} has {splits.levels[column]:,} distinct "
            f"values, but a solver can separate at most {1 / LEAST_EPSILON + 1:,.0f}: round them, or use OCTClassifier"
        )
