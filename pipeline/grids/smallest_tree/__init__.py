"""The grid `smallest_tree`."""
