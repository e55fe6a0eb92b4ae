"""Named tuples of many arrays, handed from kernel to kernel as the place where they are.

A compiled function takes a tuple apart: each array is eight or so arguments, and a search works on fifty arrays. Handed
over so often, they were more than half of what there was to compile.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import NumbaError
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic, models, register_model

from algorithms._numba.cells import cells_of

__all__ = ["by_reference"]

INDEX = ir.IntType(32)


class Reference(types.Type):  # type: ignore[misc] # numba has no types
    """The place of a named tuple, which must not outlive the kernel that made it."""

    def __init__(self, of: Any) -> None:
        super().__init__(f"reference({of})")
        self.of = of


@register_model(Reference)
class ReferenceModel(models.PrimitiveModel):  # type: ignore[misc]
    """An address."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, manager.lookup(kind.of).get_value_type().as_pointer())


@intrinsic
def by_reference(_context: Any, values: Any) -> Any:
    """The place of a named tuple, whose fields are had by the same names; None, of None."""
    if isinstance(values, types.NoneType):
        return values(values), lambda _context, _builder, _signature, arguments: arguments[0]

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return cgutils.alloca_once_value(builder, arguments[0])

    return Reference(values)(values), generate


@infer_getattr
class ReferenceAttributes(AttributeTemplate):  # type: ignore[misc]
    """The fields of the tuple: a tuple among them by reference, too, and the cells of an array."""

    key = Reference

    def generic_resolve(self, kind: Any, name: str) -> Any:
        """The type of a field; of what is none, numba tells the name."""
        if name not in kind.of.fields:
            return None
        field = kind.of.types[kind.of.fields.index(name)]
        return Reference(field) if isinstance(field, types.BaseNamedTuple) else cells_of(field)


@lower_getattr_generic(Reference)
def field_of(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    """Read a field, or where a tuple is, its place."""
    if context.enable_nrt:
        msg = "what is had by reference is not counted: compile the kernel as `outer`, `inner`, `part` or `inlined`"
        raise NumbaError(msg)
    index = kind.of.fields.index(name)
    place = builder.gep(value, [INDEX(0), INDEX(index)], inbounds=True)
    return place if isinstance(kind.of.types[index], types.BaseNamedTuple) else builder.load(place)
