"""Rules for the values of keys; the checks and their messages are derived from them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import Any

from pipeline.errors import ConfigError


@dataclass(frozen=True)
class Rule:
    """A condition on a value.

    expected : the condition in words
    holds    : whether a value meets it
    levels   : 0 for the whole value, 1 for each entry of a list, 2 for each entry of these
    """

    expected: str
    holds: Callable[[Any], bool]
    levels: int = 0

    def check(self, key: str, value: Any, *, null: bool = False) -> None:
        """Raise ConfigError if a value does not meet the condition; `null` says whether the key may be null."""
        if null and value is None:
            return
        also = ", or null" if null else ""
        if self.levels:
            for entry in value if self.levels == 1 else chain.from_iterable(value):
                if not self.holds(entry):
                    raise ConfigError(f"{key} has {_shown(entry)}: expected {self.expected}")
        elif value is None or not self.holds(value):
            raise ConfigError(f"{key} is {_shown(value)}: expected {self.expected}{also}")


def within(least: float, most: float) -> Rule:
    """A number in a range, the ends included."""
    return Rule(f"{least} to {most}", lambda value: least <= value <= most)


def at_least(least: float, unit: str = "") -> Rule:
    """A number of at least this."""
    return Rule(f"{least} or more{unit and f' {unit}'}", lambda value: value >= least)


def whole_number(least: int, most: int | None = None) -> Rule:
    """An integer (not true or false) in a range, the ends included."""
    expected = f"a whole number from {least} to {most}" if most else f"a whole number of {least} or more"
    return Rule(expected, lambda value: type(value) is int and least <= value <= (most or value))


def more_than(least: float) -> Rule:
    """A number above this."""
    return Rule(f"more than {least}", lambda value: value > least)


def one_of(*known: str) -> Rule:
    """One of a few words."""
    return Rule(f"one of {', '.join(known)}", known.__contains__)


def matching(pattern: str, expected: str) -> Rule:
    """A text that a regular expression matches whole; `expected` is this in words."""
    return Rule(expected, lambda value: re.fullmatch(pattern, value) is not None)


def each(rule: Rule) -> Rule:
    """The same rule for each entry of a list."""
    return Rule(rule.expected, rule.holds, rule.levels + 1)


ONCE = Rule("each entry once", lambda value: len(set(value)) == len(value))
DISTINCT = Rule("at least one entry, and each entry once", lambda value: bool(value) and len(set(value)) == len(value))


def lists(value: Any) -> Any:
    """A value with lists instead of tuples, as in the configuration and in JSON."""
    return list(map(lists, value)) if isinstance(value, list | tuple) else value


def _shown(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return repr(lists(value))
