"""Every data set of the reference folder, read through the catalogue, against what its manifest counted."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from algorithms.data.data_set import DataSet
from pipeline.data.catalogue.catalogue import Catalogue
from pipeline.data.catalogue.entry import ColumnKind, Entry
from pipeline.data.catalogue.loading import LoadedSet
from tests.oracles.beside import SHARED
from tests.pipeline.data.catalogue.catalogues import shipped

MANIFEST = SHARED / "data" / "MANIFEST.csv"
ROWS = list(csv.DictReader(MANIFEST.read_text(encoding="utf-8").splitlines())) if MANIFEST.is_file() else []


@pytest.fixture(scope="module")
def catalogue(shared: Path) -> Catalogue:
    return shipped(shared / "data")


@pytest.fixture(scope="module")
def parts(catalogue: Catalogue) -> dict[str, tuple[Entry, LoadedSet, str]]:
    """Of each file of the folder, the entry, the set and the part that it is; of its first variant, if any."""
    result: dict[str, tuple[Entry, LoadedSet, str]] = {}
    for name in catalogue.names():
        entry = catalogue.entry(name)
        loaded = catalogue.load(name)
        for part, file in entry.files.items():
            result.setdefault(str(file.path), (entry, loaded, part))
    return result


def test_the_manifest_and_the_catalogue_are_of_the_same_files(parts: dict[str, tuple[Entry, LoadedSet, str]]) -> None:
    assert set(parts) == {f"{row['dataset']}/{row['file']}" for row in ROWS}
    assert len(parts) == 119
    assert len({row["dataset"] for row in ROWS}) == 94


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['dataset']}/{row['file']}")
def test_a_file_holds_what_the_manifest_counted(
    row: dict[str, str], parts: dict[str, tuple[Entry, LoadedSet, str]]
) -> None:
    entry, loaded, part = parts[f"{row['dataset']}/{row['file']}"]
    data = loaded.parts[part]
    assert data.rows == int(row["rows"])
    assert len(data.attributes) == int(row["attributes"])
    assert len(np.unique(data.decisions[data.decisions >= 0])) == int(row["classes"])
    assert int(data.missing.sum()) == missing_cells(row)
    assert class_counts(data) == counted(row, entry)


def missing_cells(row: dict[str, str]) -> int:
    """The manifest counts the * of shuttle-landing-control, which is a value."""
    match = re.search(r"missing cells: (\d+)", row["notes"])
    return int(match[1]) if match and row["missing_token"] != "*" else 0


def class_counts(data: DataSet) -> dict[str, int]:
    """Rows of each class that occurs; ? where there is none."""
    labels = [data.classes[code] if code >= 0 else "?" for code in data.decisions]
    return dict(Counter(labels))


def counted(row: dict[str, str], entry: Entry) -> dict[str, int]:
    """The manifest's rows of each class, their labels recoded as the entry says."""
    match = re.search(r"counts\{(.*?)\}", row["notes"])
    assert match, "every row of the manifest has its counts"
    (recode,) = (column.recode for column in entry.layout.columns if column.kind is ColumnKind.CLASS)
    pairs = [pair.rsplit(":", 1) for pair in match[1].split("|")]
    return {recode.get(label, label): int(count) for label, count in pairs}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['dataset']}/{row['file']}")
def test_numbers_and_labels_are_those_of_the_file(
    row: dict[str, str], parts: dict[str, tuple[Entry, LoadedSet, str]], shared: Path
) -> None:
    """Every cell, read once more in the plainest way and without the catalogue's reader."""
    entry, loaded, part = parts[f"{row['dataset']}/{row['file']}"]
    data = loaded.parts[part]
    kept = [column for column in entry.layout.columns if column.kind in {ColumnKind.NUMERIC, ColumnKind.NOMINAL}]
    rows = plain_rows(shared / "data" / row["dataset"] / row["file"], row)
    target = int(row["target_column"]) % len(rows[0])
    dropped = {int(index) for index in row["drop_columns"].split(";") if index}
    columns = [texts for index, texts in enumerate(zip(*rows, strict=True)) if index not in {target, *dropped}]
    absent = {"": None, "*": None, "(empty)": ""}.get(row["missing_token"], row["missing_token"])
    for column, attribute, values, texts in zip(kept, data.attributes, data.columns, columns, strict=True):
        labels = attribute.labels
        for code, there in set(zip(values.tolist(), texts, strict=True)):
            text = column.recode.get(there, there)
            if text == absent:
                assert code == -1 or np.isnan(code)
            elif labels:
                assert labels[code] == text
            else:
                assert code == float(text)


def plain_rows(path: Path, row: dict[str, str]) -> list[list[str]]:
    import gzip

    raw = path.read_bytes()
    lines = [
        line for line in (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode().split("\n") if line.strip()
    ]
    if row["format"] == "arff":
        start = next(index for index, line in enumerate(lines) if line.strip().lower() == "@data")
        lines = [line for line in lines[start + 1 :] if not line.startswith("%")]
    elif row["header"] == "yes":
        lines = lines[1:]
    if row["separator"] == "whitespace":
        return [line.strip().strip("()").split() for line in lines]
    if row["separator"] == "fixed-splice":
        halves = [[field.strip() for field in line.split(",")] for line in lines]
        return [[label, name, *sequence] for label, name, sequence in halves]
    separator = {"comma": ",", "semicolon": ";", "tab": "\t"}[row["separator"]]
    quote = "'" if row["format"] == "arff" else '"'
    return [[text.strip() for text in each] for each in csv.reader(lines, delimiter=separator, quotechar=quote)]
