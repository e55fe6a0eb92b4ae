"""What a worker finds out of a data set: its sizes, what is missing, which rows are equal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from algorithms.data_set import MISSING, AttributeKind, DataSet
from pipeline.data.catalogue.loading import LoadedSet
from pipeline.grammar.cells import Made

__all__ = ["counts", "sizes"]


def sizes(loaded: LoadedSet) -> Made:
    """The rows of a data set, and what each of its parts holds."""
    parts = [
        {"part": part, **counts(data), "fingerprint": loaded.fingerprint, "status": "ok"}
        for part, data in loaded.parts.items()
    ]
    rows = sum(data.rows for data in loaded.parts.values())
    return Made({"rows": rows, "status": "ok"}, more={"data_sets": parts})


def counts(data: DataSet) -> dict[str, int]:
    """Sizes of a data set; a missing value counts as one more value where rows are compared."""
    kinds = [attribute.kind for attribute in data.attributes]
    kind_of_row, distinct = _distinct_rows(data)
    classes = np.unique(np.stack([kind_of_row, data.decisions], axis=1)[data.decisions != MISSING], axis=0)
    return {
        "rows": data.rows,
        "nominal": kinds.count(AttributeKind.NOMINAL),
        "numeric": kinds.count(AttributeKind.NUMERIC),
        "classes": len(np.unique(data.decisions[data.decisions != MISSING])),
        "missing_cells": int(data.missing.sum()),
        "missing_classes": int((data.decisions == MISSING).sum()),
        "distinct_rows": distinct,
        "contradictions": int((np.bincount(classes[:, 0], minlength=distinct) > 1).sum()),
    }


def _distinct_rows(data: DataSet) -> tuple[NDArray[np.int64], int]:
    """(rows,): which of the distinct rows of attributes each row is; and how many there are."""
    kind, distinct = np.zeros(data.rows, np.int64), 1
    for column in data.columns:
        _, codes = np.unique(column, return_inverse=True)  # of numbers, NaN equals NaN here
        _, kind = np.unique(kind * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)
        distinct = int(kind.max(initial=0)) + 1
    return kind.astype(np.int64), distinct
