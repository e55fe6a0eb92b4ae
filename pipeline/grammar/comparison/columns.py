"""The columns of the tables that a comparison of builders has besides its results; meanings in their metadata."""

from __future__ import annotations

import pyarrow as pa

from pipeline.schema import FOLD, PART, REPEAT, SOURCE, KnownTable, field

__all__ = ["CLASSES", "CURVES", "TABLES"]

CLASSES = pa.schema(
    [
        SOURCE,
        PART,
        REPEAT,
        FOLD,
        field("builder", pa.string(), "by its name"),
        field("class", pa.string(), "label of the class"),
        field("support", pa.int64(), "test rows of the class"),
        field("predicted", pa.int64(), "test rows that are predicted to be of the class"),
        field("correct", pa.int64(), "test rows of the class that are predicted to be of it"),
        field("precision", pa.float64(), "correct / predicted; null where nothing is predicted to be of the class"),
        field("recall", pa.float64(), "correct / support; null where no test row is of the class"),
        field("f1", pa.float64(), "2 correct / (support + predicted); null where both are 0"),
    ]
)
"""What a builder does for each class of its test rows; one row a class, none of a cell that failed."""

CURVES = pa.schema(
    [
        SOURCE,
        PART,
        REPEAT,
        FOLD,
        field("builder", pa.string(), "by its name"),
        field("generation", pa.int32(), "generation of the population, from 0, which is the initial one"),
        field("best", pa.float64(), "fitness of its best individual"),
        field("mean", pa.float64(), "mean fitness of its individuals"),
    ]
)
"""Learning curves of builders whose population evolves; one row a generation, none of a cell that failed."""


TABLES = {
    "classes": KnownTable("what a builder does for each class of its test rows", CLASSES),
    "curves": KnownTable("learning curves, a row a generation", CURVES),
}
