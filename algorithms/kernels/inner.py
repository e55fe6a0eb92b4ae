"""The old place of `algorithms._numba.decorators`, for modules that still move."""

from algorithms._numba.decorators import OPTIONS, allocating, compiled, inlined, inner, kernel, outer, part

__all__ = ["OPTIONS", "allocating", "compiled", "inlined", "inner", "kernel", "outer", "part"]
