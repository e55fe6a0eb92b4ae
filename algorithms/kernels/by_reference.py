"""The old place of `algorithms._numba.primitives`, for modules that still move."""

from algorithms._numba.primitives import by_reference

__all__ = ["by_reference"]
