"""YAML as text: every scalar is kept as written, so that `no`, `0500` and `1.0` match the texts of a data file."""

from __future__ import annotations

import reprlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import yaml

from pipeline.errors import ConfigError, did_you_mean
from pipeline.yaml_files import read_yaml_file

Raw = str | list["Raw"] | dict[str, "Raw"]


class _Loader(getattr(yaml, "CBaseLoader", yaml.BaseLoader)):  # type: ignore[misc]
    """Builds only text, lists and mappings; a key that is given twice is an error."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[str, Raw]:
        result: dict[str, Raw] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(None, None, "a key is not text", key_node.start_mark)
            if key_node.value in result:
                msg = f"the key '{key_node.value}' is given twice"
                raise yaml.constructor.ConstructorError(None, None, msg, key_node.start_mark)
            result[key_node.value] = self.construct_object(value_node, deep=deep)
        return result


class Section:
    """A mapping of a YAML file, which knows its keys' prefix in the file, and which of the keys have been read.

    A key that is read must be present, unless the call gives a default.
    """

    def __init__(self, values: dict[str, Raw], file: Path, prefix: str = "") -> None:
        self._values = values
        self._file = file
        self._prefix = prefix
        self._read: set[str] = set()
        self._below: list[tuple[str, Section]] = []

    def __contains__(self, key: str) -> bool:
        self._read.add(key)
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        self._read |= set(self._values)
        return iter(self._values)

    def fail(self, key: str, expected: str, found: object) -> NoReturn:
        """Raise ConfigError that names the file and the key."""
        msg = f"{self._file}, key '{self._prefix}{key}': {expected}; found {reprlib.repr(found)}"
        raise ConfigError(msg)

    def text(self, key: str, default: str | None = None) -> str:
        """A text, with each run of blanks and line ends made one blank."""
        return " ".join(self._value(key, str, "a text", default).split())

    def texts(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """A list of texts, or a single text as a list."""
        value = self._value(key, str | list | tuple, "a text or a list of texts", default)
        items = [value] if isinstance(value, str) else value
        for item in items:
            if not isinstance(item, str):
                self.fail(key, "expected only texts in the list", item)
        return tuple(items)

    def flag(self, key: str, default: str | None = None) -> bool:
        """True or false."""
        value = str(self._value(key, default=default))
        if value not in {"true", "false"}:
            self.fail(key, "expected true or false", value)
        return value == "true"

    def whole_number(self, key: str) -> int:
        """A whole number from 0."""
        value = str(self._value(key))
        if not value.isascii() or not value.isdigit() or len(value) > 9:
            self.fail(key, "expected a whole number from 0", value)
        return int(value)

    def is_list(self, key: str) -> bool:
        """Whether the value is a list."""
        return isinstance(self._value(key), list)

    def section(self, key: str) -> Section:
        """A mapping."""
        return self._section(key, self._value(key, dict, "keys and values"), f"{self._prefix}{key}.")

    def sections(self, key: str, *, required: bool = True) -> Iterator[tuple[str, Section]]:
        """The keys of a mapping, with the mapping of each."""
        if required or key in self:
            below = self.section(key)
            yield from ((name, below.section(name)) for name in below)

    def items(self, key: str) -> Iterator[str | Section]:
        """The items of a list, texts or mappings; empty if there is no such key."""
        for index, item in enumerate(self._value(key, list, "a list", []), start=1):
            if isinstance(item, list):
                self.fail(key, "expected texts or mappings", item)
            yield self._section(key, item, f"{self._prefix}{key}.{index}.") if isinstance(item, dict) else item

    def overlaid(self, other: Section, merged: str, left: str) -> Section:
        """The section with its keys replaced by the other's, and without its own key `left`.

        The keys under `merged` are replaced one by one; if the other names them all, its order is used, too.
        """
        values = {key: value for key, value in self._values.items() if key != left} | other._values
        before, after = self._values.get(merged), other._values.get(merged)
        if isinstance(before, dict) and isinstance(after, dict):
            values[merged] = after if before.keys() <= after.keys() else before | after
        return Section(values, self._file)

    def refuse_unread(self, passed_over: str | None = None) -> None:
        """Raise ConfigError for a key, here or below, that has not been read."""
        for key in self._values:
            if key not in self._read and key != passed_over:
                hint = (
                    did_you_mean(key, self._read).removeprefix(", ") or f"the keys are {', '.join(sorted(self._read))}"
                )
                msg = f"{self._file}: unknown key '{self._prefix}{key}'; {hint}"
                raise ConfigError(msg)
        for key, section in self._below:
            if key != passed_over:
                section.refuse_unread()

    def _section(self, key: str, values: dict[str, Raw], prefix: str) -> Section:
        section = Section(values, self._file, prefix)
        self._below.append((key, section))
        return section

    def _value(self, key: str, kind: Any = object, expected: str = "", default: object = None) -> Any:
        self._read.add(key)
        value = self._values.get(key, default)
        if value is None:
            msg = f"{self._file}: key '{self._prefix}{key}' is missing"
            raise ConfigError(msg)
        if not isinstance(value, kind):
            self.fail(key, f"expected {expected}", value)
        return value


def read_yaml(path: Path) -> Section:
    """Read a YAML file as a mapping; ConfigError if it has anything else or cannot be read."""
    values = read_yaml_file(path, lambda text: yaml.load(text, _Loader))  # noqa: S506 - a BaseLoader, which builds no objects
    if not isinstance(values, dict):
        msg = f"{path}: expected keys and values, found {reprlib.repr(values)}"
        raise ConfigError(msg)
    return Section(values, path)
