"""The columns of the tables that the grid has besides its results; meanings in their metadata."""

from __future__ import annotations

import pyarrow as pa

from pipeline.schema import ERROR, PART, REPEAT, SOURCE, STATUS, KnownTable, field

__all__ = ["DESCENTS", "FRONTIERS", "TABLES"]

FRONTIERS = pa.schema(
    [
        SOURCE,
        PART,
        field("max_depth", pa.int32(), "edges from the root to a leaf at most"),
        field("splits", pa.int32(), "nonterminal nodes at most"),
        field("errors", pa.int64(), "training rows that the best tree that the search found gets wrong"),
        field("bound", pa.int64(), "no tree of that depth and so many splits gets fewer wrong; errors where proven"),
        STATUS,
        ERROR,
    ]
)
"""The fewest errors for every number of splits; a row each, or one that says why there is none."""

DESCENTS = pa.schema(
    [
        SOURCE,
        PART,
        field("max_depth", pa.int32(), "edges from the root to a leaf at most"),
        REPEAT,
        field("builder", pa.string(), "by its name"),
        field("generation", pa.int32(), "generation of the population, from 0, which is the initial one"),
        field("fitness", pa.float64(), "the least of any tree until then, and until the next row's generation"),
        field("bound", pa.float64(), "no tree of that depth has less"),
    ]
)
"""How the fitness of an evolving builder fell; a row for each generation that bettered it, the first and the last."""


TABLES = {
    "frontiers": KnownTable("the fewest errors for every number of splits", FRONTIERS),
    "descents": KnownTable("how the fitness of an evolving builder fell", DESCENTS),
}
