"""Exact solvers of others, where they are installed, asked for the same trees as ours."""
