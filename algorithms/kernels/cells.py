"""The old place of `algorithms._numba.primitives`, for modules that still move."""

from algorithms._numba.primitives import cells

__all__ = ["cells"]
