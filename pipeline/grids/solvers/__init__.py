"""The grid `solvers`."""
