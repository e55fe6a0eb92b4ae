"""The old place of `algorithms._numba.primitives`, for modules that still move."""

from algorithms._numba.primitives import lowest, popcount

__all__ = ["lowest", "popcount"]
