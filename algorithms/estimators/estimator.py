"""The decorator of estimators: constraints come from the annotations of fields, docstrings are completed from bases."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from inspect import Signature, cleandoc, get_annotations, signature
from typing import Any, TypeVar, dataclass_transform

from algorithms.options import RANDOM_STATE, Constraint, Number, Whole, declared

Kind = TypeVar("Kind")

HEADING = re.compile(r"^(\w+)\n-+\n", re.MULTILINE)
ENTRY = re.compile(r"^((\w+) : .*(?:\n+ +.*)+)", re.MULTILINE)
ALLOWED = "\n    Allowed: "
LAST = ("class_weight", "categorical_features", "trace")
"""Parameters that come last in signatures and docstrings, because almost every estimator has them."""


@dataclass_transform(eq_default=False, kw_only_default=True, field_specifiers=(field,))
def estimator(kind: type[Kind]) -> type[Kind]:
    """Give a class the `__init__` of its fields, all by keyword, their constraints, and a complete docstring.

    `_parameter_constraints` has those of the bases and those that the annotations of the class declare: see
    `algorithms.options.declared`.

    The docstring gets the parameters and the attributes that the bases of the class document for all their subclasses.
    Parameters have the order of the signature: those of bases first, but LAST at the end. An entry of the class itself
    replaces that of a base. A class may document parameters that only some of its subclasses have. The entry of a
    number ends with its allowed range.
    """
    dataclass(eq=False, repr=False, kw_only=True)(kind)
    kind.__init__.__annotations__ = {}  # so that `help` shows names and defaults; the docstring has the types
    lineage = [_sections(base) for base in kind.__mro__]
    accepted = signature(kind.__init__).parameters
    taken = {name: accepted[name] for name in sorted(accepted, key=LAST.__contains__)}
    kind.__init__.__signature__ = Signature([*taken.values()])  # type: ignore[attr-defined]
    own_hints = {name: hint for name, hint in get_annotations(kind, eval_str=True).items() if name in taken}
    constraints = {name: allowed for name, hint in own_hints.items() if (allowed := declared(hint))}
    constraints = getattr(kind, "_parameter_constraints", {}) | constraints
    kind._parameter_constraints = constraints  # type: ignore[attr-defined]
    parameters: dict[str, str] = {}
    attributes: dict[str, str] = {}
    for sections in lineage:
        for entry, name in ENTRY.findall(sections.get("Parameters", "")):
            if name in taken or sections is lineage[0]:
                parameters.setdefault(name, entry.partition(ALLOWED)[0] + _range(constraints.get(name, [])))
    for sections in reversed(lineage):
        attributes |= {name: entry for entry, name in ENTRY.findall(sections.get("Attributes", ""))}
    own = lineage[0]
    completed = {
        "": own.pop(""),
        "Parameters": "\n".join(parameters[name] for name in taken | parameters if name in parameters),
        "Attributes": "\n".join(attributes.values()),
    }
    completed |= {heading: text for heading, text in own.items() if heading not in completed}
    kind.__doc__ = "\n\n".join(
        f"{heading}\n{'-' * len(heading)}\n{text}" if heading else text for heading, text in completed.items() if text
    )
    return kind


def _range(allowed: Sequence[Constraint]) -> str:
    """The line of a docstring that says which numbers a parameter allows; empty if it declares none."""
    ranges = [str(constraint) for constraint in allowed if isinstance(constraint, Whole | Number)]
    return f"{ALLOWED}{', or '.join(ranges)}." if ranges and allowed is not RANDOM_STATE else ""


def _sections(kind: type[Any]) -> dict[str, str]:
    """The sections of the docstring of a class by heading; the text before them has an empty heading."""
    parts = HEADING.split(cleandoc(vars(kind).get("__doc__") or ""))
    return dict(zip(["", *parts[1::2]], (text.strip("\n") for text in parts[::2]), strict=True))
