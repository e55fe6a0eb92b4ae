"""The estimator of optimal classification trees by exact search."""

from __future__ import annotations

from functools import partial
from numbers import Real
from typing import Annotated, Any

from sklearn.base import clone

from algorithms.array_types import Numbers
from algorithms.data.data_set import DataSet
from algorithms.estimators.estimator import estimator
from algorithms.optimal.conditions.conditions import Conditions
from algorithms.optimal.conditions.solve_under import ConditionsPrice, solve_under, solve_with_price
from algorithms.optimal.conditions.terms import check_order_of_classes
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance, MissingRule
from algorithms.optimal.lookahead.limited_search import solve_within_limits
from algorithms.optimal.missing_values import solved
from algorithms.optimal.optimal_classifier import OptimalClassifier
from algorithms.optimal.rashomon.rashomon_set import RashomonSet
from algorithms.optimal.solution import LIMITS, Effort, OnProgress, Solution
from algorithms.options import ParameterError

__all__ = ["OCTClassifier"]


@estimator
class OCTClassifier(OptimalClassifier):
    """The optimal classification tree, found and proven by an exact search.

    It minimises errors / L + alpha x splits (or leaves, by `penalty`), where L are the errors of the tree without a
    split. A test of a nominal attribute has a branch for each label of the node's rows; a test of a numeric attribute
    splits at a threshold.

    Parameters
    ----------
    subsets : bool, default=False
        Whether nominal attributes may also be split into two sets of labels.
    memory_limit : float, default=2**30
        Maximum number of bytes that the stored results of the search take.
    frontier : bool, default=False
        Whether to also find the fewest errors for each number of splits (`solution_.frontier`). If no attribute has
        more than two values, this needs `max_depth` or `max_splits`.
    conditions : Conditions, dict or None, default=None
        Conditions for the tree: the best tree that meets them is found. A dict has the arguments of `Conditions`.
    missing : {"best_side", "own_branch", "all_branches"}, default="best_side"
        Where a split sends rows whose value is missing. The tree is the best of all trees with this rule.

        - best_side: all these rows go to the side that is better for them, as in scikit-learn's trees; a split may also
          separate them from all other rows. If an attribute has more than two labels, a missing value counts as one
          more label.
        - own_branch: these rows get a separate branch. The split of a number then has three branches.
        - all_branches: each of these rows goes down every branch, weighted by the branch's share of the rows with known
          values, as in C4.5. Errors and rows of a leaf are sums of these weights. The search for this rule is much
          slower.

    Attributes
    ----------
    price_of_conditions_ : ConditionsPrice or None
        The objective with the conditions, and the objective without them; None if there are no conditions.

    Raises
    ------
    ParameterError
        No tree meets the conditions, or `frontier` is combined with conditions, or with missing values and
        missing="all_branches".
    ValueError
        `frontier` is set without `max_depth` and `max_splits`, and no attribute has more than two values.
    EffortSpentError
        A limit is reached before a tree that meets the conditions is found.

    Notes
    -----
    The objective is that of Bertsimas & Dunn 2017, as Li describes it. Nominal attributes are split as they are, not
    as binary columns. If no attribute has more than two values, a faster search on packed rows is used.

    If `time_limit` or `max_work` ends the search, the tree of `LicketySPLITClassifier` is taken if it is better. Up to
    a fifth of the limit is kept for this second search. There is no second search

    - with `frontier` or `conditions`;
    - if a fifth of the seconds is too short;
    - if values are missing and `missing` is "all_branches", or numbers are missing and `missing` is "own_branch".

    References
    ----------
    - Bertsimas & Dunn (2017), *Optimal Classification Trees*, as reported by Li (slides), *Optimal Decision Tree*,
      section Finding the Global Optima - OCT.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import OCTClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = OCTClassifier(max_depth=2, alpha=0.01).fit(X, y)
    >>> model.get_n_leaves()
    3
    >>> round(model.score(X, y), 2)
    0.96
    """

    handles_missing = True

    subsets: bool = False
    max_work: Annotated[int | None, LIMITS["max_work"]] = None
    memory_limit: Annotated[int, LIMITS["memory_limit"]] = 1 << 30
    frontier: bool = False
    conditions: Annotated[Conditions | dict[str, Any] | None, (Conditions, dict, None)] = None
    missing: MissingRule = "best_side"

    def rashomon_set(
        self,
        X: Any,  # noqa: N803
        y: Any = None,
        sample_weight: Any = None,
        *,
        epsilon: float = 0.0,
    ) -> RashomonSet:
        """Return the set of all good trees for the rows that `fit` takes; the estimator need not be fitted.

        The trees have the indices of attributes; `labels_` of the fitted estimator has the names.

        Parameters
        ----------
        X, y, sample_weight
            As `fit` takes them.
        epsilon : float, default=0.0
            How much the objective of a tree may exceed the least objective, 0 or more: a difference, not a share of
            it. For trees whose objective is at most 1 % above the least, give 0.01 * solution_.objective of the fitted
            estimator. With 0, the set has only the optimal trees.

        Returns
        -------
        RashomonSet
            The set. It counts the trees, makes each tree from its index, and reports what the trees have in common.

        Raises
        ------
        EffortSpentError
            `time_limit`, `max_work` or `memory_limit` is reached.
        ParameterError, ValueError, TypeError
            As `fit` raises them; or epsilon is out of range, the estimator has conditions, or this search does not
            support the rule `missing` for the missing values of X.
        """
        self._refuse_conditions("rashomon_set")
        if isinstance(sample_weight, Real):
            raise TypeError(
                f"sample_weight is {sample_weight!r}: expected the weight of each row. Give epsilon by its name, as in "
                f"rashomon_set(X, y, epsilon={sample_weight!r})"
            )
        model = clone(self)
        instance = model._instance(*model._rows_to_learn(X, y, sample_weight))
        return RashomonSet.of(instance, epsilon, model._effort(), subsets=model.subsets)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.conditions is not None:
            Conditions.of(self.conditions)

    def _labelled(self, X: Any, y: Any) -> DataSet:  # noqa: N803
        data = super()._labelled(X, y)
        if self.conditions is not None:
            check_order_of_classes(Conditions.of(self.conditions), y, self.classes_)
        return data

    def _instance(self, data: DataSet, weights: Numbers, **limits: Any) -> Instance:
        return super()._instance(data, weights, missing=self.missing, **limits)

    def _solution(self, instance: Instance, on_progress: OnProgress | None) -> Solution:
        self.price_of_conditions_: ConditionsPrice | None = None
        if self.conditions is None and not instance.shares_rows:
            solve_complete = partial(solve, frontier=True) if self.frontier else solve_within_limits
            return solved(
                instance,
                lambda complete: solve_complete(
                    complete, self._effort(), subsets=self.subsets, on_progress=on_progress
                ),
            )
        if self.frontier:
            self._refuse_conditions("frontier=True")
            raise ParameterError(
                f"X has missing values, and missing={self.missing!r}: expected missing='best_side' or "
                "missing='own_branch' for frontier=True"
            )
        if self.conditions is None:
            return solve_under(instance, Conditions(), self._effort(), subsets=self.subsets, on_progress=on_progress)
        conditions = Conditions.of(self.conditions)
        result, self.price_of_conditions_ = solve_with_price(
            instance, conditions, self._effort(), subsets=self.subsets, on_progress=on_progress
        )
        return result

    def _refuse_conditions(self, what: str) -> None:
        if self.conditions is not None:
            raise ParameterError(
                f"{what} covers all trees, but conditions={self.conditions!r} exclude some: leave the conditions out"
            )

    def _effort(self) -> Effort:
        return Effort(self.time_limit, self.max_work, self.memory_limit)


OCTSearchClassifier = OCTClassifier
"""The former name of the class, which old pickles contain."""
