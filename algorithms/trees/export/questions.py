"""A decision tree as the exporters read it: for each node, the cases of its test and their targets."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from inspect import cleandoc
from typing import Any, TypeVar
from unicodedata import category

from algorithms.data.recoding import Values, as_number
from algorithms.data.table import Labels
from algorithms.trees.arrays import ALL_BRANCHES, NO_NODE, NodeKind
from algorithms.trees.decision_tree import DecisionTree
from algorithms.trees.given import tree_and_labels
from algorithms.trees.text import attribute_name
from algorithms.trees.walk import answers_of, walk_of

INFINITY = float("inf")

Exporter = TypeVar("Exporter", bound=Callable[..., Any])

PARAMETERS = """\
tree : DecisionTree or fitted estimator
    The tree, or an estimator that has one as `tree_`.
labels : Labels or sequence of str, optional
    The names of attributes, values and decisions; by default the names of the estimator. A sequence gives only the
    names of the attributes. Without labels the attributes are f1, f2, …, and nominal values and decisions are codes.
complete : bool, default=False
    Whether to leave out the branches for missing values. The result is then only for rows without missing values.
    These branches are always left out if the estimator refuses missing values. If it fills missing values, `complete`
    must be True.
"""
"""What the docstring of each exporter says of the parameters that all have."""


class ExportError(ValueError):
    """The format cannot express the tree; the message gives the reason and, if possible, the node and a remedy."""


@dataclass(frozen=True)
class Case:
    """One outcome of a question."""

    to: int  # the node it leads to; NO_NODE if the row stays, ALL_BRANCHES if parts of it go down all branches
    missing: bool = False  # whether missing values are of this case
    codes: tuple[int, ...] = ()  # the codes of this case, for CODES
    intervals: tuple[tuple[float, float], ...] = ()
    """(above, up to and including) of this case, for BOUNDS and LINEAR; from -inf if earlier cases have the rest."""
    otherwise: bool = False  # whether this case, the last, has all values that no other case has


@dataclass(frozen=True)
class Question:
    """The test of a nonterminal node."""

    node: int
    kind: NodeKind
    terms: tuple[tuple[float, int], ...]
    """Factors and attributes whose sum it tests; one term for CODES and BOUNDS; without terms there is one case."""
    cases: tuple[Case, ...]  # a case for each child, in the order in which they are tried
    shares: tuple[tuple[int, float], ...] = ()
    """The children, and the share that each gets of rows that go down all branches."""

    @property
    def attribute(self) -> int:
        """The attribute of a node that tests only one."""
        return self.terms[0][1]


class Exported:
    """A tree, its names, the format, and whether rows are `complete`: then branches of missing values are left out."""

    def __init__(self, tree: DecisionTree, labels: Labels | None, form: str, *, complete: bool) -> None:
        self.tree, self.labels, self.form, self.complete = tree, labels, form, complete
        self.answers = answers_of(tree)
        walk = walk_of(tree)
        self._unknown_to, self._share = walk.nodes["unknown_to"].tolist(), walk.nodes["share"].tolist()
        self._questions = {
            node: self._question_of(node) for node in range(tree.nodes) if tree.kind[node] != NodeKind.TERMINAL
        }

    def question(self, node: int) -> Question | None:
        """The question of a node; None if it is terminal."""
        return self._questions.get(node)

    @property
    def questions(self) -> list[Question]:
        """The questions of all nodes, in order."""
        return list(self._questions.values())

    @property
    def shares(self) -> bool:
        """Whether a row with a missing value may go down all branches of a node."""
        return any(question.shares for question in self._questions.values())

    @property
    def tested(self) -> list[tuple[int, int]]:
        """(node, attribute) for each attribute that a node tests, in the order of the nodes."""
        return [(question.node, attribute) for question in self.questions for _, attribute in question.terms]

    @property
    def attributes(self) -> list[int]:
        """The attributes that some node tests, in order."""
        return sorted({attribute for _, attribute in self.tested})

    def attribute_name(self, attribute: int) -> str:
        """The name of an attribute."""
        return attribute_name(attribute, self.labels)

    def free_name(self, name: str) -> str:
        """A name, followed by underscores until no tested attribute has it."""
        taken = {self.attribute_name(attribute) for attribute in self.attributes}
        while name in taken:
            name += "_"
        return name

    def value(self, attribute: int, code: int) -> Hashable:
        """The value that a code of an attribute stands for."""
        return self.labels.values[attribute][code] if self.labels else code

    def values(self, attribute: int) -> list[Hashable] | None:
        """The value of each code of an attribute; None where it is a number or a code."""
        named = self.labels.values[attribute] if self.labels else ()
        return list(named) if len(named) else None

    def decision(self, node: int) -> Hashable:
        """The decision of a node."""
        return self.decisions[int(self.tree.decision[node])]

    @property
    def decisions(self) -> list[Hashable]:
        """The decisions, by code."""
        return list(self.labels.decisions) if self.labels else list(range(self.answers.shape[1]))

    def refuse_shares(self) -> None:
        """Raise ExportError for the first node that sends missing values down all branches."""
        for question in self._questions.values():
            if question.shares:
                raise self.error(question.node, "a missing value goes down all branches by shares", complete=True)

    def refuse_infinite(self) -> None:
        """Raise ExportError for the first node that tests a sum with an infinite coefficient, or NaN."""
        for question in self._questions.values():
            if not all(math.isfinite(factor) for factor, _ in question.terms):
                raise self.error(question.node, "a coefficient is infinite or NaN")

    def refuse_equal_names(self) -> None:
        """Raise ExportError for the first node that tests an attribute of the same name as another that is tested."""
        named: dict[str, int] = {}
        for node, attribute in self.tested:
            name = self.attribute_name(attribute)
            if named.setdefault(name, attribute) != attribute:
                raise self.error(node, f"two attributes are called {name!r}; rename one")

    def refuse_surrogates(self) -> None:
        """Raise ExportError for the first text, of a node's test or of a decision, that has a surrogate character."""
        texts: list[tuple[int | None, Hashable]] = []
        for node, attribute in self.tested:
            texts += [(node, text) for text in (self.attribute_name(attribute), *(self.values(attribute) or ()))]
        for where, text in [*texts, *((None, decision) for decision in self.decisions)]:
            if isinstance(text, str) and any(category(character) == "Cs" for character in text):
                raise self.error(where, f"{text!r} has a surrogate character, which UTF-8 cannot encode; replace it")

    def refuse_equal_numbers(self) -> None:
        """Raise ExportError for the first node that tests numbers of which two are equal in double precision."""
        coded = [question for question in self.questions if question.kind == NodeKind.CODES]
        for question in {question.attribute: question for question in reversed(coded)}.values():
            values = self.values(question.attribute) or ()
            try:
                numbers = [float(value) for value in values if isinstance(value, int | float)]
            except OverflowError as error:
                reason = "the attribute has a number that is too large for double precision; turn its numbers into text"
                raise self.error(question.node, reason) from error
            if len(set(numbers)) < len(numbers):
                reason = "the attribute has two numbers that are equal in double precision; turn its numbers into text"
                raise self.error(question.node, reason)

    def error(self, node: int | None, reason: str, *, complete: bool = False) -> ExportError:
        """The error for a node, or for the decisions if it is None; `complete` says that complete=True avoids it."""
        if node is None:
            return ExportError(f"{self.form} cannot express the decisions: {reason}")
        question = self._questions.get(node)
        names = " and ".join(repr(self.attribute_name(a)) for _, a in question.terms) if question else ""
        tests = f", which tests {names}" if names else ""
        mend = ". complete=True exports the tree for rows without missing values" if complete else ""
        return ExportError(f"{self.form} cannot express node {node}{tests}: {reason}{mend}")

    def _question_of(self, node: int) -> Question:
        tree, kind = self.tree, NodeKind(int(self.tree.kind[node]))
        edges, unknown = tree.edges_of(node), self._unknown_to[node]
        terms = self._terms(node)
        if not terms:  # the sum of nothing is 0, and never missing
            to = int(tree.edge_to[edges][int((tree.edge_bound[edges] < 0).sum())])
            return Question(node, kind, terms, (Case(to, otherwise=True),))
        codes: dict[int, list[int]] = {}
        intervals: dict[int, list[tuple[float, float]]] = {}
        below = -INFINITY
        for to, code, bound in zip(
            tree.edge_to[edges].tolist(), tree.edge_code[edges].tolist(), tree.edge_bound[edges].tolist(), strict=True
        ):
            if kind == NodeKind.CODES:
                codes.setdefault(to, []).append(code)
                continue
            of_child, start = intervals.setdefault(to, []), below
            if of_child and of_child[-1][1] == below:  # the last interval continues
                start = of_child.pop()[0]
            of_child.append((start, bound))
            below = bound
        cases = {to: Case(to, codes=tuple(of_child)) for to, of_child in codes.items()}
        cases |= {to: Case(to, intervals=tuple(of_child)) for to, of_child in intervals.items()}
        if not self.complete:
            cases[unknown] = replace(cases.get(unknown, Case(unknown)), missing=True)
        if kind == NodeKind.CODES:
            stays = NO_NODE if unknown == ALL_BRANCHES else unknown
            cases[stays] = replace(cases.get(stays, Case(stays)), otherwise=True)
        else:
            last = int(tree.edge_to[edges][-1])
            cases[last] = replace(cases[last], otherwise=True)
        # missing values first, the remaining rows last
        order = _without_lower_bounds(sorted(cases.values(), key=lambda case: (case.otherwise, not case.missing)))
        shares = [(child, self._share[child]) for child in tree.children(node) if self._share[child] > 0]
        shared = unknown == ALL_BRANCHES and not self.complete
        return Question(node, kind, terms, tuple(order), tuple(sorted(shares)) if shared else ())

    def _terms(self, node: int) -> tuple[tuple[float, int], ...]:
        tested = int(self.tree.attribute[node])
        if self.tree.kind[node] != NodeKind.LINEAR:
            return ((1.0, tested),)
        factors = self.tree.coefficients[tested].tolist()
        return tuple((factor, attribute) for attribute, factor in enumerate(factors) if factor)


def _without_lower_bounds(cases: list[Case]) -> list[Case]:
    """The cases without the lower bounds that the cases before make unnecessary."""
    covered, shorter = -INFINITY, []
    for case in cases:
        intervals = []
        for above, bound in case.intervals:
            intervals.append((-INFINITY if above == covered else above, bound))
            covered = bound if above == covered else covered
        shorter.append(replace(case, intervals=tuple(intervals)))
    return shorter


def several_types(values: Sequence[Hashable]) -> str:
    """The reason why values cannot be those of one column; empty if they can."""
    kinds = {bool if isinstance(value, bool) else float if isinstance(value, int | float) else str for value in values}
    if len(kinds) < 2:
        return ""
    return f"the values are of several types, such as {', '.join(repr(value) for value in values[:3])}"


def exporter(function: Exporter) -> Exporter:
    """Write out the entry `tree, labels, complete` of an exporter's docstring."""
    function.__doc__ = cleandoc(function.__doc__ or "").replace("tree, labels, complete\n", PARAMETERS)
    return function


def exported(source: Any, labels: Labels | Sequence[str] | None, form: str, *, complete: bool) -> Exported:
    """A tree, or the tree of a fitted estimator with its labels, as the exporter to a format reads it."""
    tree, names = tree_and_labels(source, labels)
    if tree is source:
        return Exported(tree, names, form, complete=complete)
    if names is not None and names is not labels:
        names = _with_types(names, getattr(source, "_fitted", ()))
    if not getattr(source, "handles_missing", True):
        complete = True
    if getattr(source, "fills_missing", False) and not complete:
        raise ExportError(
            f"{form} cannot express that {type(source).__name__} fills missing values before the first test. Give "
            "complete=True to export the tree for rows whose missing values you fill yourself"
        )
    return Exported(tree, names, form, complete=complete)


def _with_types(labels: Labels, fitted: tuple[Values, ...]) -> Labels:
    """The labels of an estimator, which are text, as the values that it was fitted to."""
    if len(fitted) != len(labels.values):
        return labels
    readers: dict[Values, Any] = {Values.BOOLEANS: lambda label: label == "True", Values.NUMBERS: as_number}
    values = tuple(
        tuple(map(readers[kind], texts)) if kind in readers else texts
        for kind, texts in zip(fitted, labels.values, strict=True)
    )
    return replace(labels, values=values)
