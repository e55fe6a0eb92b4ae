"""What working an example gives: steps, each a quantity with its name, and trees."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from algorithms.costs import Costs
from algorithms.data_set import DataSet
from algorithms.tree import DecisionTree

__all__ = ["BuiltTree", "Step", "Working", "tree_steps", "yes_or_no"]


@dataclass(frozen=True)
class Step:
    """A quantity that working an example gives.

    subject  : what it belongs to: the partitions, a builder, a step of pruning
    quantity : its name, different from all others of the subject
    found    : exactly, or to four digits after the point
    number   : in full, where it is one
    """

    subject: str
    quantity: str
    found: str
    number: float | None = None

    @staticmethod
    def of_number(subject: str, quantity: str, number: float) -> Step:
        """A number that is irrational in general, to four digits."""
        return Step(subject, quantity, f"{number:.4f}", number)

    @staticmethod
    def of_fraction(subject: str, quantity: str, number: Fraction) -> Step:
        """A number that is known exactly."""
        return Step(subject, quantity, str(number), float(number))


@dataclass(frozen=True)
class BuiltTree:
    """A tree of an example, and what it costs and gets right over the rows of the example.

    builder    : what it was built or pruned by
    parameters : those of its function, as JSON
    """

    builder: str
    parameters: str
    tree: DecisionTree
    costs: Costs
    accuracy: float

    @staticmethod
    def of(builder: str, parameters: str, tree: DecisionTree, data: DataSet) -> BuiltTree:
        """A tree with its costs over the rows of the example, equal ones counted each."""
        values = data.values()
        accuracy = float(np.mean(tree.predict(values) == data.decisions))
        return BuiltTree(builder, parameters, tree, tree.costs_of_rows(values), accuracy)


@dataclass(frozen=True)
class Working:
    """An example, worked: its rows, its steps in order, and the trees."""

    data: DataSet
    steps: tuple[Step, ...]
    trees: tuple[BuiltTree, ...]


def tree_steps(built: BuiltTree, data: DataSet) -> Iterable[Step]:
    """The root, the leaves, the average depth over the rows and the rows it gets wrong."""
    subject, costs = built.builder, built.costs
    root = int(built.tree.attribute[0])
    yield Step(subject, "root", "a leaf" if root < 0 else data.attributes[root].name)
    yield Step(subject, "leaves", str(costs.terminal_nodes), costs.terminal_nodes)
    length = round(costs.total_path_length)
    yield Step(subject, "average depth", f"{length}/{data.rows}", length / data.rows)
    wrong = round((1 - built.accuracy) * data.rows)
    yield Step(subject, "training errors", str(wrong), wrong)


def yes_or_no(answer: object) -> str:
    """A claim's outcome in words."""
    return "yes" if answer else "no"
