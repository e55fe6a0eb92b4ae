"""The old place of `algorithms._numba.copies`, for modules that still move."""

from algorithms._numba.copies import copy_into

__all__ = ["copy_into"]
