"""A decision tree as nested `if` statements in functions."""

from __future__ import annotations

from abc import ABC, abstractmethod

from algorithms.trees.export.questions import ALL_BRANCHES, NO_NODE, Case, Exported, Question

__all__ = ["Program"]

MOST_LEVELS = 12
"""The most nested `if` statements: deeper parts become separate functions, because languages limit nesting."""


class Program(ABC):
    """The functions of a tree: `decide` functions return a decision, `add` functions add shares of decisions to sums.

    A row is decided by nested statements. Where a missing value goes down all branches, `add` functions of the branches
    sum the shares, and the decision is the first of the largest sum.
    """

    indent = "    "

    def __init__(self, read: Exported) -> None:
        self.read = read
        self._waiting: list[tuple[int, bool]] = []
        self._met: set[tuple[int, bool]] = set()

    def functions(self) -> list[str]:
        """The text of each function, that of the root first."""
        written = []
        self._ask_for(0, adds=False)
        for node, adds in self._waiting:  # this list grows
            written.append("\n".join([*self.opened(node, adds=adds), *self._block(node, adds, 0), *self.closed()]))
        return written

    @property
    def asked_for(self) -> list[tuple[int, bool]]:
        """The node of each function, and whether it adds shares."""
        return self._waiting

    @abstractmethod
    def opened(self, node: int, *, adds: bool) -> list[str]:
        """The first lines of a function."""

    @abstractmethod
    def closed(self) -> list[str]:
        """The last lines of a function."""

    @abstractmethod
    def value(self, question: Question) -> list[str]:
        """Statements that compute the value that a node tests."""

    @abstractmethod
    def condition(self, question: Question, case: Case) -> str:
        """The condition of the rows of a case that match no earlier case."""

    @abstractmethod
    def branched(self, parts: list[tuple[str, list[str]]]) -> list[str]:
        """`if` statements of conditions and statements; the last condition is empty."""

    @abstractmethod
    def answered(self, node: int, *, adds: bool) -> list[str]:
        """Statements that return the answer of a node."""

    @abstractmethod
    def called(self, node: int, *, adds: bool) -> list[str]:
        """Statements that call the function of a node."""

    @abstractmethod
    def shared(self, question: Question, *, adds: bool) -> list[str]:
        """Statements that go down all branches."""

    def _ask_for(self, node: int, *, adds: bool) -> None:
        if (node, adds) not in self._met:
            self._met.add((node, adds))
            self._waiting.append((node, adds))

    def _block(self, node: int, adds: bool, level: int) -> list[str]:
        """The statements for a node within a function, this many levels deep."""
        question = self.read.question(node)
        if question is None:
            return self._within(self.answered(node, adds=adds))
        if level == MOST_LEVELS:
            self._ask_for(node, adds=adds)
            return self._within(self.called(node, adds=adds))
        parts = []
        for case in question.cases:
            if case.to == ALL_BRANCHES:
                for child, _ in question.shares:
                    self._ask_for(child, adds=True)
                below = self._within(self.shared(question, adds=adds))
            elif case.to == NO_NODE:
                below = self._within(self.answered(node, adds=adds))
            else:
                below = self._block(case.to, adds, level + 1)
            parts.append(("" if case.otherwise else self.condition(question, case), below))
        if len(parts) == 1:
            return parts[0][1]
        return self._within([*self.value(question), *self.branched(parts)])

    def _within(self, lines: list[str]) -> list[str]:
        return [self.indent + line for line in lines]
