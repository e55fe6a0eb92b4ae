"""The old place of `algorithms._numba.primitives`, for modules that still move."""

from algorithms._numba.primitives import LANES, pack, tile_counts

__all__ = ["LANES", "pack", "tile_counts"]
