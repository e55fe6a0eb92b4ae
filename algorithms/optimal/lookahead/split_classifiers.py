"""LicketySPLIT and SPLIT: an optimal upper part of a tree over greedy lower parts (Babbar et al. 2025)."""

from __future__ import annotations

from typing import Annotated

from algorithms.estimators.estimator import estimator
from algorithms.optimal.instance import Instance
from algorithms.optimal.lookahead.lookahead_trees import licketysplit, split
from algorithms.optimal.optimal_classifier import PenalisedClassifier
from algorithms.optimal.solution import LIMITS, Effort, OnProgress, Solution
from algorithms.options import Whole

__all__ = ["LicketySPLITClassifier", "SPLITClassifier"]


@estimator
class LicketySPLITClassifier(PenalisedClassifier):
    """LicketySPLIT: each node takes the split whose branches, completed by greedy trees, cost least.

    It minimises errors / L + alpha x splits, where L are the errors of the majority rule. It does not prove that its
    tree is best, but its time is polynomial. A test of a nominal attribute has a branch for each label; a numeric
    attribute is split at any threshold. Missing values are refused.

    Parameters
    ----------
    max_thresholds : int or None, default=None
        Maximum number of thresholds of a numeric attribute that a node tries, besides the threshold of the greedy tree.
        The node tries the thresholds that divide its rows most evenly. Greedy trees try all thresholds. None: nodes try
        all thresholds, too.

    Notes
    -----
    A greedy tree takes the split of greatest information gain, but in its last level the split of least cost, as in the
    authors' package `licketysplit`. A subtree that does not cost less than a leaf is replaced by a leaf. The paper
    first turns numbers into binary attributes. The tree never costs more than the greedy tree. `solution_` is optimal
    only if the tree reaches a lower bound of the objective of all trees. Otherwise its status is "heuristic", or the
    status of the limit that ended the search.

    References
    ----------
    - Babbar, McTavish, Rudin and Seltzer (2025), *Near-Optimal Decision Trees in a SPLIT Second*, ICML.
    - Bertsimas & Dunn (2017), *Optimal Classification Trees*, as reported by Li (slides), *Optimal Decision Tree*,
      section Finding the Global Optima - OCT, for the objective.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import LicketySPLITClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LicketySPLITClassifier(max_depth=4, alpha=0.01).fit(X, y)
    >>> model.solution_.errors, model.solution_.splits, model.solution_.status.value
    (3.0, 3, 'heuristic')
    """

    max_work: Annotated[int | None, LIMITS["max_work"]] = None
    max_thresholds: Annotated[int, Whole(1)] | None = None

    def _solution(self, instance: Instance, on_progress: OnProgress | None) -> Solution:
        del on_progress  # the search has no tree before it ends
        return licketysplit(instance, Effort(self.time_limit, self.max_work), self.max_thresholds)


@estimator
class SPLITClassifier(LicketySPLITClassifier):
    """SPLIT: the best upper part of a tree with greedy trees below it, which are then replaced by optimal trees.

    It minimises errors / L + alpha x splits, where L are the errors of the majority rule. Of all upper parts of
    `lookahead_depth` levels it takes the upper part that costs least if greedy trees complete it. It then replaces each
    greedy tree by the optimal tree for the same rows. If `lookahead_depth` is at least `max_depth`, the result is that
    of `OCTClassifier`, whose tree is proven best. A test of a nominal attribute has a branch for each label; a numeric
    attribute is split at any threshold. Missing values are refused.

    Parameters
    ----------
    lookahead_depth : int, default=1
        Levels of the upper part. The time grows with the number of possible splits to this power.

    Notes
    -----
    Greedy trees are those of `LicketySPLITClassifier`. Where the upper part ends early, the optimal tree below it may
    use all levels that are left. At most half of a limit is spent on the upper part; after that, the best upper part so
    far is taken. If a search for an optimal tree below it reaches its share of the limit, the greedy tree is kept if it
    is better. The tree never costs more than the greedy tree. With `lookahead_depth=1`, it never costs more than the
    tree of LicketySPLIT.

    References
    ----------
    - Babbar, McTavish, Rudin and Seltzer (2025), *Near-Optimal Decision Trees in a SPLIT Second*, ICML.
    - Bertsimas & Dunn (2017), *Optimal Classification Trees*, as reported by Li (slides), *Optimal Decision Tree*,
      section Finding the Global Optima - OCT, for the objective.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import SPLITClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SPLITClassifier(max_depth=4, alpha=0.01).fit(X, y)
    >>> model.solution_.errors, model.solution_.splits, model.solution_.status.value
    (3.0, 3, 'heuristic')
    """

    lookahead_depth: Annotated[int, Whole(1)] = 1

    def _solution(self, instance: Instance, on_progress: OnProgress | None) -> Solution:
        effort = Effort(self.time_limit, self.max_work)
        return split(instance, self.lookahead_depth, effort, self.max_thresholds, on_progress)
