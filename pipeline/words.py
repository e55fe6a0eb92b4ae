"""Numbers, names and lists as text, for messages, findings, tables and figures."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from algorithms.plurals import counted

__all__ = [
    "MOST_LISTED",
    "NUMBER",
    "TYPES",
    "counted",
    "duration",
    "first_of",
    "is_number",
    "listed_choices",
    "out_of",
    "readable",
    "text_of",
]

MOST_LISTED = 40  # number of choices

TYPES = {bool: "true or false", int: "a whole number", float: "a number", str: "text", dict: "names with values"}
"""The name of each type's values in messages."""
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)

_NAMES = {"bayes": "Bayes", "c45": "C4.5", "lee": "Lee", "olafsson": "Olafsson"}
_NAMES |= {name: name.upper() for name in ["cart", "did", "evo", "id3", "j48", "mlp", "oct", "svm", "t2", "t3", "t3c"]}
"""Parts of names that are written with capitals."""
_AS_PRINTED = ("w_max", "w_sum")
"""Names that a paper writes like this."""
_WORD = re.compile(r"[a-z0-9]+")


def duration(seconds: float) -> str:
    """A duration in words."""
    for size, unit in ((86_400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:,.1f} {unit}"
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1000:.0f} ms"


def out_of(part: int, whole: int, thing: str, things: str | None = None) -> str:
    """`1 of 1 worker`, `3 of 2,000 workers`."""
    return f"{part:,} of {counted(whole, thing, things)}"


def span(first: int, last: int) -> str:
    """`item 7`, `items 1,000 to 1,099`."""
    return f"item {first:,}" if first == last else f"items {first:,} to {last:,}"


def listed_choices(choices: Sequence[object]) -> str:
    """The possible choices, in words."""
    if isinstance(choices, range) and len(choices) > 1:
        return f"{choices[0]} to {choices[-1]}"
    if len(choices) <= 1:
        return ", ".join(map(str, choices)) or "nothing, because no choice is available"
    return f"one of {first_of(choices, MOST_LISTED)}"


def first_of(names: Sequence[object], most: int, between: str = ", ") -> str:
    """`a, b and 3 more`: at most this many names, and the number of the rest."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{between.join(map(str, names[:most]))}{more}"


def is_number(text: str) -> bool:
    """Whether the text is a finite decimal number."""
    return NUMBER.fullmatch(text.strip()) is not None and math.isfinite(float(text))


def text_of(value: object) -> str:
    """A value as it is written, numbers in short."""
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def readable(name: object) -> str:
    """A name as people write it: `average depth` for `average_depth`, `C4.5` for `c45`.

    Names with a slash, such as those of data sets and heuristics, are as they are.
    """
    text = text_of(name)
    if not text.islower() or "/" in text.partition(" ")[0] or text in _AS_PRINTED:
        return text
    return _WORD.sub(lambda word: _NAMES.get(word[0], word[0]), text.replace("_", " ")).replace("EVO tree", "EVO-Tree")
