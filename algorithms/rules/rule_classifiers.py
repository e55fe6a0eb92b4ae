"""Rule lists as scikit-learn estimators."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algorithms.class_weight import ClassWeight
from algorithms.data_set import DataSet
from algorithms.data_set_classifier import ProbabilisticClassifier
from algorithms.induction.around_builder import AroundBuilder
from algorithms.induction.tree_classifier import TreeClassifier
from algorithms.inputs import Nominal
from algorithms.options import Constraints
from algorithms.pruning.pessimistic import CONFIDENCE
from algorithms.rules.rule_list import RuleList
from algorithms.rules.sequential_covering import sequential_covering
from algorithms.rules.simplified import simplified
from algorithms.rules.tree_rules import tree_rules
from algorithms.table import Labels

__all__ = ["RuleListClassifier", "SequentialCoveringClassifier", "TreeRulesClassifier"]

Numbers = NDArray[np.float64]


class RuleListClassifier(ProbabilisticClassifier):
    """An estimator that learns a rule list: `_rules` is all that its subclasses add.

    rules_  : the list that `fit` learnt; it asks the attributes of `attributes_` by place
    labels_ : what its numbers stand for: `print(fitted.rules_.text(fitted.labels_))`

    The probabilities are the shares of the classes among the training rows for which a rule decides.
    """

    @abstractmethod
    def _rules(self, data: DataSet, weights: Numbers) -> RuleList:
        """The list for a data set without missing classes and positive weights (rows,)."""

    def _learn(self, data: DataSet, weights: Numbers) -> None:
        self.rules_: RuleList = self._rules(data, weights)
        self.labels_ = Labels(
            attributes=tuple(attribute.name for attribute in data.attributes),
            values=tuple(attribute.labels for attribute in data.attributes),
            decisions=self.classes_.tolist(),
        )

    def _decisions(self, data: DataSet) -> NDArray[np.integer[Any]]:
        return self.rules_.predict(data.values())

    def _distribution(self, data: DataSet) -> Numbers:
        return self.rules_.distributions(len(self.classes_))[self.rules_.first_rules(data.values())]


class SequentialCoveringClassifier(RuleListClassifier):
    """Rules found one at a time: `algorithms.rules.sequential_covering`.

    confidence : of the pessimistic error rates by which rules are pruned, above 0 and at most 0.5; less, simpler rules
    nominal    : columns of numbers that are nominal, by name or place
    """

    handles_missing = True
    _parameter_constraints: ClassVar[Constraints] = RuleListClassifier._parameter_constraints | {
        "confidence": CONFIDENCE
    }

    def __init__(
        self, *, confidence: float = 0.25, class_weight: ClassWeight = None, nominal: Nominal = "auto"
    ) -> None:
        self.confidence = confidence
        self.class_weight = class_weight
        self.nominal = nominal

    def _rules(self, data: DataSet, weights: Numbers) -> RuleList:
        return sequential_covering(data, weights, confidence=self.confidence)


class TreeRulesClassifier(AroundBuilder, RuleListClassifier):
    """The rules of a tree: `algorithms.rules.tree_rules`, and `algorithms.rules.simplified`.

    builder    : a `TreeClassifier`, not fitted; None for `GenerateTreeClassifier()`. Its `nominal` is not asked.
    simplify   : whether the rules are simplified; if not, they predict as the tree does
    confidence : of the pessimistic error rates by which they are, above 0 and at most 0.5
    nominal    : columns of numbers that are nominal, by name or place
    """

    _parameter_constraints: ClassVar[Constraints] = AroundBuilder._parameter_constraints | {
        "simplify": [bool],
        "confidence": CONFIDENCE,
    }

    def __init__(
        self,
        builder: TreeClassifier | None = None,
        *,
        simplify: bool = True,
        confidence: float = 0.25,
        class_weight: ClassWeight = None,
        nominal: Nominal = "auto",
    ) -> None:
        self.builder = builder
        self.simplify = simplify
        self.confidence = confidence
        self.class_weight = class_weight
        self.nominal = nominal

    def _rules(self, data: DataSet, weights: Numbers) -> RuleList:
        rules = tree_rules(self._grown(data, weights))
        if not self.simplify:
            return rules
        return simplified(rules, data.values(), data.decisions, weights, self.confidence)
