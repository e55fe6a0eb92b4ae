"""The old place of `algorithms._numba.compiling`, for modules that still move."""

from algorithms._numba.compiling import Stopwatch, compiled, observing_compilation

__all__ = ["Stopwatch", "compiled", "observing_compilation"]
