"""The base class of the estimators that grow a tree."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix
from sklearn.utils.validation import check_is_fitted

from algorithms.array_types import Numbers
from algorithms.data.data_set import DataSet
from algorithms.data.table import Labels
from algorithms.estimators.data_set_classifier import ProbabilisticClassifier
from algorithms.measures.uncertainty import gini_by_weight
from algorithms.pictures.axes import new_axes
from algorithms.rounding import EQUAL_SHARE
from algorithms.row_weights import scaled
from algorithms.trees.arrays import NodeKind
from algorithms.trees.costs import Costs
from algorithms.trees.decision_tree import DecisionTree
from algorithms.trees.given import tree_and_labels
from algorithms.trees.plot import draw_tree, size_of
from algorithms.trees.svg import tree_svg
from algorithms.trees.text import export_text

if TYPE_CHECKING:
    from algorithms.pictures.axes import Axes

__all__ = ["TreeClassifier"]


class TreeClassifier(ProbabilisticClassifier):
    """An estimator that grows a tree. A subclass implements `_grow`.

    Attributes
    ----------
    tree_ : DecisionTree
        The tree that `fit` grew.
    labels_ : Labels
        The names of the tree's attributes, values and classes, for functions such as `export_text`.
    feature_importances_ : ndarray of shape (n_features,)
        The Gini importance of each attribute.
    """

    @abstractmethod
    def _grow(self, data: DataSet, weights: Numbers) -> DecisionTree:
        """The tree for a data set in which no class is missing, with positive weights (rows,)."""

    @property
    def labels_(self) -> Labels:
        """The names of the tree's attributes, values and classes."""
        check_is_fitted(self)
        return Labels.of(self.attributes_, self.classes_.tolist())

    @property
    def feature_importances_(self) -> Numbers:
        """The Gini importance of each attribute, as in scikit-learn's trees; the importances add up to 1.

        The importance of an attribute is the decrease of Gini impurity at the nodes that test it, weighted by their
        training rows. It is computed from the class counts of the nodes, for any criterion of growth. All are 0 if
        the tree has no test, or no test makes the classes purer.

        Returns
        -------
        ndarray of shape (n_features,)

        Raises
        ------
        AttributeError
            A node tests a sum of several attributes, so its decrease cannot be assigned to a single attribute.
        """
        tree = self._fitted_tree()
        if (tree.kind == NodeKind.LINEAR).any():
            raise AttributeError(
                f"{type(self).__name__} has no feature_importances_: its nodes test sums of several attributes"
            )
        return _gini_importances(tree, len(self.attributes_))

    def get_depth(self) -> int:
        """Return the number of edges from the root to the deepest node."""
        return int(self._fitted_tree().depths().max())

    def get_n_leaves(self) -> int:
        """Return the number of leaves, including those that no training row reaches."""
        return int((self._fitted_tree().kind == NodeKind.TERMINAL).sum())

    def apply(self, X: Any) -> NDArray[np.int32]:  # noqa: N803
        """Return the index in `tree_` of the node at which each row ends.

        This node is a leaf, with two exceptions. First, a row ends at a node that has no branch for the row's value, or
        for missing values if the row lacks the value. Second, a row ends at a node that sends it down all branches
        because the value is missing; `decision_path` gives the leaves that the parts of such a row reach.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        values = self._values(self._read(X))  # which raises NotFittedError
        return self.tree_.last_nodes(values)

    def decision_path(self, X: Any) -> csr_matrix:  # noqa: N803
        """Return the nodes that each row passes, including the root and its last node.

        If a value is missing, a node may send the row down all branches. The row then passes each node that a part of
        it reaches, so it may pass several leaves.

        Returns
        -------
        csr_matrix of shape (n_samples, n_nodes)
            Its entry (i, j) is 1 where row i passes node j.
        """
        values = self._values(self._read(X))
        passed = [(rows, np.full(len(rows), node)) for node, rows in self.tree_.rows_of_nodes(values)]
        rows, nodes = (np.concatenate(column) for column in zip(*passed, strict=True))
        return csr_matrix((np.ones(len(rows), np.int64), (rows, nodes)), shape=(len(values), self.tree_.nodes))

    def export_text(self, feature_names: Sequence[str] | None = None) -> str:
        """Return the tree as indented lines, a branch per line, as `orchard.export_text` writes them.

        Parameters
        ----------
        feature_names : sequence of str, optional
            A name for each attribute; by default the names of the columns that `fit` read.
        """
        return export_text(self, feature_names)

    def plot(self, ax: Axes | None = None, feature_names: Sequence[str] | None = None) -> Axes:
        """Draw the tree with the root on top, and below each leaf its training rows of each class.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes to draw on; by default the axes of a new figure that is large enough for the tree.
        feature_names : sequence of str, optional
            A name for each attribute; by default the names of the columns that `fit` read.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ImportError
            Matplotlib is not installed.
        """
        tree, labels = tree_and_labels(self, feature_names)
        axes = new_axes(size_of(tree)) if ax is None else ax
        draw_tree(axes, tree, labels)
        return axes

    def _html_repr(self) -> str:
        """Return scikit-learn's HTML of the parameters and, after `fit`, the tree as SVG below it."""
        shown: str = super()._html_repr()
        if hasattr(self, "tree_"):
            drawn = tree_svg(self.tree_, self.labels_, f"Tree of {type(self).__name__}")
            shown += f'<div style="overflow-x: auto">{drawn}</div>'
        return shown

    def costs(self, X: Any, sample_weight: ArrayLike | None = None) -> Costs:  # noqa: N803
        """The costs of the tree over rows and their weights."""
        values = self._values(self._read(X))  # which raises NotFittedError
        return self.tree_.costs_of_rows(values, sample_weight)

    def _fitted_tree(self) -> DecisionTree:
        check_is_fitted(self)
        return self.tree_

    def _learn(self, data: DataSet, weights: Numbers) -> None:
        self.tree_: DecisionTree = self._grow(data, weights)

    def _values(self, data: DataSet) -> Numbers:
        """(rows, attributes): the values that the tree tests."""
        return data.values()

    def _decisions(self, data: DataSet) -> NDArray[np.integer[Any]]:
        return self.tree_.predict(self._values(data))

    def _distribution(self, data: DataSet) -> Numbers:
        return self.tree_.distribution(self._values(data))


def _gini_importances(tree: DecisionTree, attributes: int) -> Numbers:
    """(attributes,): the share of each attribute in the total decrease of Gini impurity on the training rows."""
    tests, parents = tree.kind != NodeKind.TERMINAL, tree.parents()[1:]
    counts = scaled(tree.counts)
    ending = counts.copy()  # the rows that end at the node because they have no branch
    np.subtract.at(ending, parents, counts[1:])
    impurity = gini_by_weight(counts)
    decrease = impurity - gini_by_weight(np.maximum(ending, 0))
    np.subtract.at(decrease, parents, impurity[1:])
    decrease[decrease <= EQUAL_SHARE * counts.sum(axis=1)] = 0  # by rounding it may be less or more than 0
    decreases = np.bincount(tree.attribute[tests], weights=decrease[tests], minlength=attributes).astype(np.float64)
    total = decreases.sum()
    return decreases / total if total > 0 else decreases
