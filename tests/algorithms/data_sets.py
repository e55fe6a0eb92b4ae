"""Hypothesis strategies for small data sets, and data sets that tests share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from algorithms.data.data_set import Attribute, AttributeKind, DataSet
from algorithms.data.table import DecisionTable
from algorithms.data.tables_from_data import decision_table
from tests.oracles.uci_files import nominal_data_set, rows_of_file


def data_set_of(columns: list[Any], decisions: list[int], numeric: list[bool], classes: int | None = None) -> DataSet:
    """A data set of columns of codes, or of numbers where `numeric`; labels are v0, v1, ... and classes c0, c1, ..."""
    attributes, arrays = [], []
    for index, (column, is_numeric) in enumerate(zip(columns, numeric, strict=True)):
        labels = () if is_numeric else tuple(f"v{code}" for code in range(max([0, *column]) + 1))
        kind = AttributeKind.NUMERIC if is_numeric else AttributeKind.NOMINAL
        attributes.append(Attribute(f"a{index + 1}", kind, labels))
        arrays.append(np.array(column, np.float64 if is_numeric else np.int32))
    labels = tuple(f"c{label}" for label in range(classes or max([0, *decisions]) + 1))
    return DataSet(tuple(attributes), tuple(arrays), labels, np.array(decisions, np.int32))


@st.composite
def data_sets(
    draw: Any, max_rows: int = 12, max_attributes: int = 4, missing: bool = False, min_rows: int = 1
) -> DataSet:
    """1-12 rows, 1-4 attributes of either kind with few values, 1-3 classes; `missing`: some values are not known."""
    n, classes = draw(st.integers(min_rows, max_rows)), draw(st.integers(1, 3))
    numeric = draw(st.lists(st.booleans(), min_size=1, max_size=max_attributes))
    columns = []
    for is_numeric in numeric:
        unknown = [np.nan if is_numeric else -1] if missing else []
        value = st.sampled_from([*unknown, *([-1.5, 0.0, 0.25, 1.0, 7.0] if is_numeric else [0, 1, 2, 3])])
        columns.append(draw(st.lists(value, min_size=n, max_size=n)))
    decisions = draw(st.lists(st.integers(0, classes - 1), min_size=n, max_size=n))
    return data_set_of(columns, decisions, numeric, classes)


def uci_table(shared: Path, file: str) -> DecisionTable:
    """A file of the data sets beside the checkout as a decision table; `?` is a missing value."""
    return decision_table(nominal_data_set(*rows_of_file(shared, file), "?"))
