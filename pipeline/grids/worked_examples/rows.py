"""What a worker makes of a worked example: its steps and its trees as rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from algorithms.costs import Costs
from algorithms.tree_json import to_json
from algorithms.tree_text import text
from pipeline.grammar.cells import Made
from pipeline.grammar.choices import place_of
from pipeline.grammar.measures import labels_of
from pipeline.grid import RebuiltTree
from pipeline.grids.worked_examples.examples import EXAMPLES
from pipeline.grids.worked_examples.working import BuiltTree

__all__ = ["rebuilt_tree", "worked"]


def worked(name: str) -> Made:
    """The rows of an example, one row for each step and one for each tree."""
    working = EXAMPLES[name].worked()
    labels = labels_of(working.data)
    steps = [
        {
            "step": place,
            "subject": step.subject,
            "quantity": step.quantity,
            "found": step.found,
            "number": step.number,
        }
        for place, step in enumerate(working.steps, start=1)
    ]
    trees = [
        _measures(built) | {"text": text(built.tree, labels), "tree": to_json(built.tree)} for built in working.trees
    ]
    return Made({"rows": working.data.rows, "status": "ok"}, more={"steps": steps, "trees": trees})


def rebuilt_tree(name: str, row: Mapping[str, Any]) -> RebuiltTree:
    """A tree of an example by its builder and parameters, with the measures of its row.

    Raises ConfigError where there is none such.
    """
    working = EXAMPLES[name].worked()
    builders = list(dict.fromkeys(built.builder for built in working.trees))
    builder = builders[place_of("builder", row.get("builder"), builders)]
    if row.get("cost"):  # which a row of least cost has as its parameter
        costs = [json.loads(built.parameters)["cost"] for built in working.trees if built.builder == builder]
        place_of("cost", row["cost"], costs)
    trees = {built.parameters: built for built in working.trees if built.builder == builder}
    built = trees[list(trees)[place_of(f"parameters of {builder}", row.get("parameters"), list(trees))]]
    return RebuiltTree(built.tree, labels_of(working.data), _measures(built))


def _measures(built: BuiltTree) -> dict[str, Any]:
    costs = {field.name: getattr(built.costs, field.name) for field in fields(Costs)}
    costs["total_path_length"] = round(built.costs.total_path_length)
    return {"builder": built.builder, "parameters": built.parameters, "train_accuracy": built.accuracy, **costs}
