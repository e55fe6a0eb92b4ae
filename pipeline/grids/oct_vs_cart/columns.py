"""The columns of the tables that the grid has besides its results; meanings in their metadata."""

from __future__ import annotations

import pyarrow as pa

from pipeline.schema import ERROR, PART, REPEAT, SOURCE, STATUS, KnownTable, field

__all__ = ["TABLES", "TUNINGS"]

TUNINGS = pa.schema(
    [
        SOURCE,
        PART,
        REPEAT,
        field("max_depth", pa.int32(), "edges from the root to a leaf at most"),
        field("builder", pa.string(), "cart or oct"),
        field("parameters", pa.string(), "its parameters, as JSON, as the result row has them"),
        field("rows", pa.int64(), "rows of the data set without missing values, which train, tune and test"),
        field("attributes", pa.int32(), "attributes after dummy coding"),
        field("classes", pa.int32(), "classes that rows have"),
        field("validation_rows", pa.int32(), "rows tuned on"),
        field("validation_accuracy", pa.float64(), "share of them that the chosen tree predicts rightly"),
        field("candidates", pa.int32(), "trees that are best for some alpha each, one of which was chosen"),
        field(
            "alpha",
            pa.float64(),
            "middle of alpha_low to alpha_high; of oct what a split costs where the majority rule costs 1, of cart "
            "what a leaf costs in Gini impurity of all rows (scikit-learn's ccp_alpha)",
        ),
        field("alpha_low", pa.float64(), "least alpha for which the chosen tree is best"),
        field("alpha_high", pa.float64(), "greatest alpha for which the chosen tree is best"),
        field("work", pa.int64(), "units of work of the searches"),
        STATUS,
        ERROR,
    ]
)
"""How alpha was tuned; a row for each result row of oct_vs_cart."""


TABLES = {
    "tunings": KnownTable("how alpha was tuned, a row for each result row", TUNINGS),
}
