"""Optimal classification trees by mixed-integer programming: two formulations, and solvers for them."""
