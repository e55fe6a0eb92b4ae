"""Pass named tuples of many arrays to kernels by address.

numba passes a tuple field by field, and each array as about eight arguments. A search uses fifty arrays, and passing
them took more than half of its compile time. An address is one argument.

A kernel that allocates nothing gets named tuples from Python as references (`by_address`). This took a third off the
compile time of a Rashomon set on labels, whose counting kernels allocate nothing. A kernel that may allocate gets their
values, and passes them on with `by_reference`.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import NumbaError
from numba.core.typing.templates import AttributeTemplate
from numba.extending import NativeValue, infer_getattr, intrinsic, lower_getattr_generic, models, register_model, unbox

from algorithms._numba.cells import cells_of

__all__ = ["by_reference"]

INDEX = ir.IntType(32)


class Reference(types.Type):  # type: ignore[misc] # numba has no types
    """The type of the address of a named tuple. An address is valid until the kernel that made it returns."""

    def __init__(self, of: Any) -> None:
        super().__init__(f"reference({of})")
        self.of = of


@register_model(Reference)
class ReferenceModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, manager.lookup(kind.of).get_value_type().as_pointer())


def by_address(kind: Any) -> Any:
    """The reference to a named tuple; any other type is returned unchanged."""
    return Reference(kind) if isinstance(kind, types.BaseNamedTuple) else kind


@unbox(Reference)
def take(kind: Any, given: Any, c: Any) -> Any:
    """Take a named tuple from Python: write its values to an address, array by array."""
    address = cgutils.alloca_once(c.builder, c.context.get_value_type(kind.of))
    failed = _write(c, kind.of, given, address)
    with c.builder.if_then(failed, likely=False):
        c.pyapi.err_set_string("PyExc_TypeError", "a named tuple has a value that is not of the type of its field")
    return NativeValue(address, is_error=failed)


def _write(c: Any, kind: Any, given: Any, address: Any) -> Any:
    """Write a value from Python to an address; return whether it failed."""
    if isinstance(kind, types.BaseNamedTuple):
        failed = cgutils.false_bit
        for index, field in enumerate(kind):
            at = c.builder.gep(address, [INDEX(0), INDEX(index)], inbounds=True)
            failed = c.builder.or_(failed, _write(c, field, c.pyapi.tuple_getitem(given, index), at))
        return failed
    if type(kind) is types.Array:
        code = c.pyapi.numba_array_adaptor(given, c.builder.bitcast(address, c.pyapi.voidptr))
        return cgutils.is_not_null(c.builder, code)
    native = c.unbox(kind, given)
    c.builder.store(native.value, address)
    return native.is_error


@intrinsic
def by_reference(_context: Any, values: Any) -> Any:
    """Return the address of a named tuple. Fields keep their names; None stays None."""
    if isinstance(values, types.NoneType):
        return values(values), lambda _context, _builder, _signature, arguments: arguments[0]

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return cgutils.alloca_once_value(builder, arguments[0])

    return Reference(values)(values), generate


@infer_getattr
class ReferenceAttributes(AttributeTemplate):  # type: ignore[misc]
    """The types of the fields: a nested named tuple is a reference, an array is read as `cells`."""

    key = Reference

    def generic_resolve(self, kind: Any, name: str) -> Any:
        """The type of a field; None for any other name, which numba then reports."""
        if name not in kind.of.fields:
            return None
        field = kind.of.types[kind.of.fields.index(name)]
        return Reference(field) if isinstance(field, types.BaseNamedTuple) else cells_of(field)


@lower_getattr_generic(Reference)
def field_of(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    """Read a field. The value of a nested named tuple is its address."""
    if context.enable_nrt:
        raise NumbaError(
            "this kernel may allocate arrays, so it cannot read references: "
            "decorate it with `outer`, `large`, `inner`, `part` or `inlined`"
        )
    index = kind.of.fields.index(name)
    address = builder.gep(value, [INDEX(0), INDEX(index)], inbounds=True)
    return address if isinstance(kind.of.types[index], types.BaseNamedTuple) else builder.load(address)
