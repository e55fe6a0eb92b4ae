"""The data files beside the checkout, read in the plainest way: fields of text, one list per row."""

from __future__ import annotations

import csv
from collections.abc import Collection
from pathlib import Path

import numpy as np

from algorithms.data.data_set import MISSING, Attribute, AttributeKind, DataSet


def manifest_row(shared: Path, file: str) -> dict[str, str]:
    """What MANIFEST.csv says of a file, named as `data set/file`."""
    with (shared / "data" / "MANIFEST.csv").open(newline="") as lines:
        (row,) = (row for row in csv.DictReader(lines) if f"{row['dataset']}/{row['file']}" == file)
    return row


def rows_of_file(shared: Path, file: str) -> tuple[list[str], list[list[str]]]:
    """(names of the attributes, rows of their values and, last, the class) as MANIFEST.csv says a file is read.

    Files without a header name their attributes by the positions of their columns.
    """
    manifest = manifest_row(shared, file)
    separator = {"comma": ",", "tab": "\t", "semicolon": ";", "whitespace": None}[manifest["separator"]]
    lines = [line.strip() for line in (shared / "data" / file).read_text().splitlines() if line.strip()]
    fields = [
        [field.strip() for field in (line.strip("()") if separator is None else line).split(separator)]
        for line in lines
    ]
    width = len(fields[-1])
    names = fields.pop(0) if manifest["header"] == "yes" else [str(index) for index in range(width)]
    names = [""] * (width - len(names)) + names  # the header of teeth leaves out its first column
    target = int(manifest["target_column"]) % width
    dropped = {int(index) % width for index in manifest["drop_columns"].split(";") if index}
    kept = [index for index in range(width) if index != target and index not in dropped]
    return [names[index] for index in kept], [[row[index] for index in [*kept, target]] for row in fields]


def nominal_data_set(
    names: list[str], rows: list[list[str]], missing: Collection[str] = (), numeric: Collection[str] = ()
) -> DataSet:
    """Rows of text as a data set: labels sorted, missing tokens missing, the attributes named in `numeric` numbers."""
    *columns, decisions = zip(*rows, strict=True)
    classes = sorted(set(decisions) - set(missing))
    attributes, coded = [], []
    for name, column in zip(names, columns, strict=True):
        if name in numeric:
            attributes.append(Attribute(name, AttributeKind.NUMERIC))
            coded.append(np.array([np.nan if value in missing else float(value) for value in column]))
        else:
            labels = sorted(set(column) - set(missing))
            attributes.append(Attribute(name, AttributeKind.NOMINAL, tuple(labels)))
            coded.append(_codes(column, labels))
    return DataSet(tuple(attributes), tuple(coded), tuple(classes), _codes(decisions, classes))


def _codes(column: tuple[str, ...], labels: list[str]) -> np.ndarray:
    code = {label: index for index, label in enumerate(labels)}
    return np.array([code.get(value, MISSING) for value in column], np.int32)


def rows_of(data: DataSet) -> list[list[str | float]]:
    """A data set as rows of labels and numbers, the class last."""
    columns = [
        [attribute.labels[code] for code in column] if attribute.kind is AttributeKind.NOMINAL else column.tolist()
        for attribute, column in zip(data.attributes, data.columns, strict=True)
    ]
    return [list(row) for row in zip(*columns, [data.classes[code] for code in data.decisions], strict=True)]
