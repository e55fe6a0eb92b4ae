"""Rule lists as scikit-learn estimators."""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from algorithms.array_types import Numbers
from algorithms.data.data_set import DataSet
from algorithms.data.table import Labels
from algorithms.estimators.data_set_classifier import ProbabilisticClassifier
from algorithms.estimators.estimator import estimator
from algorithms.induction.around_builder import AroundBuilder
from algorithms.pruning.pessimistic import CONFIDENCE
from algorithms.rules.rule_list import RuleList
from algorithms.rules.sequential_covering import sequential_covering
from algorithms.rules.simplified import simplified
from algorithms.rules.tree_rules import tree_rules

__all__ = ["RuleListClassifier", "SequentialCoveringClassifier", "TreeRulesClassifier"]


class RuleListClassifier(ProbabilisticClassifier):
    """An estimator that learns a rule list; subclasses add only `_rules`.

    The probabilities of a row are the shares of the classes among the training rows that the same rule decides.

    Attributes
    ----------
    rules_ : RuleList
        The rules, in order, and a default.
    labels_ : Labels
        The names of attributes, labels and classes, which `print(model.export_text())` writes.
    """

    @abstractmethod
    def _rules(self, data: DataSet, weights: Numbers) -> RuleList:
        """The list for a data set in which no class is missing, with positive weights (rows,)."""

    def export_text(self) -> str:
        """Return the rules in order, one per line, with their shares of the training rows and their accuracy."""
        check_is_fitted(self)
        return self.rules_.text(self.labels_)

    def _html_repr(self) -> str:
        """Return scikit-learn's picture of the parameters, and below it the table of the rules once there are any."""
        shown: str = super()._html_repr()
        if hasattr(self, "rules_"):
            shown += f'<div style="overflow-x: auto">{self.rules_.html(self.labels_)}</div>'
        return shown

    def _learn(self, data: DataSet, weights: Numbers) -> None:
        self.rules_: RuleList = self._rules(data, weights)
        self.labels_ = Labels.of(data.attributes, self.classes_.tolist())

    def _decisions(self, data: DataSet) -> NDArray[np.integer[Any]]:
        return self.rules_.predict(data.values())

    def _distribution(self, data: DataSet) -> Numbers:
        return self.rules_.distributions(len(self.classes_))[self.rules_.first_rules(data.values())]


@estimator
class SequentialCoveringClassifier(RuleListClassifier):
    """Sequential covering: rules found one at a time for each class but the most common, then a default rule.

    The rarest class comes first. Each rule is grown condition by condition and pruned; then the rows that it covers are
    removed. The probabilities of a row are the shares of the classes among the training rows that the same rule
    decides. A missing value fulfils no condition.

    Parameters
    ----------
    confidence : float, default=0.25
        Confidence of the pessimistic error rates by which rules are pruned; a smaller value gives simpler rules.

    Notes
    -----
    The method is that of Alpaydin, ch. 9. The order of the classes is that of RIPPER (Cohen, 1995), the gain of a
    condition that of FOIL (Quinlan, 1990), and pruning that of C4.5rules (Quinlan, 1993).

    References
    ----------
    - Alpaydin, *Introduction to Machine Learning*, ch. 9, section Rule Learning.
    - Cohen (1995), *Fast Effective Rule Induction*.
    - Quinlan (1990), *Learning Logical Definitions from Relations*.
    - Quinlan (1993), *C4.5: Programs for Machine Learning*, chapter 5.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import SequentialCoveringClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SequentialCoveringClassifier().fit(X, y)
    >>> len(model.rules_.rules)
    4
    >>> round(model.score(X, y), 2)
    0.98
    """

    handles_missing = True

    confidence: Annotated[float, CONFIDENCE] = 0.25

    def _rules(self, data: DataSet, weights: Numbers) -> RuleList:
        return sequential_covering(data, weights, confidence=self.confidence)


@estimator
class TreeRulesClassifier(AroundBuilder, RuleListClassifier):
    """The rules of a tree, one for each leaf, optionally simplified.

    The probabilities of a row are the shares of the classes among the training rows that the same rule decides.
    `predict` gives the class of the rule. For a simplified rule, another class may have a larger share, because earlier
    rules decide some of the rows that the rule covers.

    Parameters
    ----------
    simplify : bool, default=True
        Simplify the rules. If False, they predict as the tree does, except for rows that the tree sends down all
        branches.
    confidence : float, default=0.25
        Confidence of the pessimistic error rates by which rules are simplified; a smaller value gives simpler rules.

    Notes
    -----
    Rules of a tree are described by Alpaydin, ch. 9; they are simplified as in C4.5rules (Quinlan, 1993), and ordered
    as in CBA (Liu, Hsu and Ma, 1998).

    References
    ----------
    - Alpaydin, *Introduction to Machine Learning*, ch. 9, section Rule Learning.
    - Quinlan (1993), *C4.5: Programs for Machine Learning*, chapter 5.
    - Liu, Hsu and Ma (1998), *Integrating Classification and Association Rule Mining*.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import TreeRulesClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = TreeRulesClassifier().fit(X, y)
    >>> len(model.rules_.rules)
    3
    >>> round(model.score(X, y), 2)
    0.98
    """

    simplify: bool = True
    confidence: Annotated[float, CONFIDENCE] = 0.25

    def _rules(self, data: DataSet, weights: Numbers) -> RuleList:
        rules = tree_rules(self._grown(data, weights))
        if not self.simplify:
            return rules
        return simplified(rules, data.values(), data.decisions, weights, self.confidence)
