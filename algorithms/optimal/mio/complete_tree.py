"""The complete binary tree of both formulations: node 1 is the root, 2m and 2m + 1 are the children of m."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CompleteTree:
    """All nodes up to this depth, which is at least 1. Branch nodes may split, leaves may not."""

    depth: int

    @property
    def branches(self) -> range:
        """The nodes that may split."""
        return range(1, 2**self.depth)

    @property
    def leaves(self) -> range:
        """The nodes at the greatest depth."""
        return range(2**self.depth, 2 ** (self.depth + 1))

    @property
    def nodes(self) -> range:
        """All nodes."""
        return range(1, 2 ** (self.depth + 1))

    def above(self, node: int) -> list[int]:
        """The ancestors of a node, its parent first."""
        return [node >> level for level in range(1, node.bit_length())]

    def left_above(self, node: int) -> list[int]:
        """A_L: the ancestors whose left branch leads to the node."""
        return [node >> level for level in range(1, node.bit_length()) if not node >> (level - 1) & 1]

    def right_above(self, node: int) -> list[int]:
        """A_R: the ancestors whose right branch leads to the node."""
        return [node >> level for level in range(1, node.bit_length()) if node >> (level - 1) & 1]

    def below(self, node: int) -> list[int]:
        """A node and all its descendants."""
        result, level = [], [node]
        while level and level[0] in self.nodes:
            result += level
            level = [child for parent in level for child in (2 * parent, 2 * parent + 1)]
        return result
