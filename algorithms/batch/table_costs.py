"""Costs of the greedy trees, and the exact minima, for many tables at once, without building a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from algorithms._numba.primitives import MOST_WORDS
from algorithms.batch.word_costs import costs_of_word_tables
from algorithms.batch.word_greedy import empty_pending
from algorithms.batch.word_minima import empty_nodes, twice_the_nodes
from algorithms.batch.word_table import MOST_ATTRIBUTES, empty_word_table, words_needed
from algorithms.data.table import DecisionTable, Integers, Labels, TableError
from algorithms.exact.graph import GraphTooLargeError, exact_costs
from algorithms.greedy import greedy_costs
from algorithms.measures.impurity import IMPURITY_FUNCTIONS, ImpurityFunction
from algorithms.options import check_type
from algorithms.plurals import counted
from algorithms.trees.costs import COUNTED_COSTS, Costs

MOST_VALUES = 256
"""The most values of an attribute in tables whose row sets or codes take several words."""

FASTEST_BYTES = 2**24
"""Graph size in bytes above which `exact_costs` is faster for the minima of a table."""

FIRST_NODES = 2048
"""Nodes that the arrays of a graph hold at first."""

GRAPH_BYTES = 2**30


@dataclass(frozen=True, eq=False)
class BatchCosts:
    """Costs of many tables, in the order of the tables.

    Attributes
    ----------
    rows : ndarray of shape (tables,)
        Number of rows of each table after equal rows were merged.
    greedy : ndarray of shape (tables, impurity functions, 5)
        Costs of the greedy trees: depth, total path length, nodes, nonterminal nodes and terminal nodes.
    minimum : ndarray of shape (tables, 5)
        The minimum of each of these costs over all trees, each cost minimised alone; -1 if the graph of separable
        subtables was too large.

    Examples
    --------
    >>> from orchard import RandomTables, costs_of_tables
    >>> codes, decisions = RandomTables(rows=10, attributes=4).draw(seed=0, group=1, first=1, count=3)
    >>> costs = costs_of_tables(codes, decisions, values=3, n_decisions=3)
    >>> bool((costs.greedy >= costs.minimum[:, None]).all())
    True
    """

    rows: Integers
    greedy: Integers
    minimum: Integers


def costs_of_tables(
    codes: Integers,
    decisions: Integers,
    *,
    values: int,
    n_decisions: int,
    impurity_functions: Sequence[ImpurityFunction] = IMPURITY_FUNCTIONS,
    graph_bytes: int = GRAPH_BYTES,
) -> BatchCosts:
    """Return the costs of greedy trees, one tree for each impurity function, and the exact minima for many tables.

    All tables have the same shape. Equal rows are merged as in `DecisionTable.from_codes`; every row of a table has
    weight 1. Tables of at most 512 rows and 64 attributes of up to 256 values are computed by kernels for many tables.
    The kernels are compiled for the number of 64-bit words that a set of rows and the codes of a row take. Other tables
    are computed one by one by `greedy_costs` and `exact_costs`. Both ways give the same results.

    Parameters
    ----------
    codes : ndarray of shape (tables, rows, attributes)
        Whole numbers below `values`.
    decisions : ndarray of shape (tables, rows)
        Whole numbers below `n_decisions`.
    values : int
        Number of codes of each attribute.
    n_decisions : int
        Number of decisions.
    impurity_functions : sequence of ImpurityFunction, optional
        One greedy tree is grown by each; by default all 16.
    graph_bytes : int, default 2**30
        Maximum number of bytes of the graph of a table; the minima of a table with a larger graph are -1. With 0, only
        tables whose graph has fewer than about 2,000 nodes get minima. If a graph takes more than 16 MiB in the kernels
        for many tables, `exact_costs` computes the minima, because it needs fewer bytes.

    Returns
    -------
    BatchCosts

    Raises
    ------
    TypeError
        The codes or the decisions are not an array.
    TableError
        There are no rows or no attributes, the shapes do not fit, or a code or decision is out of range or not an
        integer.

    Examples
    --------
    >>> from orchard import RandomTables, costs_of_tables
    >>> codes, decisions = RandomTables(rows=10, attributes=4).draw(seed=0, group=1, first=1, count=3)
    >>> costs_of_tables(codes, decisions, values=3, n_decisions=3).minimum.shape
    (3, 5)
    """
    _check_arrays(codes, decisions, values, n_decisions)
    tables, n_rows, attributes = codes.shape
    costs = BatchCosts(
        rows=np.empty(tables, np.int64),
        greedy=np.empty((tables, len(impurity_functions), len(COUNTED_COSTS)), np.int64),
        minimum=np.empty((tables, len(COUNTED_COSTS)), np.int64),
    )
    labels = Labels.numbered([values] * attributes, n_decisions)
    words = words_needed(n_rows, attributes, values)
    packed = words == 1 or (words <= MOST_WORDS and attributes <= MOST_ATTRIBUTES and values <= MOST_VALUES)
    remaining: Sequence[int] = range(tables)
    if packed:
        _in_words(codes, decisions, values, n_decisions, impurity_functions, graph_bytes, costs)
        remaining = np.flatnonzero(costs.minimum[:, 0] < 0).tolist() if graph_bytes else []
    for i in remaining:
        table = DecisionTable.from_codes(codes[i], decisions[i], labels=labels)
        if not packed:
            costs.rows[i] = table.rows
            for index, function in enumerate(impurity_functions):
                costs.greedy[i, index] = _counted(greedy_costs(table, function))
        try:
            costs.minimum[i] = _counted(exact_costs(table, graph_bytes))
        except GraphTooLargeError:
            costs.minimum[i] = -1
    return costs


def _check_arrays(codes: Integers, decisions: Integers, values: int, n_decisions: int) -> None:
    """Raise TableError unless codes and decisions are those of tables of one shape."""
    for name, given in (("codes", codes), ("decisions", decisions)):
        check_type(name, given, np.ndarray, f"numpy.array({name})")
    if codes.ndim != 3 or decisions.shape != codes.shape[:2]:
        shapes = f"`codes` has shape {codes.shape} and `decisions` has shape {decisions.shape}"
        raise TableError(f"{shapes}: expected (tables, rows, attributes) and (tables, rows)")
    _, n_rows, attributes = codes.shape
    if not n_rows or not attributes:
        sizes = f"{counted(n_rows, 'row')} and {counted(attributes, 'attribute')}"
        raise TableError(f"the tables have {sizes}: expected at least one row and one attribute")
    for name, numbers, limit in (("code", codes, values), ("decision", decisions, n_decisions)):
        if numbers.dtype.kind not in "iu" or not numbers.dtype.isnative:
            raise TableError(
                f"`{name}s` has type {numbers.dtype}: expected a type of integers in this machine's byte order"
            )
        if numbers.size and not 0 <= int(numbers.min()) <= int(numbers.max()) < limit:
            raise TableError(f"`{name}s` has values from {numbers.min()} to {numbers.max()}: expected 0 to {limit - 1}")


def _in_words(
    codes: Integers,
    decisions: Integers,
    values: int,
    n_decisions: int,
    impurity_functions: Sequence[ImpurityFunction],
    graph_bytes: int,
    costs: BatchCosts,
) -> None:
    """Write the costs of tables that fit in words; the minima of a table whose graph has too many nodes are -1."""
    tables, n_rows, attributes = codes.shape
    branches = attributes * values
    small = np.uint8 if max(values, n_decisions) <= 256 else np.uint32  # one type, so that one kernel serves all tables
    arrays = np.ascontiguousarray(codes, small), np.ascontiguousarray(decisions, small)
    numbers = np.array([function.number for function in impurity_functions], dtype=np.int64)
    table = empty_word_table(n_rows, attributes, values, n_decisions)
    words = table.decision_rows.shape[1]
    votes = np.zeros((n_rows, n_decisions), np.int64)
    pending = empty_pending(n_rows)
    most_nodes = max(FIRST_NODES, min(graph_bytes, FASTEST_BYTES) // (4 * branches + 24 * words + 48))
    nodes = empty_nodes(FIRST_NODES, words, branches)
    done, give_up = 0, False
    while done < tables:
        done = costs_of_word_tables(
            *arrays, numbers, table, votes, pending, nodes, done, give_up, costs.rows, costs.greedy, costs.minimum
        )
        give_up = 2 * len(nodes.rows) > most_nodes
        if done < tables and not give_up:
            nodes = twice_the_nodes(nodes)


def _counted(costs: Costs) -> list[int]:
    return [getattr(costs, name) for name in COUNTED_COSTS]
