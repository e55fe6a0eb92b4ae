"""Optimal classification trees as mixed-integer programmes: two formulations, and the solvers that they are given to."""
