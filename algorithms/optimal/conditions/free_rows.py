"""The fast search, for rows whose trees have no condition except which attributes they may test."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import replace
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers
from algorithms.optimal.conditions.conditioned_rows import RowShares
from algorithms.optimal.conditions.terms import UNRANKED, ConditionTerms
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.missing_values import WithMissing
from algorithms.optimal.mixed.rank_search import RankSearch
from algorithms.optimal.mixed.ranked_rows import RankedRows
from algorithms.optimal.mixed.solve_ranks import tree_rule
from algorithms.optimal.never import NEVER
from algorithms.optimal.plan import Plan, plan_of
from algorithms.optimal.solution import Effort, Solution

SLICE = 10**6
"""Units of work between checks of the limits."""


class FreeRows:
    """The best trees for rows by the fast search.

    It has neither prices of attributes nor orders. Costs of misclassification become weights of the rows, if the cost
    of a row does not depend on the class of its leaf.

    memory : limit of what the search for bounds remembers, in bytes
    """

    def __init__(
        self, instance: Instance, terms: ConditionTerms, price: float, memory: float, *, subsets: bool
    ) -> None:
        completed = WithMissing.of(instance.data, instance.missing or "best_side")
        self._completed = completed
        self._shared: NDArray[np.bool_] = np.array(completed.data.missing.any(axis=1) & instance.shares_rows)
        self._instance, self._terms, self._subsets, self._price = instance, terms, subsets, price
        self._memory = memory
        cost = np.array(terms.cost)
        by_class: Numbers = cost.max(axis=1) if len(cost) > 1 else np.ones(1)
        as_weights = (cost == by_class[:, None] * (1 - np.eye(len(cost)))).all() and (by_class > 0).all()
        self._weights = (
            instance.weights * by_class[np.argsort(terms.classes)][instance.data.decisions] if as_weights else None
        )

    def can_solve(self, rows: RowShares | None = None) -> bool:
        """Whether none of some rows, or of all, is shared among branches, which the fast search does not do."""
        return not (self._shared if rows is None else self._shared[rows.indices]).any()

    def without_shared(self, rows: RowShares) -> RowShares:
        """The rows that are not shared among branches; no tree for all of the rows costs less than theirs."""
        return rows.where(~self._shared[rows.indices]) if self._shared.any() else rows

    def can_bound(self, rows: RowShares) -> bool:
        """Whether the fast search bounds the cost of trees for some rows.

        Costs of misclassification must be weights, and the rows that are not shared must be of several classes.
        """
        if self._weights is None:
            return False
        decisions = self._instance.data.decisions[self.without_shared(rows).indices]
        return bool(len(decisions) and (decisions != decisions[0]).any())

    def is_free(self, allowed: Any, prices: Numbers, limited: Any) -> bool:
        """Whether trees have no condition except which attributes they may test.

        The caller checks required attributes and the classes of leaves.
        allowed, prices : (attributes,) whether they may be tested, and at what price
        limited         : (attributes,) whether a path may test it once only, although a second test could split rows
        """
        terms = self._terms
        ranks = np.unique(terms.rank[allowed & (terms.rank != UNRANKED)])
        return bool(
            self._weights is not None
            and allowed.any()
            and len(ranks) < 2
            and not (allowed & (limited | (terms.monotone != 0) | (prices > 0))).any()
        )

    @cached_property
    def _search_of_known(self) -> tuple[NDArray[np.int64], RankedRows, RankSearch]:
        """The rows that lack no value, of which some must be of several classes, and the search for their trees."""
        rows = np.flatnonzero(~self._shared)
        attributes = [index for index in range(len(self._terms.rank)) if self._terms.allowed >> index & 1]
        part = self._part(rows, attributes, min_samples_leaf=1, max_depth=None, max_splits=None)
        coded = RankedRows.of(part, subsets=self._subsets)
        rule = tree_rule(part, coded, self._subsets, frontier=False)
        return rows, coded, RankSearch(part, coded, rule, self._memory)

    def bound_of_known(
        self, rows: NDArray[np.integer[Any]], levels: int, limit: float, most_work: int, check: Callable[[], None]
    ) -> tuple[float, int]:
        """(a lower bound of the cost of trees for some rows, the work); the least cost if that is below a limit.

        A row without missing values goes to one branch of each test, with its whole weight. So no tree for all rows
        costs less than the best tree for some of these rows alone.

        rows      : rows that lack no value
        most_work : units of work after which the bound so far is taken
        check     : called after each slice; raises Stopped at a limit
        """
        known, coded, search = self._search_of_known
        chosen = np.unique(coded.of_row[np.searchsorted(known, rows)])
        ceiling = NEVER if limit == inf else min(int(np.ceil(limit / coded.unit)) + 1, NEVER)
        search.begin(chosen, levels, np.array([ceiling]))
        began, end = search.work, search.work + most_work
        while not search.advance(min(search.work + SLICE, end)) and search.work < end:
            search.grow()
            check()
        return float(search.bound().low[0]) * coded.unit, search.work - began

    def _part(self, rows: NDArray[np.integer[Any]], attributes: Container[int], **limits: Any) -> Instance:
        """The instance of some rows and attributes."""
        assert self._weights is not None
        data = self._completed.data_of(rows, attributes)
        part = replace(self._instance, data=data, weights=self._weights[rows], alpha=0.0, **limits)
        return replace(part, alpha=self._price / part.baseline)

    def best(
        self, rows: RowShares, allowed: Any, levels: int, splits: float, effort: Effort, least: int | None = None
    ) -> tuple[Solution, float]:
        """The fast search's solution for rows of several classes, and the cost of an objective of 1.

        least : fewest rows in a leaf, by default those of the instance
        """
        part = self._part(
            rows.indices,
            np.flatnonzero(allowed).tolist(),
            max_depth=levels,
            max_splits=None if splits == inf else int(splits),
            min_samples_leaf=least or self._instance.min_samples_leaf,
        )
        return solve(part, effort, subsets=self._subsets), part.baseline

    def plan(self, rows: RowShares, allowed: Any, solution: Solution) -> Plan:
        """The tree of the solution for some rows and allowed attributes."""
        attributes = np.flatnonzero(allowed).tolist()
        if not self._instance.data.incomplete:
            return plan_of(solution.tree, attributes)
        completed = self._completed.select(rows.indices, attributes)
        return plan_of(completed.tree(solution.tree), range(len(self._instance.data.attributes)))
