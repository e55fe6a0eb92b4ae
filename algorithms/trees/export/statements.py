"""A decision tree as nested `if` statements in functions."""

from __future__ import annotations

from abc import ABC, abstractmethod

from algorithms.trees.arrays import ALL_BRANCHES, NO_NODE
from algorithms.trees.export.questions import Case, Exported, Question

MOST_LEVELS = 12
"""The most nested `if` statements: deeper parts become separate functions, because languages limit nesting."""
MOST_CASES = 100
"""The most conditions of one `if` statement, because compilers read each as nested in the one before."""


class Program(ABC):
    """The functions of a tree: `decide` functions return a decision, `add` functions add shares of decisions to sums.

    A row is decided by nested statements. Where a missing value goes down all branches, `add` functions of the branches
    sum the shares, and the decision is the first of the largest sum.
    """

    indent = "    "
    row, end, private = "row", "", "_"
    """The name of the row, the end of a statement, and the prefix of functions that only the others call."""
    closing: tuple[str, ...] = ()
    """The last lines of a function, and of an `if` statement."""

    def __init__(self, read: Exported, name: str) -> None:
        self.read, self.name = read, name
        self._waiting: list[tuple[int, bool]] = []  # the node of each function, and whether it adds shares
        self._requested: set[tuple[int, bool]] = set()

    def functions(self) -> list[str]:
        """The text of each function, that of the root first."""
        written = []
        self._request(0, adds=False)
        for node, adds in self._waiting:  # this list grows
            written.append("\n".join([*self.opened(node, adds=adds), *self._block(node, adds, 0), *self.closing]))
        return written

    @abstractmethod
    def opened(self, node: int, *, adds: bool) -> list[str]:
        """The first lines of a function."""

    @abstractmethod
    def value(self, question: Question) -> list[str]:
        """Statements that compute the value that a node tests."""

    @abstractmethod
    def condition(self, question: Question, case: Case) -> str:
        """The condition of the rows of a case that match no earlier case."""

    @abstractmethod
    def head(self, condition: str, *, first: bool) -> str:
        """The line before the statements of a condition; the condition of the last is empty."""

    @abstractmethod
    def decision(self, code: int) -> str:
        """A decision as an expression."""

    @abstractmethod
    def zeros(self, decisions: int) -> str:
        """The declaration of `shares`, a 0 for each decision."""

    def function(self, node: int, *, adds: bool) -> str:
        """The name of the function of a node."""
        return f"{self.private}{self.name}{'_share' if adds else ''}_{node}" if node or adds else self.name

    def _answered(self, node: int, *, adds: bool) -> list[str]:
        if not adds:
            return [f"return {self.decision(int(self.read.tree.decision[node]))}{self.end}"]
        answers = enumerate(self.read.answers[node].tolist())
        return [f"shares[{code}] += share * {answer!r}{self.end}" for code, answer in answers if answer]

    def _called(self, node: int, *, adds: bool) -> list[str]:
        name = self.function(node, adds=adds)
        return [f"{name}({self.row}, share, shares){self.end}" if adds else f"return {name}({self.row}){self.end}"]

    def _shared(self, question: Question, *, adds: bool) -> list[str]:
        """Statements that go down all branches."""
        share = "share * " if adds else ""
        calls = [
            f"{self.function(child, adds=True)}({self.row}, {share}{part!r}, shares){self.end}"
            for child, part in question.shares
        ]
        if adds:
            return calls
        zeros = self.zeros(len(self.read.decisions))
        return [f"{zeros}{self.end}", *calls, f"return {self.private}{self.name}_most(shares){self.end}"]

    def _request(self, node: int, *, adds: bool) -> None:
        if (node, adds) not in self._requested:
            self._requested.add((node, adds))
            self._waiting.append((node, adds))

    def _block(self, node: int, adds: bool, level: int) -> list[str]:
        """The statements for a node within a function, this many levels deep."""
        question = self.read.question(node)
        if question is None:
            return self._within(self._answered(node, adds=adds))
        if level == MOST_LEVELS:
            self._request(node, adds=adds)
            return self._within(self._called(node, adds=adds))
        parts = []
        for case in question.cases:
            if case.to == ALL_BRANCHES:
                for child, _ in question.shares:
                    self._request(child, adds=True)
                below = self._within(self._shared(question, adds=adds))
            elif case.to == NO_NODE:
                below = self._within(self._answered(node, adds=adds))
            else:
                below = self._block(case.to, adds, level + 1)
            parts.append(("" if case.otherwise else self.condition(question, case), below))
        if len(parts) == 1:
            return parts[0][1]
        return self._within([*self.value(question), *self._chained(parts, adds=adds)])

    def _chained(self, parts: list[tuple[str, list[str]]], *, adds: bool) -> list[str]:
        """`if` statements of any number of conditions; each but the last statement ends in a return."""
        lines: list[str] = []
        ended = self._within([f"return{self.end}"]) if adds else []
        while len(parts) > MOST_CASES:
            lines += self._branched([(condition, [*below, *ended]) for condition, below in parts[: MOST_CASES - 1]])
            parts = parts[MOST_CASES - 1 :]
        return [*lines, *self._branched(parts)]

    def _branched(self, parts: list[tuple[str, list[str]]]) -> list[str]:
        """One `if` statement of conditions and statements."""
        lines: list[str] = []
        for index, (condition, below) in enumerate(parts):
            lines += [self.head(condition, first=index == 0), *below]
        return [*lines, *self.closing]

    def _within(self, lines: list[str]) -> list[str]:
        return [self.indent + line for line in lines]
