"""The fewest leaves of any tree that classifies all rows correctly: an optimal tree by Ben-Gal et al. 2014.

"Two or more decision trees may represent the same distribution (the same classification result). The one with smallest
size (with the fewest leaves) is the optimal decision tree."
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import prod

import numpy as np

from algorithms._numba.compiling import Stopwatch
from algorithms.data.attributes.binary import binary_attributes
from algorithms.data.data_set import AttributeKind, DataSet
from algorithms.data.tables_from_data import decision_table
from algorithms.exact.graph import COST_COLUMNS, DEFAULT_LIMIT, GraphTooLargeError
from algorithms.exact.subtables import all_subtables
from algorithms.optimal.consistent.fewest import ROWS_OF_A_UNIT, FewestLeaves, search_fewest
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.solution import Effort, Status, Stopped
from algorithms.options import check_type
from algorithms.trees.costs import TERMINAL_NODES

__all__ = ["fewest_leaves"]

FIRST_SEARCH_DIVISOR = 10
"""The search before the graph gets the seconds and the units of work divided by this."""

MOST_SUBTABLES = 2**26
"""After a search, the graph is tried only for tables with at most this many subtables."""


def fewest_leaves(data: DataSet, effort: Effort | None = None, graph_limit: int = DEFAULT_LIMIT) -> FewestLeaves:
    """Return the fewest leaves of a tree, of any depth, that classifies all rows correctly.

    A test of a nominal attribute has a branch for each label that occurs in the node. A test of a numeric attribute has
    two branches at a threshold. With the data set of `binary_attributes`, every test has two branches.

    Parameters
    ----------
    data : DataSet
    effort : Effort, optional
        Limits of the search for a consistent tree; unlimited by default. A unit of work is the examination of a set of
        at most 512 rows.
    graph_limit : int, optional
        Maximum number of bytes of the graph of separable subtables, which is a second way to find the minimum.

    Returns
    -------
    FewestLeaves

    Raises
    ------
    ValueError
        Two equal rows have different classes, so no tree is correct.
    DataSetError
        Values or classes are missing.

    Notes
    -----
    The graph is tried first if all attributes are nominal and at least one attribute has more than two labels.
    Otherwise the search is tried first, with a tenth of its limits. If a bound on the graph's size is small, the graph
    is tried next, with each cut point as an attribute. Then the search is tried again, with its whole limits. The
    function returns as soon as a step proves the minimum.

    Examples
    --------
    >>> from orchard import data_set_of, fewest_leaves
    >>> fewest_leaves(data_set_of([["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]], [0, 1, 1, 0])).leaves
    4
    """
    check_type("data", data, DataSet, "data_set_of(X, y)")
    effort = Effort() if effort is None else effort
    check_type("effort", effort, Effort, "Effort(seconds=60)")
    instance, clock = _instance(data), Stopwatch()

    def graph() -> FewestLeaves:
        return _graph_result(data, graph_limit, effort.after(clock.seconds))

    def search() -> FewestLeaves:
        return _search_result(instance, effort.after(clock.seconds))

    if _is_multiway(data):
        return _first_proof(graph, search)
    brief = replace(
        effort,
        seconds=None if effort.seconds is None else effort.seconds / FIRST_SEARCH_DIVISOR,
        work=None if effort.work is None else max(1, effort.work // FIRST_SEARCH_DIVISOR),
    )
    first_search = partial(search_fewest, data, brief)
    graphs = [graph] if _subtables(data) <= MOST_SUBTABLES else []
    return _first_proof(first_search, *graphs, search)


def _is_multiway(data: DataSet) -> bool:
    """Whether no attribute is numeric and some has more than two labels, so that few subtables are separable."""
    return all(attribute.kind is AttributeKind.NOMINAL for attribute in data.attributes) and any(
        len(np.unique(column)) > 2 for column in data.columns
    )


def _subtables(data: DataSet) -> int:
    """An upper bound of the number of subtables: combinations of a label or all labels, or an interval of numbers."""
    values = [len(np.unique(column)) for column in data.columns]
    return prod(
        number * (number + 1) // 2 if attribute.kind is AttributeKind.NUMERIC else number + 1
        for attribute, number in zip(data.attributes, values, strict=True)
    )


def _first_proof(*methods: Callable[[], FewestLeaves]) -> FewestLeaves:
    """The result of the first method that proves a minimum, or all results combined."""
    result = methods[0]()
    for method in methods[1:]:
        if not result.optimal:
            result = _combined(result, method())
    return result


def _combined(first: FewestLeaves, second: FewestLeaves) -> FewestLeaves:
    """Combine the results of two methods; the first proved no minimum."""
    leaves = min((result.leaves for result in (first, second) if result.leaves is not None), default=None)
    bound = max(first.bound, second.bound)
    searched = first if second.leaves is None else second  # the graph has the minimum or nothing
    return FewestLeaves(leaves, bound, Status.OPTIMAL if leaves == bound else searched.status)


def _graph_result(data: DataSet, limit: int, effort: Effort) -> FewestLeaves:
    """The result of the graph of separable subtables; beyond a limit, only the number of classes.

    limit  : bytes
    effort : the graph may take half of its seconds. They are checked when its arrays grow
    """
    clock = Stopwatch()

    def check_time() -> None:
        if limit_reached := effort.reached(2 * clock.seconds, work=0):
            raise Stopped(limit_reached)

    numeric = [index for index, attribute in enumerate(data.attributes) if attribute.kind is AttributeKind.NUMERIC]
    nominal = data.select([index for index in range(len(data.attributes)) if index not in numeric])
    cuts = binary_attributes(data.select(numeric), bins=max(data.rows, 2))  # this many separate any two numbers
    tests = replace(data, attributes=nominal.attributes + cuts.attributes, columns=(*nominal.columns, *cuts.columns))
    try:
        table = decision_table(tests, distinct_attributes="keep")
        minima = all_subtables(table, limit, edges=False, on_growth=check_time).minima[-1]
    except GraphTooLargeError:
        ended = Status.MEMORY_LIMIT
    except Stopped as stopped:
        ended = stopped.status
    else:
        least = int(minima[COST_COLUMNS[TERMINAL_NODES]])
        return FewestLeaves(least, least, Status.OPTIMAL)
    return FewestLeaves(None, len(np.unique(data.decisions)), ended)


def _instance(data: DataSet) -> Instance:
    """The instance for fewest errors, then fewest leaves: all possible leaves together cost less than an error."""
    plain = Instance(data, np.ones(data.rows))
    _check_one_class_each(data)
    cost = 1 / (plain.baseline * (data.rows + 1)) if plain.baseline else 0.0
    return Instance(data, np.ones(data.rows), alpha=cost, penalty="leaves")


def _check_one_class_each(data: DataSet) -> None:
    _, first, kind = np.unique(data.values(), axis=0, return_index=True, return_inverse=True)
    earlier = first[kind.ravel()]
    wrong = (data.decisions != data.decisions[earlier]).nonzero()[0]
    if len(wrong):
        raise ValueError(
            f"rows {earlier[wrong[0]]} and {wrong[0]} have equal values but different classes, so no tree gives each "
            "row its class: leave out one of the two rows, or use OCTClassifier, whose trees may have errors"
        )


def _search_result(instance: Instance, effort: Effort) -> FewestLeaves:
    """Search for a consistent tree. If that ends without a proof, a search that counts errors may find a smaller tree.

    A unit of work of the second search examines all rows, a unit of the first at most ROWS_OF_A_UNIT rows. The first
    search may take half of the seconds.
    """
    clock, half = Stopwatch(), None if effort.seconds is None else effort.seconds / 2
    result = search_fewest(instance.data, replace(effort, seconds=half))
    if result.optimal:
        return result
    work = (
        None if effort.work is None else max(1, effort.work * ROWS_OF_A_UNIT // max(instance.data.rows, ROWS_OF_A_UNIT))
    )
    counted = solve(instance, replace(effort.after(clock.seconds), work=work))
    return result if counted.errors else _combined(result, FewestLeaves(counted.leaves, result.bound, result.status))
