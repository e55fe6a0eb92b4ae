"""The tests that a node of a tree may make, and where missing values may go; kernels read these numbers, too."""

from enum import IntEnum

NO_ATTRIBUTE = -1
NO_NODE = -1
ALL_BRANCHES = -2
"""A missing value goes down every branch, with the branch's share of the rows that the tree was built from."""


class NodeKind(IntEnum):
    """The test of a node."""

    TERMINAL = 0
    """No test: its decision is the answer."""
    CODES = 1
    """The test of an attribute's code. Each code has an edge; edges of several codes may lead to one node (subset)."""
    BOUNDS = 2
    """A row takes the first edge whose bound is at least the row's number. Bounds increase; the last is infinite."""
    LINEAR = 3
    """As BOUNDS, for the sum of the attributes, each multiplied by the node's coefficient for it."""
