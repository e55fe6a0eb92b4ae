"""Named tuples of arrays for kernels: each field declares the lengths and the type of its array.

After `class Lists(NamedTuple)` with the fields `rows: Any = array("lists most", np.int32)` and
`end: Any = array("lists+1")`, `arrays_of(Lists, lists=3, most=10)` makes both arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any, TypeVar

import numpy as np

Kind = TypeVar("Kind", bound=tuple[Any, ...])


def array(lengths: str, dtype: Any = np.int64) -> Any:
    """Declare an array: each length is a number, the name of a size, or a sum of products of these, as in `2*rows+1`.

    A type that is not known beforehand is named as well.
    """
    return tuple(lengths.split()), dtype


def arrays_of(kind: type[Kind], make: Callable[[tuple[int, ...], Any], Any] = np.zeros, **sizes: Any) -> Kind:
    """The named tuple of the arrays that a class declares, all zeros, by the sizes and types that it names.

    `make` makes an array of a shape and a type.
    """
    declared, sums = _declared(kind)
    for length, terms in sums.items():
        total = 0
        for factor, names in terms:
            product = factor
            for name in names:
                product *= sizes[name]
            total += product
        sizes[length] = total
    size_of = sizes.__getitem__
    return kind(*[make(tuple(map(size_of, lengths)), sizes.get(dtype, dtype)) for lengths, dtype in declared])


def longer(arrays: Kind, needed: int) -> Kind:
    """The named tuple, or one of copies at least twice as long if its arrays are shorter than needed."""
    length = len(arrays[0])
    if needed <= length:
        return arrays
    spare = max(needed - length, length)
    return type(arrays)(*[np.concatenate([old, np.zeros((spare, *old.shape[1:]), old.dtype)]) for old in arrays])


@cache
def _declared(kind: type[Any]) -> tuple[list[tuple[tuple[str, ...], Any]], dict[str, list[tuple[int, list[str]]]]]:
    """The declarations of the fields; and for each length that is not a name, the factor and names of its summands."""
    declared = list(kind._field_defaults.values())
    sums = {length for lengths, _ in declared for length in lengths if not length.isidentifier()}
    return declared, {length: [_factors(term.split("*")) for term in length.split("+")] for length in sums}


def _factors(parts: list[str]) -> tuple[int, list[str]]:
    return prod(int(part) for part in parts if part.isdigit()), [part for part in parts if not part.isdigit()]
