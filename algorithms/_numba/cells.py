"""Arrays that are read and written cell by cell, without negative indices.

For each index numba tests whether it is negative and unpacks the whole array: thirty lines of code for a cell of a
one-dimensional array, eighty for three dimensions. Cells need a handful. They take a tenth of the time to compile and
to run.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import NumbaError
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic, lower_builtin, models, register_model

__all__ = ["cells", "cells_of"]


class Cells(types.Array):  # type: ignore[misc] # numba has no types
    """An array in C order that reads and writes single cells its own way, and behaves like any such array otherwise."""

    def __init__(self, dtype: Any, ndim: int, readonly: bool, aligned: bool) -> None:
        super().__init__(dtype, ndim, "C", readonly, f"cells({dtype}, {ndim}d, {readonly}, {aligned})", aligned)

    def copy(self, dtype: Any = None, ndim: Any = None, layout: Any = None, readonly: Any = None) -> Any:
        """The type of an array with other properties, such as that of a slice."""
        return cells_of(super().copy(dtype, ndim, layout, readonly))

    def plain(self) -> Any:
        """The type that numba knows."""
        return types.Array(self.dtype, self.ndim, "C", not self.mutable, aligned=self.aligned)


register_model(Cells)(models.ArrayModel)


def cells_of(kind: Any) -> Any:
    """The cell type of an array in C order; any other type is returned unchanged."""
    if type(kind) is types.Array and kind.layout == "C" and kind.ndim:
        return Cells(kind.dtype, kind.ndim, not kind.mutable, kind.aligned)
    return kind


@intrinsic
def cells(_context: Any, array: Any) -> Any:
    """The array as cells; a negative index does not count from the end."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return impl_ret_borrowed(context, builder, array, arguments[0])

    return cells_of(array)(array), generate


def _is_cell(kind: Any, index: Any) -> bool:
    """Whether an index selects one cell; otherwise it selects a slice."""
    axes = index.types if isinstance(index, types.BaseTuple) else (index,)
    return len(axes) == kind.ndim and all(isinstance(axis, types.Integer) for axis in axes)


def _address(context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    """The address of the cell at an index."""
    kind, index = kinds[:2]
    several = isinstance(index, types.BaseTuple)
    axes = zip(index.types, cgutils.unpack_tuple(builder, values[1]), strict=True) if several else [(index, values[1])]
    model, at = context.data_model_manager[kind], None
    shape = model.get_field_position("shape")
    for axis, (index_kind, value) in enumerate(axes):
        if isinstance(value, ir.Constant) and value.constant < 0:
            raise NumbaError(
                f"the index of a cell is {value.constant}: expected 0 or more; count from the start of the array, "
                f"as in array.shape[{axis}] - {-value.constant}"
            )
        step = context.cast(builder, value, index_kind, types.intp)
        if context.enable_boundscheck:
            cgutils.do_boundscheck(context, builder, step, builder.extract_value(values[0], [shape, axis]))
        if at is not None:
            step = builder.add(builder.mul(at, builder.extract_value(values[0], [shape, axis])), step)
        at = step
    return builder.gep(model.get(builder, values[0], "data"), [at], inbounds=True)


def _as_array(operation: Any, context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """Perform an operation as on any array."""
    plain = signature.replace(args=(signature.args[0].plain(), *signature.args[1:]))
    return context.get_function(operation, plain)(builder, values)


@lower_builtin(operator.getitem, Cells, types.Integer)
@lower_builtin(operator.getitem, Cells, types.BaseTuple)
def read(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """Read a cell or a slice."""
    kind, index = signature.args
    if not _is_cell(kind, index):
        return _as_array(operator.getitem, context, builder, signature, values)
    address = _address(context, builder, signature.args, values)
    return context.unpack_value(builder, kind.dtype, address, None if kind.aligned else 1)


@lower_builtin(operator.setitem, Cells, types.Integer, types.Any)
@lower_builtin(operator.setitem, Cells, types.BaseTuple, types.Any)
def write(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """Write a cell or a whole slice."""
    kind, index, given = signature.args
    if not _is_cell(kind, index):
        return _as_array(operator.setitem, context, builder, signature, values)
    address = _address(context, builder, signature.args, values)
    value = context.cast(builder, values[2], given, kind.dtype)
    context.pack_value(builder, kind.dtype, value, address, None if kind.aligned else 1)
    return context.get_dummy_value()
