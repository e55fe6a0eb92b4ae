"""Load a data set with all its parts from files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product
from math import prod
from pathlib import Path
from typing import cast

import numpy as np
import pyarrow as pa
from pyarrow import compute

from algorithms.data.data_set import AttributeKind, DataSet
from algorithms.data.data_set import Column as Values
from pipeline.configuration.option_text import list_option, mapping_option
from pipeline.data.catalogue.archives import unpacked
from pipeline.data.catalogue.coding import data_sets
from pipeline.data.catalogue.column_choice import NO_CHOICE, NO_HEADER, ColumnChoice
from pipeline.data.catalogue.delimited import TextTable
from pipeline.data.catalogue.entry import Column, ColumnKind, Entry, FileLayout
from pipeline.data.catalogue.kinds import with_kinds
from pipeline.data.catalogue.limits import LARGEST
from pipeline.data.catalogue.lines import MISSING_IN_FILES, some
from pipeline.data.catalogue.reading import read_text
from pipeline.errors import AbsentError, DataError, did_you_mean
from pipeline.words import counted, is_number

SHOWN = 5
"""Most names of columns in a remark."""
MOST_ROWS = 1_000_000


@dataclass(frozen=True)
class LoadedSet:
    """A data set that was read.

    parts       : `all`, or `train` and `test`, the published split, with the same attributes, labels and classes
    fingerprint : of the parts; the same for every copy of the same data
    remarks     : remarks for the owner of a file, such as on a class with a single row
    """

    name: str
    parts: Mapping[str, DataSet]
    fingerprint: str
    remarks: tuple[str, ...] = ()

    @property
    def content(self) -> str:
        """A digest of the fingerprint and of the names of attributes, which the fingerprint leaves out."""
        first = next(iter(self.parts.values()))
        names = [self.fingerprint, *(attribute.name for attribute in first.attributes)]
        return hashlib.sha256("\0".join(names).encode()).hexdigest()

    @property
    def whole(self) -> DataSet:
        """All rows: those of `all`, or of `train` and then of `test`."""
        if "all" in self.parts:
            return self.parts["all"]
        train, test = self.parts["train"], self.parts["test"]
        pairs = zip(train.columns, test.columns, strict=True)
        columns = tuple(cast("Values", np.concatenate(pair)) for pair in pairs)
        return replace(train, columns=columns, decisions=np.concatenate([train.decisions, test.decisions]))

    def part(self, name: str) -> DataSet:
        """The rows of `train` or `test`; all rows for `all`. Raises DataError if there is no such part."""
        if name == "all":
            return self.whole
        if name not in self.parts:
            raise DataError(
                f"'{self.name}' has no part '{name}', because no split of it is published: expected "
                f"{' or '.join(self.parts)}"
            )
        return self.parts[name]


def loaded_set(entry: Entry, contents: Mapping[str, tuple[str, bytes]]) -> LoadedSet:
    """The data set of an entry, from the name and the bytes of the file of each part.

    Raises DataError, which names file and line, if they do not fit the entry.
    """
    tables = {}
    with in_memory(entry.name):
        for part, (name, content) in contents.items():
            table = read_text(content, name, entry.layout)
            where = entry.files[part].where
            table = table if where is None else _rows_where(table, *where)
            tables[part] = table if entry.layout.any_value is None else expanded(table, entry.layout.any_value)
        parts = data_sets(tables, entry.layout)
        first = "all" if "all" in parts else "train"
        remarks = () if entry.fingerprints else remarks_on(tables[first], parts[first])  # published data sets need none
        return LoadedSet(entry.name, parts, fingerprint(parts), remarks)


def load_file(path: Path, choice: ColumnChoice = NO_CHOICE) -> LoadedSet:
    """Load an undescribed file: separator, header and kinds of columns are inferred, except for types in `choice`.

    Raises DataError, which names file and line: the file cannot be read or is too large, `choice` does not fit
    it, or a column has a few texts among many numbers, or texts among dates.
    """
    with in_memory(str(path)):
        table = with_kinds(read_text(content_of(path), str(path), FileLayout()), MISSING_IN_FILES, choice)
        remarks = tuple(_header_remarks(table.kept(), last=choice.target is None))
        return undescribed(table, MISSING_IN_FILES, remarks)


def undescribed(table: TextTable, missing: tuple[str, ...], remarks: tuple[str, ...]) -> LoadedSet:
    """The data set of a table whose columns have their kinds, and remarks on it."""
    parts = data_sets({"all": table}, FileLayout(columns=table.columns, missing=missing))
    return LoadedSet(table.name, parts, fingerprint(parts), (*remarks, *remarks_on(table, parts["all"], own=True)))


@contextmanager
def in_memory(name: str) -> Iterator[None]:
    """Raise DataError with this name instead of MemoryError."""
    try:
        yield
    except MemoryError as error:
        raise DataError(
            f"{name}: the data set needs more memory than this process may use: take a sample of its rows, or fewer "
            "columns"
        ) from error


def _header_remarks(table: TextTable, *, last: bool) -> Iterator[str]:
    """Remarks on the header, since it may have been mistaken for a row, on the class and on numeric columns.

    last : whether the class is the last column because the user has not named it
    """
    names = some([column.name for column in table.columns], SHOWN)
    if table.named:
        numeric = [column.name for column in table.columns if column.kind is ColumnKind.NUMERIC and not column.unit]
        numbers = some(numeric, SHOWN) or "none"
        of_class = next(column.name for column in table.columns if column.kind is ColumnKind.CLASS)
        why = ", the last column" if last else ""
        yield f"{table.name}: the columns are {names}; class: {of_class}{why}; numeric: {numbers}"
    else:
        yield (
            f"{table.name}: {NO_HEADER}, so this line counts as a row, and the columns are called {names}; to name "
            "the columns, write a first line with a different name for each column. No name may be a number"
        )
    yield from date_remarks(table)
    yield from _code_remarks(table)


def date_remarks(table: TextTable) -> Iterator[str]:
    """Remarks on columns with dates as numbers, and their units."""
    for unit in dict.fromkeys(column.unit for column in table.columns if column.unit):
        dates = some([column.name for column in table.columns if column.unit == unit], SHOWN)
        yield f"{table.name}: dates are read as numbers, {unit}: {dates}"


def _code_remarks(table: TextTable) -> Iterator[str]:
    """Remarks on columns of numbers with zeros at the beginning, which may be codes, such as postal codes."""
    for column, texts in zip(table.columns, table.texts, strict=True):
        if column.kind is ColumnKind.NUMERIC and not column.unit:
            padded = texts.filter(compute.match_substring_regex(texts, r"^\s*0\d"))
            if len(padded):
                first = padded[0].as_py().strip()
                yield (
                    f"{table.name}: {column.name} is read as numbers, so {first} becomes {Decimal(first)}: if the "
                    f"values are codes, add {mapping_option('types', column.name, 'nominal')}"
                )


def content_of(path: Path) -> bytes:
    """The bytes of a file, unpacked. Raises DataError if it cannot be read, is damaged or too large."""
    try:
        size = path.stat().st_size
        if not path.is_file():
            raise DataError(f"{path} is not a file: give the path of a data file, such as ./mine.csv")
        if size > LARGEST:
            raise DataError(
                f"{path}: the file has {size:,} bytes, but at most {LARGEST:,} are read: take a sample of its rows"
            )
        return unpacked(path.read_bytes(), str(path), limit=LARGEST)
    except FileNotFoundError as error:
        hint = did_you_mean(path.name, _files_beside(path), f"{path.parent}/") or "."
        raise AbsentError(
            f"{path}: cannot be read: {error.strerror}{hint} Give an absolute path, or a path relative to {Path.cwd()}"
        ) from error
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from error


def _files_beside(path: Path) -> list[str]:
    """The names of the files in the folder of a path; none if the folder cannot be read."""
    try:
        return [file.name for file in path.parent.iterdir() if file.name.isprintable() and file.is_file()]
    except OSError:
        return []


def _rows_where(table: TextTable, column: str, text: str) -> TextTable:
    """The rows with a text in a column."""
    index = next((index for index, known in enumerate(table.columns) if known.name == column), None)
    if index is None:
        return table  # the file lacks the columns to drop, and has one part only
    of_part = compute.equal(compute.utf8_trim_whitespace(table.texts[index]), text)
    rows = np.flatnonzero(of_part.to_numpy(zero_copy_only=False))
    if not len(rows):
        raise DataError(f"{table.name}: no row has {text!r} in column '{column}', so this part has no rows")
    return replace(table, texts=tuple(texts.filter(of_part) for texts in table.texts), rows=rows)


def expanded(table: TextTable, any_value: str) -> TextTable:
    """Replace `any_value` in each row by the declared values.

    A row becomes one row for each combination of the declared values of those columns, the last column changing
    fastest. A row that equals an earlier one in every column is dropped, because rules may overlap.

    Raises DataError: there would be more than a million rows.
    """
    rows = list(zip(*(column.to_pylist() for column in table.texts), strict=True))
    first_row: dict[tuple[str | None, ...], int] = {}
    for number, row in enumerate(rows):
        choices = [_choices(column, text, any_value) for column, text in zip(table.columns, row, strict=True)]
        if len(first_row) + prod(map(len, choices)) > MOST_ROWS:
            raise DataError(
                f"{table.location(number)}: {any_value!r} stands for every declared value, which makes more than "
                f"{MOST_ROWS:,} rows: declare fewer values, or leave `any_value` out of the catalogue's YAML"
            )
        for values in product(*choices):
            first_row.setdefault(values, number)
    texts = (pa.chunked_array([pa.array(column, pa.string())]) for column in zip(*first_row, strict=True))
    origins = np.fromiter(first_row.values(), np.int64, len(first_row))
    return replace(table, texts=tuple(texts), rows=origins if table.rows is None else table.rows[origins])


def _choices(column: Column, text: str | None, any_value: str) -> Sequence[str | None]:
    """The declared values of a column if its text means all of them; otherwise the text."""
    expands = text is not None and text.strip() == any_value
    return column.labels if expands and column.kind is ColumnKind.NOMINAL and column.labels else (text,)


def fingerprint(parts: Mapping[str, DataSet]) -> str:
    """SHA-256, in hexadecimal, of everything that a builder can see of the parts of a data set.

    That is, part by part in the order of their names: the kinds of the attributes in their order, the labels of codes,
    every value, the classes and every row's class. The bytes of a file, its separators, its header and the names of the
    attributes do not count.
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


def remarks_on(table: TextTable, data: DataSet, *, own: bool = False) -> tuple[str, ...]:
    """Report odd classes, rows without a class, and attributes whose values all or mostly differ or are equal.

    own : whether the table is a file of the user's own, in which the key `drop` can leave columns out
    """
    remarks = []
    once = np.flatnonzero(np.bincount(data.decisions[data.decisions >= 0], minlength=len(data.classes)) == 1)
    numbers = [Decimal(label) for label in data.classes if is_number(label)] if own else []
    if 2 * len(numbers) > data.rows and 2 * once.size > len(data.classes):
        remarks.append(
            f"{table.name}: the classes are {len(numbers)} different numbers in {data.rows} rows, but builders predict "
            "classes: write a few classes in their place, such as low and high, or choose another column as the class"
        )
    elif once.size:
        row = int(np.flatnonzero(data.decisions == once[0])[0])
        like = f", like {counted(once.size - 1, 'other class', 'other classes')}" if once.size > 1 else ""
        remarks.append(
            f"{table.location(row)}: class '{data.classes[once[0]]}' occurs once{like}, so it cannot be in both "
            "training and test rows: leave the row out, merge the class with another, or choose another column as the "
            "class"
        )
    if len(set(numbers)) < len(numbers):
        twice = next(number for number in numbers if numbers.count(number) > 1)
        first, second, *_ = [label for label in data.classes if is_number(label) and Decimal(label) == twice]
        remarks.append(
            f"{table.name}: '{first}' and '{second}' are the same number, but two classes: write them in the same way"
        )
    if len(data.classes) == 1:
        remarks.append(f"{table.name}: all rows are of class '{data.classes[0]}', so there is nothing to learn")
    if (unknown := np.flatnonzero(data.decisions < 0)).size:
        remarks.append(
            f"{table.location(int(unknown[0]))}: the class is missing ({counted(unknown.size, 'row')} in all): "
            "builders cannot learn from such rows, so these rows are left out"
        )
    dates = {column.name for column in table.columns if column.unit}
    differ, mostly_differ, same = list[str](), list[str](), list[str]()
    for attribute, column in zip(data.attributes, data.columns, strict=True):
        name, values = attribute.name, column[~np.isnan(column)] if column.dtype == np.float64 else column[column >= 0]
        distinct = len(np.unique(values))
        whole = attribute.kind is AttributeKind.NOMINAL or not np.any(values % 1)
        if data.rows > 1 and distinct == data.rows and whole and name not in dates:
            differ.append(name)
        elif distinct <= 1:
            same.append(name)
        elif own and attribute.kind is AttributeKind.NOMINAL and 2 * distinct > data.rows:
            mostly_differ.append(name)
    if differ:
        drop = list_option("drop", differ[0]) if own else f"`{differ[0]}: {ColumnKind.DROP}` in its YAML"
        remarks.append(
            f"{table.name}: columns with a different value in every row: {some(differ, SHOWN)}. Leave out columns that "
            f"are identifiers, as in {drop}"
        )
    if mostly_differ:
        remarks.append(
            f"{table.name}: columns with different texts in most rows: {some(mostly_differ, SHOWN)}. Each text becomes "
            f"a label: leave such columns out, as in {list_option('drop', mostly_differ[0])}. If the texts are "
            "numbers, write them as 1.5"
        )
    if same:
        remarks.append(f"{table.name}: columns with at most one value, apart from missing values: {some(same, SHOWN)}")
    return tuple(remarks)
