"""Pruning: smaller trees made of any tree, by what its nodes counted or by rows that it was not grown from."""
