"""The old place of `algorithms._numba.sorting`, for modules that still move."""

from algorithms._numba.sorting import PLACE_BITS, PLACE_MASK, sort

__all__ = ["PLACE_BITS", "PLACE_MASK", "sort"]
