"""The grid `catalogue`."""
