"""The grid `pruning`."""
