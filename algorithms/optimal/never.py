"""A number that no cost of a tree reaches, in a file of its own, so that kernels depend on nothing else."""

NEVER = 1 << 60
"""More than any amount of work and any cost of a tree."""
