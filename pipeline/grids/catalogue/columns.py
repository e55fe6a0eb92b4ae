"""The columns of the tables that the grid has besides its results; meanings in their metadata."""

from __future__ import annotations

import pyarrow as pa

from pipeline.schema import ERROR, PART, SOURCE, STATUS, KnownTable, field

__all__ = ["DATA_SETS", "TABLES"]

DATA_SETS = pa.schema(
    [
        SOURCE,
        PART,
        field("rows", pa.int64(), "rows"),
        field("nominal", pa.int32(), "attributes that have one of a list of labels"),
        field("numeric", pa.int32(), "attributes that are numbers"),
        field("classes", pa.int32(), "classes that its rows have"),
        field("missing_cells", pa.int64(), "values of attributes that are not known"),
        field("missing_classes", pa.int64(), "rows whose class is not known"),
        field("distinct_rows", pa.int64(), "different rows of attributes; a missing value counts as a value"),
        field("contradictions", pa.int64(), "those of them that have more than one class"),
        field("fingerprint", pa.string(), "of the content of all parts, whatever their bytes"),
        STATUS,
        ERROR,
    ]
)
"""Data sets as they were read; one row a part."""


TABLES = {
    "data_sets": KnownTable("data sets as they were read, a row a part", DATA_SETS),
}
