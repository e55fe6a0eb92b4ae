"""How to write a name from a person's data, such as that of a column, in an option of the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

TYPED = re.compile(r"[A-Za-z][A-Za-z0-9_./%+* ()\[\]{}:=,\\-]*")
"""Names that a command line can have as keys, after brackets and similar characters are escaped."""
SPECIAL, BACKSLASHED = r"[\\()\[\]{}:=,]", r"\\\g<0>"
PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def mapping_option(key: str, name: str, value: str) -> str:
    """`'key={name: value}'`; YAML for a name that no command line can have as a key."""
    if not TYPED.fullmatch(name):
        return f"{key}: {{{json.dumps(name, ensure_ascii=False)}: {value}}} in the YAML of a grid"
    return mapping_options(key, {name: value})


def mapping_options(key: str, values: Mapping[str, str]) -> str:
    """`'key={name: value, …}'` of the names that a command line can have as keys; empty if there are none."""
    pairs = [
        f"{re.sub(SPECIAL, BACKSLASHED, name)}: {value}" for name, value in values.items() if TYPED.fullmatch(name)
    ]
    return f"'{key}={{{', '.join(pairs)}}}'" if pairs else ""


def list_option(key: str, name: str) -> str:
    """`'key=[name]'`, the name in quotes unless it is a plain word; YAML for a name with quotes or a backslash."""
    if re.search(r"['\\$]", name):
        return f"{key}: [{json.dumps(name, ensure_ascii=False)}] in the YAML of a grid"
    return f"'{key}=[{name if PLAIN.fullmatch(name) else json.dumps(name, ensure_ascii=False)}]'"
