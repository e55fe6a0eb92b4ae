"""The fields of a dataclass in a JSON file, checked by type: the file may be damaged or someone else's."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

__all__ = ["typed"]

LARGEST = 2**63
TYPES = {"str": str, "bool": bool, "dict": dict, "list": list}
"""Types other than numbers, by the start of their annotation."""


def typed(kind: type[Any], found: object) -> dict[str, Any]:
    """The entries of a JSON value that are fields of a dataclass and have the field's type; others are left out.

    Parameters
    ----------
    kind : a dataclass whose fields are annotated `str`, `bool`, `int`, `float`, `dict[…]` or `list[…]`, or one of these
        `| None`, in a module with `from __future__ import annotations`
    found : the result of `json.loads`

    Returns
    -------
    By name. Numbers are finite and below 2**63. Empty if `found` is not a mapping.
    """
    if not isinstance(found, dict):
        return {}
    return {
        one.name: found[one.name] for one in fields(kind) if one.name in found and _fits(found[one.name], str(one.type))
    }


def _fits(value: object, annotation: str) -> bool:
    if value is None:
        return annotation.endswith("| None")
    name = annotation.removesuffix(" | None").partition("[")[0]
    if name in TYPES:
        return isinstance(value, TYPES[name])
    numbers = (int, float) if name == "float" else (int,)
    return isinstance(value, numbers) and not isinstance(value, bool) and abs(value) < LARGEST
