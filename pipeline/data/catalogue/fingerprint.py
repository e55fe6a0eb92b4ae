"""What makes two copies the same data set."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np

from algorithms.data_set import DataSet

__all__ = ["fingerprint"]


def fingerprint(parts: Mapping[str, DataSet]) -> str:
    """SHA-256, in hexadecimal, of everything that a builder can see of the parts of a data set.

    That is, part by part in the order of their names: the kinds of the attributes in their order, the labels of codes,
    every value, the classes and every row's class. Not the bytes of a file, its separators or its header, and not the
    names of the attributes, which are the catalogue's words.
    """
    digest = hashlib.sha256()

    def add(*texts: str) -> None:
        for text in texts:
            encoded = text.encode()
            digest.update(len(encoded).to_bytes(8, "little") + encoded)

    for part in sorted(parts):
        data = parts[part]
        add("part", part, str(data.rows), str(len(data.attributes)))
        for attribute, column in zip(data.attributes, data.columns, strict=True):
            add(attribute.kind.value, str(len(attribute.labels)), *attribute.labels)
            if column.dtype == np.float64:
                column = np.where(np.isnan(column), np.nan, column)  # noqa: PLW2901 - one NaN of many
            digest.update(column.astype(column.dtype.newbyteorder("<")).tobytes())
        add("class", str(len(data.classes)), *data.classes)
        digest.update(data.decisions.astype("<i4").tobytes())
    return digest.hexdigest()
