"""The columns of result rows: one schema for every grid, units and meanings in the fields' metadata."""

from __future__ import annotations

import pyarrow as pa

from pipeline.plan import SCHEMA_VERSION

__all__ = ["HELD_RESULTS", "NAMES", "RESULTS", "STATUSES"]

STATUSES = ("ok", "failed", "killed", "time_limit", "memory_limit", "skipped")
"""What became of a cell; every status but `ok` leaves its measures null and tells why in `error`."""

NAMES = ("source", "part", "builder", "impurity_type", "uncertainty", "status")
"""The columns of few different texts: text in files, held in memory as dictionaries."""


def _field(name: str, kind: pa.DataType, meaning: str) -> pa.Field:
    return pa.field(name, kind, metadata={"meaning": meaning})


RESULTS = pa.schema(
    [
        _field("source", pa.string(), "where the table or data set comes from: random, or its name in the catalogue"),
        _field("part", pa.string(), "which published file: train, test or all"),
        _field("group", pa.int32(), "group of random tables, from 1"),
        _field("table_index", pa.int64(), "table within its group, from 1"),
        _field("repeat", pa.int32(), "repetition of the protocol, from 1"),
        _field("fold", pa.int32(), "fold within its repetition, from 1"),
        _field(
            "builder",
            pa.string(),
            "what built the tree: greedy, or exact, whose row holds the least value of each cost",
        ),
        _field("impurity_type", pa.string(), "of a greedy builder: max, sum, w_max or w_sum"),
        _field("uncertainty", pa.string(), "of a greedy builder: ent, gini, me or rt"),
        _field("rows", pa.int32(), "rows of the decision table after equal ones were merged"),
        _field("status", pa.string(), f"one of {', '.join(STATUSES)}"),
        _field("error", pa.string(), "why the status is not ok"),
        _field("depth", pa.int32(), "greatest number of edges from the root to a node that training rows reach"),
        _field("average_depth", pa.float64(), "mean over training rows of the edges from the root to their node"),
        _field("total_path_length", pa.int64(), "sum over training rows of the edges from the root to their node"),
        _field("nodes", pa.int32(), "nodes that training rows reach"),
        _field("nonterminal_nodes", pa.int32(), "those of them that are split further"),
        _field("terminal_nodes", pa.int32(), "those of them that are not"),
        _field("train_accuracy", pa.float64(), "share of training rows predicted rightly"),
        _field("test_accuracy", pa.float64(), "share of test rows predicted rightly"),
        _field("build_seconds", pa.float64(), "seconds to build the tree, where it is built alone"),
        _field("optimal", pa.bool_(), "whether a search proved its result best"),
        _field("objective", pa.float64(), "what a search minimised"),
        _field("bound", pa.float64(), "proven lower bound of the objective"),
    ],
    metadata={"orchard.schema_version": str(SCHEMA_VERSION)},
)

HELD_RESULTS = pa.schema(
    [f.with_type(pa.dictionary(pa.int8(), f.type)) if f.name in NAMES else f for f in RESULTS],
    metadata=RESULTS.metadata,
)
"""RESULTS as rows are held in memory."""
