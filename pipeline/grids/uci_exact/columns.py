"""The columns of the tables that the grid has besides its results; meanings in their metadata."""

from __future__ import annotations

import pyarrow as pa

from pipeline.schema import ERROR, PART, SOURCE, STATUS, KnownTable, field

__all__ = ["FRONTS", "GRAPHS", "TABLES", "TREE_SETS"]

GRAPHS = pa.schema(
    [
        SOURCE,
        PART,
        field("rows", pa.int32(), "rows of the decision table after equal ones were merged"),
        field("size", pa.int64(), "sum of the row weights"),
        field("attributes", pa.int32(), "attributes of the decision table"),
        field("decisions", pa.int32(), "decisions that its rows have"),
        field("nodes", pa.int64(), "separable subtables, the table itself and terminal ones included"),
        field("edges", pa.int64(), "edges between them, one per attribute value"),
        field("graph_bytes", pa.int64(), "memory that the graph takes"),
        field("build_seconds", pa.float64(), "seconds to build the graph and find the five minima"),
        STATUS,
        ERROR,
    ]
)
"""The graph of separable subtables of a table; one row a table."""

TREE_SETS = pa.schema(
    [
        SOURCE,
        PART,
        field("alpha", pa.float64(), "a subtable is terminal if rt is at most alpha times that of the table"),
        field("optimal_for", pa.string(), "the costs the trees are optimal for, one after another; empty: all trees"),
        field("trees", pa.string(), "how many trees the set has, in decimal digits: it outgrows 64 bits"),
        field("log10_trees", pa.float64(), "decimal logarithm of that, to compare and sort by"),
        field("depth", pa.int32(), "least depth of a tree of the set"),
        field("average_depth", pa.float64(), "least average depth of a tree of the set"),
        field("nodes", pa.int32(), "least number of nodes of a tree of the set"),
        field("nonterminal_nodes", pa.int32(), "least number of nonterminal nodes of a tree of the set"),
        field("terminal_nodes", pa.int32(), "least number of terminal nodes of a tree of the set"),
        STATUS,
        ERROR,
    ]
)
"""Sets of decision trees: all for a table, the optimal ones, those optimal for one cost after another."""

FRONTS = pa.schema(
    [
        SOURCE,
        PART,
        field("cost_x", pa.string(), "the first cost of the front"),
        field("cost_y", pa.string(), "the second cost of the front"),
        field("x", pa.float64(), "the first cost of a tree that no other betters; null where the front was not found"),
        field("y", pa.float64(), "the second cost of that tree"),
        STATUS,
        ERROR,
    ]
)
"""Pareto fronts of two costs; one row a point, or one that says why there is none."""


TABLES = {
    "graphs": KnownTable("graphs of separable subtables, a row a table", GRAPHS),
    "tree_sets": KnownTable("sets of optimal trees, and of all trees", TREE_SETS),
    "fronts": KnownTable("Pareto fronts of two costs, a row a point", FRONTS),
}
