"""What the comments of the YAMLs in `conf/` say of their keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

from pipeline.discovery import conf_folder

__all__ = ["choices_of", "meanings_in", "meanings_of", "title_of"]


def title_of(file: Path) -> str:
    """The first comment of a YAML that is not for Hydra."""
    lines = (line[2:].strip() for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("# "))
    return next(line for line in lines if not line.startswith("@package"))


def meanings_of(group: str, name: str) -> dict[str, str]:
    """The meaning of each key of `conf/<group>/<name>.yaml`, dotted, with those of the YAMLs in its defaults."""
    file = conf_folder() / group / f"{name}.yaml"
    meanings: dict[str, str] = {}
    for where, choice, prefix in _defaults(file, group):
        below = meanings_of(where, choice)
        meanings |= {f"{prefix}{key}": meaning for key, meaning in below.items()}
    return meanings | meanings_in(file)


def choices_of(group: str, name: str) -> dict[str, tuple[str, str]]:
    """The group and name of the YAML that gives each section of `conf/<group>/<name>.yaml` that is a choice."""
    result: dict[str, tuple[str, str]] = {}
    for where, choice, prefix in _defaults(conf_folder() / group / f"{name}.yaml", group):
        result |= {prefix.rstrip("."): (where, choice)} if prefix else choices_of(where, choice)
    return result


def meanings_in(file: Path) -> dict[str, str]:
    """What a YAML says of its own keys, dotted: the comment at the end of the line of each that has one."""
    text = file.read_text(encoding="utf-8")
    root = yaml.compose(text, yaml.SafeLoader)
    return dict(_comments(root, text.splitlines(), "")) if isinstance(root, yaml.MappingNode) else {}


def _defaults(file: Path, group: str) -> Iterator[tuple[str, str, str]]:
    """The YAMLs that one is made of: their group, their name, and the keys that theirs stand below."""
    for entry in (yaml.safe_load(file.read_text(encoding="utf-8")) or {}).get("defaults", []):
        where, choice = next(iter(entry.items())) if isinstance(entry, Mapping) else ("", entry)
        where = where.removeprefix("override ")
        if "schema" in f"{where}{choice}" or choice == "_self_":
            continue
        path, _, package = where.lstrip("/").partition("@")
        yield path or group, choice, f"{package or path}." if path else ""


def _comments(node: yaml.MappingNode, lines: list[str], prefix: str) -> Iterator[tuple[str, str]]:
    for key, value in node.value:
        name = f"{prefix}{key.value}"
        in_line = value.start_mark.line == value.end_mark.line
        end = value.end_mark if in_line else key.end_mark
        _, mark, comment = lines[end.line][end.column :].partition("#")
        if mark:
            yield name, comment.strip()
        if isinstance(value, yaml.MappingNode):
            yield from _comments(value, lines, f"{name}.")
