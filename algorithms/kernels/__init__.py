"""Loops compiled with numba: plain arrays in, plain arrays out. What they compute is told where they are called."""
