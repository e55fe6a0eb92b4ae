"""The grid `compare_builders`."""
