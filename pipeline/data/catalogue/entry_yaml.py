"""Read catalogue entries from their YAML files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice, product
from math import prod
from pathlib import Path, PurePosixPath
from typing import Any, NoReturn

from pipeline.data.catalogue.entry import Address, Column, ColumnKind, Entry, FileLayout, SetFile
from pipeline.data.catalogue.limits import DEFAULT_LIMITS, Limits
from pipeline.data.catalogue.yaml_text import Section, read_yaml
from pipeline.errors import ConfigError

OF_LAYOUT: Mapping[str, Callable[[Section, str], Any]] = {
    **dict.fromkeys(("separator", "encoding", "any_value"), Section.text),
    **dict.fromkeys(("missing", "left_out"), Section.texts),
    **dict.fromkeys(("header", "sequence"), Section.whole_number),
    "decimal_comma": Section.flag,
}
"""Keys that are fields of a Layout, whose defaults they have, and how each is read."""
SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "blanks": " "}
RANGE = re.compile(r"\{(-?\d+|[a-z])\.\.(-?\d+|[a-z])\}")
MOST_URLS = 1000  # that are joined to one file
LONGEST_NUMBER = 15
FINGERPRINT = re.compile(r"[0-9a-f]{64}")


def names_in(path: Path, name: str) -> tuple[str, ...]:
    """The names of the data sets that a YAML describes: its own, if it has files, and those of its variants."""
    section = read_yaml(path)
    variants = [f"{name}/{key}" for key in (section.section("variants") if "variants" in section else ())]
    return (name, *variants) if "files" in section or not variants else tuple(variants)


def read_entry(path: Path, name: str, variant: str | None = None, limits: Limits = DEFAULT_LIMITS) -> Entry:
    """The data set, or the variant, that a YAML describes; `name` is its name in the catalogue.

    A variant has the keys of the whole YAML except the fingerprint. Its own keys replace these, and those of its
    `columns` do so one by one.

    Raises ConfigError: there is no such variant; a key is unknown, missing, given twice or has a value that is not
    allowed; or there are more columns than the limits allow. The message names file and key.
    """
    section = read_yaml(path)
    alternatives = section.section("variants") if "variants" in section else None
    known = ", ".join(f"{name}/{key}" for key in alternatives or ()) or "none"
    if variant is not None:
        if alternatives is None or variant not in alternatives:
            msg = f"{path}: no variant is called '{variant}'; variants: {known}"
            raise ConfigError(msg)
        section = section.overlaid(alternatives.section(variant), merged="columns", left="fingerprint")
        name = f"{name}/{variant}"
    elif "files" not in section and alternatives is not None:
        msg = f"'{name}' stands for several data sets: give one of {known}"
        raise ConfigError(msg)
    entry = Entry(
        name=name,
        title=section.text("title"),
        about=section.text("about"),
        citation=section.text("citation"),
        layout=_layout(section, limits),
        files={part: _file(node) for part, node in section.sections("files")},
        fingerprints=section.texts("fingerprint", ()),
        tried=section.flag("tried", "false"),
        source=path,
    )
    section.refuse_unread("variants")
    _check(entry, section)
    return entry


def _layout(section: Section, limits: Limits) -> FileLayout:
    columns = tuple(islice(_columns(section, limits.columns), limits.columns + 1))
    if len(columns) > limits.columns:
        _refuse_more(section, "columns", limits.columns, f"more than {limits.columns:,}")
    layout = FileLayout(columns, **{key: read(section, key) for key, read in OF_LAYOUT.items() if key in section})
    if layout.separator is not None and layout.separator not in SEPARATORS:
        section.fail("separator", f"expected one of {', '.join(SEPARATORS)}", layout.separator)
    if layout.any_value is not None and not any(
        column.labels for column in columns if column.kind is ColumnKind.NOMINAL
    ):
        expected = "expected a nominal column with a list of its values, for which this text would stand"
        section.fail("any_value", expected, layout.any_value)
    return replace(layout, separator=SEPARATORS.get(layout.separator or ""))


def _columns(section: Section, most: int) -> Iterator[Column]:
    recodings: dict[str, dict[str, str]] = {}
    for pattern, node in section.sections("recode", required=False):
        recode = {text: node.text(text) for text in node}
        recodings |= dict.fromkeys(_expanded(pattern, section, "recode", most), recode)
        if len(recodings) > most:
            _refuse_more(section, "recode", most, f"{len(recodings):,}")
    declared = section.section("columns")
    classes = section.texts("classes", ())
    for pattern in declared:
        kind, labels = _kind(declared, pattern)
        for name in _expanded(pattern, section, "columns", most):
            own = classes if kind is ColumnKind.CLASS else labels
            yield Column(name, kind, own, recodings.pop(name, {}))
    if recodings:
        section.fail("recode", "expected the name of a declared column", next(iter(recodings)))


def _kind(declared: Section, key: str) -> tuple[ColumnKind, tuple[str, ...]]:
    if declared.is_list(key):
        return ColumnKind.NOMINAL, declared.texts(key)
    kind = declared.text(key)
    if kind not in set(ColumnKind):
        declared.fail(key, f"expected {', '.join(ColumnKind)} or a list of its values", kind)
    return ColumnKind(kind), ()


def _expanded(pattern: str, section: Section, key: str, most: int) -> Iterator[str]:
    """Expand `pixel{1..3}` to pixel1, pixel2, pixel3 and `{a..b}{1..2}` to a1, a2, b1, b2; ConfigError if too many."""
    pieces = RANGE.split(pattern)
    if any(len(end) > LONGEST_NUMBER for end in (*pieces[1::3], *pieces[2::3])):
        section.fail(key, f"expected ranges between numbers of at most {LONGEST_NUMBER} digits", pattern)
    ranges = [_between(*ends) for ends in zip(pieces[1::3], pieces[2::3], strict=True)]
    count = prod(last - first + 1 for _, first, last in ranges if last >= first)
    if count > most:
        _refuse_more(section, key, most, f"{count:,} of {pattern}")
    for chosen in product(*([text(code) for code in range(first, last + 1)] for text, first, last in ranges)):
        yield pieces[0] + "".join(value + text for value, text in zip(chosen, pieces[3::3], strict=True))


def _between(first: str, last: str) -> tuple[Callable[[int], str], int, int]:
    """The ends of a range as numbers, and the text for each number between them."""
    if first.isalpha() or last.isalpha():
        return chr, ord(first[0]), ord(last[0])
    return str, int(first), int(last)


def _refuse_more(section: Section, key: str, most: int, found: str) -> NoReturn:
    section.fail(key, f"expected {most:,} names at most, or allow more with data.most_columns=…", found)


def _file(node: Section) -> SetFile:
    where = None
    if "where" in node:
        conditions = node.section("where")
        columns = list(conditions)
        if len(columns) != 1:
            node.fail("where", "expected one column and its text", ", ".join(columns) or "none")
        where = (columns[0], conditions.text(columns[0]))
    path = PurePosixPath(node.text("path"))
    if path.is_absolute() or ".." in path.parts or "\\" in str(path):
        node.fail("path", "expected a path below the data folder", str(path))
    return SetFile(path, tuple(_address(item, node) for item in node.items("addresses")), where)


def _address(node: str | Section, file: Section) -> Address:
    if isinstance(node, str):
        return Address(tuple(_expanded(node, file, "addresses", MOST_URLS)))
    return Address(
        urls=tuple(_expanded(node.text("url"), node, "url", MOST_URLS)),
        **{key: node.text(key) for key in ("sha256", "member") if key in node},
    )


def _check(entry: Entry, section: Section) -> None:
    """Check rules that involve several keys."""
    columns = entry.layout.columns
    classes = [column.name for column in columns if column.kind is ColumnKind.CLASS]
    names = [column.name for column in columns]
    if len(classes) != 1:
        section.fail("columns", "expected exactly one column of kind class", ", ".join(classes) or "none")
    if len(set(names)) < len(names):
        section.fail("columns", "two columns have the same name", next(name for name in names if names.count(name) > 1))
    if set(entry.files) not in ({"all"}, {"train", "test"}):
        section.fail("files", "expected the key `all`, or the keys `train` and `test`", ", ".join(entry.files))
    for column in columns:
        if len(set(column.labels)) < len(column.labels):
            section.fail("columns", f"column {column.name} has a value twice", ", ".join(column.labels))
    for file in entry.files.values():
        if file.where is not None and file.where[0] not in names:
            section.fail("files", "`where`: expected the name of a declared column", file.where[0])
        for url in (url for address in file.addresses for url in address.urls):
            if not url.startswith(("https://", "http://")):
                section.fail("addresses", "expected https://…", url)
    for digest in entry.fingerprints:
        if not FINGERPRINT.fullmatch(digest):
            section.fail(
                "fingerprint", "expected 64 hexadecimal digits, as `python -m pipeline.fetch` prints them", digest
            )
