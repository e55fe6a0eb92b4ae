"""A worked example: its rows, its steps, each a named quantity, and its trees."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib import resources
from typing import Any

import pyarrow as pa

from algorithms.data.data_set import DataSet
from algorithms.data.data_set_of import data_set_of
from algorithms.trees.decision_tree import DecisionTree
from algorithms.trees.json_text import to_json
from algorithms.trees.text import export_text
from pipeline.grammar.axes import index_of
from pipeline.grammar.cells import Made
from pipeline.grammar.whole_sources import labels_of, measured
from pipeline.grid import RebuiltTree


@dataclass(frozen=True)
class Step:
    """A quantity that an example computes.

    subject  : what it belongs to: the partitions, a builder, a step of pruning
    quantity : its name, unique within the subject
    found    : its value, exact or with four digits after the point
    number   : its full value, if it is a number
    """

    subject: str
    quantity: str
    found: str
    number: float | None = None

    @staticmethod
    def of(subject: str, quantity: str, number: float | Fraction) -> Step:
        """A number: a float with four digits, because it is generally irrational, any other exactly."""
        return Step(subject, quantity, f"{number:.4f}" if isinstance(number, float) else str(number), float(number))


@dataclass(frozen=True)
class BuiltTree:
    """A tree of an example.

    row : its row: how it was built or pruned, the parameters, its costs over the rows of the example, and the share of
          rows that it classifies correctly
    """

    tree: DecisionTree
    row: dict[str, Any]

    @staticmethod
    def of(builder: str, parameters: dict[str, Any], tree: DecisionTree, data: DataSet) -> BuiltTree:
        """A tree with its costs over the rows of the example; equal rows are counted separately."""
        named = {"builder": builder, "parameters": json.dumps(parameters)}
        return BuiltTree(tree, named | measured(tree, data, 0.0))


@dataclass(frozen=True)
class WorkedExample:
    """A worked example: its rows, its steps in order, and the trees."""

    data: DataSet
    steps: tuple[Step, ...]
    trees: tuple[BuiltTree, ...]


def printed_table(name: str) -> DataSet:
    """The table of an example: attributes, the class Y, labels in sorted order."""
    file = resources.files(__package__).joinpath("tables", f"{name}.csv")
    rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    columns = {column: [row[column] for row in rows] for column in rows[0] if column != "row"}
    classes = columns.pop("Y")
    return data_set_of(pa.table(columns), classes)


def tree_steps(built: BuiltTree, data: DataSet) -> Iterable[Step]:
    """The root, the leaves, the average depth over the rows, and the number of misclassified rows."""
    subject, leaves, length = (built.row[name] for name in ("builder", "terminal_nodes", "total_path_length"))
    root = int(built.tree.attribute[0])
    yield Step(subject, "root", "a leaf" if root < 0 else data.attributes[root].name)
    yield Step.of(subject, "leaves", leaves)
    yield Step(subject, "average depth", f"{length}/{data.rows}", length / data.rows)
    yield Step.of(subject, "training errors", round((1 - built.row["train_accuracy"]) * data.rows))


def yes_or_no(answer: object) -> str:
    """The outcome of a claim, as text."""
    return "yes" if answer else "no"


def made(example: WorkedExample) -> Made:
    """The rows of an example, one for each step and one for each tree."""
    labels = labels_of(example.data)
    steps = [{"step": number, **vars(step)} for number, step in enumerate(example.steps, start=1)]
    trees = [
        built.row | {"text": export_text(built.tree, labels), "tree": to_json(built.tree)} for built in example.trees
    ]
    return Made({"rows": example.data.rows, "status": "ok"}, more={"steps": steps, "trees": trees})


def rebuilt_tree(example: WorkedExample, row: Mapping[str, Any]) -> RebuiltTree:
    """A tree of an example by its builder and parameters, with the measures of its row.

    Raises ConfigError if no example has that name.
    """
    builders = list(dict.fromkeys(built.row["builder"] for built in example.trees))
    builder = builders[index_of("builder", row.get("builder"), builders)]
    trees = {built.row["parameters"]: built for built in example.trees if built.row["builder"] == builder}
    if row.get("cost"):  # the parameter of a row of least cost
        index_of("cost", row["cost"], [json.loads(parameters)["cost"] for parameters in trees])
    built = trees[list(trees)[index_of(f"parameters of {builder}", row.get("parameters"), list(trees))]]
    return RebuiltTree(built.tree, labels_of(example.data), built.row)
