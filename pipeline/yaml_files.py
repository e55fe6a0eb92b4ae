"""YAML files that people write: read up to a size limit, and refused with the name of the file."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import yaml

from pipeline.errors import ConfigError

LARGEST_FILE = 2**20
MOST_DEEP = 100  # nested lists and mappings
MOST_NODES, MOST_TEXTS = 10_000, 250_000  # nodes of a YAML with its aliases expanded; of one that has only texts
Content = TypeVar("Content")
PARSER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # in C, ten times as fast, if it is available
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml_file(file: Path, load: Callable[[str], Content]) -> Content:
    """Apply `load` to the text of a file.

    Raises ConfigError: the file cannot be read, is larger than 1 MiB, is nested deeper than 100 levels or is not UTF-8;
    or `load` raises YAMLError or ValueError.
    """
    try:
        with file.open("rb") as stream:
            content = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}") from error
    if len(content) > LARGEST_FILE:
        raise ConfigError(f"{file}: the file is larger than 1 MiB, which is the limit")
    try:
        text = content.decode()
        _check_depth(text)
        return load(text)
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: byte {error.start + 1} is not UTF-8: save the file in UTF-8") from error
    except (ValueError, yaml.YAMLError, RecursionError) as error:
        why = " ".join(str(error).split()).replace('in "<unicode string>",', "at")
        if "cannot start any token" in why and re.search(r"^ *\t", text, re.MULTILINE):
            why += ": indent by spaces, not by tabs"
        raise ConfigError(f"{file}: cannot be read as YAML: {why}") from error


def read_plain_yaml(file: Path) -> Any:
    """Read a YAML of texts, numbers, lists and mappings; raises ConfigError as `read_yaml_file` does."""
    return read_yaml_file(file, plain_yaml)


def plain_yaml(text: str) -> Any:
    """The content of such a YAML; raises YAMLError or ValueError, also if it is larger than 1 MiB."""
    if len(text) > LARGEST_FILE:
        raise yaml.YAMLError("larger than 1 MiB")
    _check_depth(text)
    node = check_plain(text)
    return node and yaml.constructor.SafeConstructor().construct_document(node)


def yaml_of_texts(text: str) -> Any:
    """The content of a YAML of texts, lists and mappings, each text as it is written; raises as `plain_yaml` does."""
    node = _checked(text, PARSER, MOST_TEXTS)
    return node and yaml.constructor.BaseConstructor().construct_document(node)


def check_plain(text: str) -> yaml.Node | None:
    """Parse a YAML; YAMLError if it has more than texts, numbers, lists and mappings, a key twice, or is too large."""
    return _checked(text, LOADER, MOST_NODES)


def _checked(text: str, loader: Any, most: int) -> yaml.Node | None:
    node = yaml.compose(text, loader)
    if _count(node, most, ()) > most:
        raise yaml.YAMLError(f"more than {most:,} entries once its aliases are expanded")
    return node


def _check_depth(text: str) -> None:
    """Raise YAMLError for a YAML nested so deep that libyaml's recursive loader would overflow the stack."""
    depth = 0
    for event in yaml.parse(text, PARSER):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MOST_DEEP:
            raise yaml.YAMLError(f"more than {MOST_DEEP} nested lists and mappings{event.start_mark}")


def _count(node: yaml.Node | None, most: int, above: tuple[yaml.Node, ...]) -> int:
    """The number of nodes with aliases expanded, as far as `most`; YAMLError for a foreign node or a repeated key."""
    if node is None:
        return 0
    if not node.tag.startswith("tag:yaml.org,2002:") or "python" in node.tag:
        raise yaml.YAMLError(f"the tag {node.tag} is not a tag of text, numbers, lists or mappings{node.start_mark}")
    if any(node is ancestor for ancestor in above):
        raise yaml.YAMLError(f"a list or mapping contains itself{node.start_mark}")
    children = [child for pair in node.value for child in pair] if isinstance(node, yaml.MappingNode) else []
    keys: dict[tuple[str, str], yaml.Node] = {}
    for key in children[::2]:
        if isinstance(key, yaml.ScalarNode) and keys.setdefault((key.tag, key.value), key) is not key:
            raise yaml.YAMLError(f"the key '{key.value}' is given twice{key.start_mark}")
    children = node.value if isinstance(node, yaml.SequenceNode) else children
    result = 1
    for child in children:
        result += _count(child, most - result, (*above, node))
        if result > most:
            break
    return result
