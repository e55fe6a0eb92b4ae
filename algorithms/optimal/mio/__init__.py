"""Optimal classification trees as mixed-integer programmes: two formulations, and solvers for them."""
