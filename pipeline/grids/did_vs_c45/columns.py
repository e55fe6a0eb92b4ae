"""The columns of the tables that the grid has besides its results; meanings in their metadata."""

from __future__ import annotations

import pyarrow as pa

from pipeline.schema import ERROR, PART, SOURCE, STATUS, KnownTable, field

__all__ = ["DEPTHS", "TABLES"]

DEPTHS = pa.schema(
    [
        SOURCE,
        PART,
        field("repeat", pa.int32(), "draw of the training rows, from 1"),
        field("builder", pa.string(), "by its name; exact, whose row holds the least average depth"),
        field("parameters", pa.string(), "of a builder with a name: its parameters, as JSON"),
        field("rows", pa.int32(), "training rows"),
        field("distinct_rows", pa.int32(), "rows of the decision table that they make, equal ones merged"),
        field("nodes", pa.int32(), "nodes of the tree of the training rows"),
        field("average_depth", pa.float64(), "mean over training rows of the edges to their node, of that tree"),
        field(
            "search_depth",
            pa.float64(),
            "that, rows that differ in class alone counting as many edges as there are attributes; null if pruned",
        ),
        field(
            "least_search_depth", pa.float64(), "least search_depth over orders of the attributes, which settle ties"
        ),
        field("greatest_search_depth", pa.float64(), "greatest search_depth over these orders"),
        field(
            "table_average_depth",
            pa.float64(),
            "average depth of the tree of the decision table, its rows counting as many as they stand for; of exact "
            "the least of any tree for it",
        ),
        STATUS,
        ERROR,
    ]
)
"""Depths of trees over the very rows they were built from; a row a builder and set of training rows."""


TABLES = {
    "depths": KnownTable("depths of trees over the rows they were built from", DEPTHS),
}
