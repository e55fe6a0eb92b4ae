"""The columns of the tables that the grid has besides its results; meanings in their metadata."""

from __future__ import annotations

import pyarrow as pa

from pipeline.schema import RESULTS, SOURCE, KnownTable, field

__all__ = ["STEPS", "TABLES", "TREES"]

STEPS = pa.schema(
    [
        SOURCE,
        field("step", pa.int32(), "place among the steps of the example, from 1"),
        field("subject", pa.string(), "what the quantity belongs to: partitions, a builder, a step of pruning"),
        field("quantity", pa.string(), "its name"),
        field("found", pa.string(), "the quantity, exactly or to four digits after the point"),
        field("number", pa.float64(), "the quantity in full, where it is a number"),
    ]
)
"""A worked example step by step; one row a quantity, none of an example that failed."""

TREES = pa.schema(
    [
        SOURCE,
        field("builder", pa.string(), "what the tree was built or pruned by"),
        *(RESULTS.field(name) for name in ("parameters", "depth", "average_depth", "total_path_length", "nodes")),
        *(RESULTS.field(name) for name in ("nonterminal_nodes", "terminal_nodes", "train_accuracy")),
        field("text", pa.string(), "the tree as indented text"),
        field("tree", pa.string(), "the tree as JSON"),
    ]
)
"""Trees of a worked example; one row a tree."""


TABLES = {
    "steps": KnownTable("worked examples step by step, a row a quantity", STEPS),
    "trees": KnownTable("trees of worked examples", TREES),
}
