"""Read catalogue entries from their YAML files.

Every scalar is kept as it is written, so that `no`, `0500` and `1.0` match the texts of a data file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, product
from math import prod
from pathlib import Path, PurePosixPath
from typing import Any, NoReturn

from pipeline.data.catalogue.entry import Address, Column, ColumnKind, Entry, FileLayout, SetFile
from pipeline.data.catalogue.limits import MOST_COLUMNS
from pipeline.errors import ConfigError
from pipeline.summary.exact_json import MisfitError, built
from pipeline.yaml_files import read_yaml_file, yaml_of_texts

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "blanks": " "}
RANGE = re.compile(r"\{(-?\d+|[a-z])\.\.(-?\d+|[a-z])\}")
MOST_URLS = 1000  # that are joined to one file
LONGEST_NUMBER = 15
FINGERPRINT = re.compile(r"[0-9a-f]{64}")
Texts = str | tuple[str, ...]


@dataclass(frozen=True)
class _Address:
    """An address of a file with more than its URL."""

    url: str
    sha256: str | None = None
    member: str | None = None


@dataclass(frozen=True)
class _File:
    """The keys of one part of a data set."""

    path: str
    addresses: tuple[str | _Address, ...] = ()
    where: Mapping[str, str] | None = None


@dataclass(frozen=True)
class _Keys:
    """The keys of a YAML; those from `missing` on describe the layout of its files."""

    title: str
    about: str
    citation: str
    files: Mapping[str, _File]
    columns: Mapping[str, Texts]
    classes: Texts = ()
    recode: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    fingerprint: Texts = ()
    tried: str = "false"
    missing: Texts = ()
    left_out: Texts = ()
    separator: str | None = None
    encoding: str | None = None
    any_value: str | None = None
    decimal_comma: str = "false"
    header: str = str(FileLayout.header)
    sequence: str = str(FileLayout.sequence)


def names_in(path: Path, name: str) -> tuple[str, ...]:
    """The names of the data sets that a YAML describes: its own, if it has files, and those of its variants."""
    values, variants = _read(path)
    names = tuple(f"{name}/{key}" for key in variants)
    return (name, *names) if "files" in values or not names else names


def read_entry(path: Path, name: str, variant: str | None = None) -> Entry:
    """The data set, or the variant, that a YAML describes; `name` is its name in the catalogue.

    A variant has the keys of the whole YAML except the fingerprint. Its own keys replace these, and those of its
    `columns` do so one by one; if it names all columns, its order is used, too.

    Raises ConfigError: there is no such variant; a key is unknown, missing, given twice or has a value that is not
    allowed; or there are too many columns. The message names file and key.
    """
    values, variants = _read(path)
    known = ", ".join(f"{name}/{key}" for key in variants) or "none"
    if variant is not None:
        if variant not in variants:
            raise ConfigError(f"{path}: no variant is called '{variant}'; variants: {known}")
        own, name = variants[variant], f"{name}/{variant}"
        before, after = values.get("columns"), own.get("columns")
        values = {key: value for key, value in values.items() if key != "fingerprint"} | own
        if isinstance(before, dict) and isinstance(after, dict) and not before.keys() <= after.keys():
            values["columns"] = before | after
    elif "files" not in values and variants:
        raise ConfigError(f"'{name}' stands for several data sets: give one of {known}")
    try:
        return _entry(path, name, built(_Keys, values))
    except MisfitError as error:
        raise ConfigError(f"{path}: {error}") from error


def _read(path: Path) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """The keys of a YAML with their values, without its variants; and its variants."""
    values = read_yaml_file(path, yaml_of_texts)
    if not isinstance(values, dict) or not isinstance(values.get("variants", {}), dict):
        raise ConfigError(f"{path}: expected keys with values, also under `variants`")
    variants = values.pop("variants", {})
    for key, own in variants.items():
        if not isinstance(own, dict):
            raise ConfigError(f"{path}: {MisfitError(own, 'keys with values', f'.variants.{key}')}")
    return values, variants


def _entry(path: Path, name: str, keys: _Keys) -> Entry:
    columns = tuple(islice(_columns(keys), MOST_COLUMNS + 1))
    if len(columns) > MOST_COLUMNS:
        _refuse_more(".columns", MOST_COLUMNS, f"more than {MOST_COLUMNS:,}")
    _check(keys, columns)
    layout = FileLayout(
        columns=columns,
        separator=SEPARATORS.get(keys.separator or ""),
        header=_whole_number(keys, "header"),
        missing=_texts(keys.missing),
        encoding=keys.encoding,
        decimal_comma=_flag(keys, "decimal_comma"),
        sequence=_whole_number(keys, "sequence"),
        left_out=_texts(keys.left_out),
        any_value=keys.any_value,
    )
    return Entry(
        name=name,
        title=keys.title,
        about=" ".join(keys.about.split()),
        citation=" ".join(keys.citation.split()),
        layout=layout,
        files={part: _file(file, f".files.{part}", columns) for part, file in keys.files.items()},
        fingerprints=_texts(keys.fingerprint),
        tried=_flag(keys, "tried"),
        source=path,
    )


def _columns(keys: _Keys) -> Iterator[Column]:
    recodings: dict[str, Mapping[str, str]] = {}
    for pattern, recode in keys.recode.items():
        recodings |= dict.fromkeys(_expanded(pattern, ".recode", MOST_COLUMNS), recode)
        if len(recodings) > MOST_COLUMNS:
            _refuse_more(".recode", MOST_COLUMNS, f"{len(recodings):,}")
    for pattern, values in keys.columns.items():
        if isinstance(values, str) and values not in set(ColumnKind):
            raise MisfitError(values, f"{', '.join(ColumnKind)} or a list of its values", f".columns.{pattern}")
        kind = ColumnKind(values) if isinstance(values, str) else ColumnKind.NOMINAL
        labels = _texts(keys.classes) if kind is ColumnKind.CLASS else () if isinstance(values, str) else values
        for name in _expanded(pattern, ".columns", MOST_COLUMNS):
            yield Column(name, kind, labels, recodings.pop(name, {}))
    if recodings:
        raise MisfitError(next(iter(recodings)), "the name of a declared column", ".recode")


def _expanded(pattern: str, key: str, most: int) -> Iterator[str]:
    """Expand `pixel{1..3}` to pixel1, pixel2, pixel3 and `{a..b}{1..2}` to a1, a2, b1, b2; MisfitError if too many."""
    pieces = RANGE.split(pattern)
    if any(len(end) > LONGEST_NUMBER for end in (*pieces[1::3], *pieces[2::3])):
        raise MisfitError(pattern, f"ranges between numbers of at most {LONGEST_NUMBER} digits", key)
    ranges = [_between(*ends) for ends in zip(pieces[1::3], pieces[2::3], strict=True)]
    count = prod(last - first + 1 for _, first, last in ranges if last >= first)
    if count > most:
        _refuse_more(key, most, f"{count:,} of {pattern}")
    for chosen in product(*([text(code) for code in range(first, last + 1)] for text, first, last in ranges)):
        yield pieces[0] + "".join(value + text for value, text in zip(chosen, pieces[3::3], strict=True))


def _between(first: str, last: str) -> tuple[Callable[[int], str], int, int]:
    """The ends of a range as numbers, and the text for each number between them."""
    if first.isalpha() or last.isalpha():
        return chr, ord(first[0]), ord(last[0])
    return str, int(first), int(last)


def _refuse_more(key: str, most: int, found: str) -> NoReturn:
    raise MisfitError(found, f"{most:,} names at most", key)


def _file(file: _File, key: str, columns: tuple[Column, ...]) -> SetFile:
    path = PurePosixPath(file.path)
    if path.is_absolute() or ".." in path.parts or "\\" in str(path):
        raise MisfitError(file.path, "a path below the data folder", f"{key}.path")
    conditions = [] if file.where is None else list(file.where.items())
    names = {column.name for column in columns}
    if file.where is not None and (len(conditions) != 1 or conditions[0][0] not in names):
        raise MisfitError(file.where, "one declared column and its text", f"{key}.where")
    addresses = []
    for each in file.addresses:
        address = each if isinstance(each, _Address) else _Address(each)
        urls = tuple(_expanded(address.url, f"{key}.addresses", MOST_URLS))
        if not address.url.startswith(("https://", "http://")):
            raise MisfitError(address.url, "https://…", f"{key}.addresses")
        addresses.append(Address(urls, address.sha256, address.member))
    return SetFile(path, tuple(addresses), conditions[0] if conditions else None)


def _check(keys: _Keys, columns: tuple[Column, ...]) -> None:
    """Check rules that involve several columns or keys."""
    classes = [column.name for column in columns if column.kind is ColumnKind.CLASS]
    names = [column.name for column in columns]
    if len(classes) != 1:
        found = ", ".join(classes) or "none"
        raise MisfitError(keys.columns, f"exactly one column of kind class, not {found}", ".columns")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise MisfitError(keys.columns, f"each name once, but '{twice}' is there twice", ".columns")
    for column in columns:
        if len(set(column.labels)) < len(column.labels):
            raise MisfitError(column.labels, "each value once", f".columns.{column.name}")
    if keys.separator is not None and keys.separator not in SEPARATORS:
        raise MisfitError(keys.separator, f"one of {', '.join(SEPARATORS)}", ".separator")
    if keys.any_value is not None and not any(column.labels for column in columns if column.kind is ColumnKind.NOMINAL):
        expected = "a nominal column with a list of its values, because this text stands for each value of such a list"
        raise MisfitError(keys.any_value, expected, ".any_value")
    if set(keys.files) not in ({"all"}, {"train", "test"}):
        raise MisfitError(list(keys.files), "the key `all`, or the keys `train` and `test`", ".files")
    for digest in _texts(keys.fingerprint):
        if not FINGERPRINT.fullmatch(digest):
            expected = "64 hexadecimal digits, as `python -m pipeline.fetch` prints them"
            raise MisfitError(digest, expected, ".fingerprint")


def _texts(value: Texts) -> tuple[str, ...]:
    """A list of texts, or a single text as a list."""
    return (value,) if isinstance(value, str) else value


def _flag(keys: _Keys, key: str) -> bool:
    text = getattr(keys, key)
    if text not in {"true", "false"}:
        raise MisfitError(text, "true or false", f".{key}")
    return bool(text == "true")


def _whole_number(keys: _Keys, key: str) -> int:
    text = getattr(keys, key)
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise MisfitError(text, "a whole number of 0 or more", f".{key}")
    return int(text)
