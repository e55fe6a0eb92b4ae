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
    """The code of its attribute. An edge per code; edges of several codes may lead to one node (a subset)."""
    BOUNDS = 2
    """A row takes the first edge whose bound is not below its number. Bounds increase, the last is infinite."""
    LINEAR = 3
    """As BOUNDS, for the sum of the attributes times the node's coefficients; a coefficient of 0 leaves one out."""
