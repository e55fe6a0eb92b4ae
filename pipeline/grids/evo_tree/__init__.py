"""The grid `evo_tree`."""
