"""Named tuples of arrays for kernels: each field declares the lengths and the type of its array.

After `class Lists(NamedTuple)` with the fields `rows: Any = array("lists most", np.int32)` and
`end: Any = array("lists+1")`, `arrays_of(Lists, lists=3, most=10)` makes both arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import CodeType
from typing import Any, TypeVar

import numpy as np

Kind = TypeVar("Kind", bound=tuple[Any, ...])


def array(lengths: str, dtype: Any = np.int64) -> Any:
    """Declare an array: each length is an expression of the names of sizes, as in `2*rows+1`.

    A type that is not known beforehand is named as well.
    """
    return tuple(lengths.split()), dtype


def arrays_of(kind: type[Kind], make: Callable[[tuple[int, ...], Any], Any] = np.zeros, **sizes: Any) -> Kind:
    """The named tuple of the arrays that a class declares, all zeros, by the sizes and types that it names.

    `make` makes an array of a shape and a type.
    """
    shapes, types = _declared(kind)
    made = zip(eval(shapes, sizes), types, strict=True)  # noqa: S307 - only what classes declare
    return kind(*[make(shape, sizes[dtype] if isinstance(dtype, str) else dtype) for shape, dtype in made])


def longer(arrays: Kind, needed: int) -> Kind:
    """The named tuple, or one of copies at least twice as long if its arrays are shorter than needed."""
    length = len(arrays[0])
    if needed <= length:
        return arrays
    spare = max(needed - length, length)
    return type(arrays)(*[np.concatenate([old, np.zeros((spare, *old.shape[1:]), old.dtype)]) for old in arrays])


@cache
def _declared(kind: type[Any]) -> tuple[CodeType, tuple[Any, ...]]:
    """The code that computes the shapes of all arrays from the sizes, and the types of the arrays."""
    lengths, types = zip(*kind._field_defaults.values(), strict=True)
    shapes = [f"({', '.join(of_array)},)" for of_array in lengths]
    return compile(f"({', '.join(shapes)},)", kind.__name__, "eval"), types
