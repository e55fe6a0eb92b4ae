"""Pruning: makes trees smaller, by the counts of their nodes or by rows that the tree was not grown from."""
