"""What a worker makes of a worked example: its steps and its trees as rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import pyarrow as pa

from algorithms.costs import Costs
from algorithms.tree_json import to_json
from algorithms.tree_text import text
from pipeline.grammar.choices import place_of
from pipeline.grammar.measures import labels_of
from pipeline.grid import RESULTS_TABLE, RebuiltTree
from pipeline.grids.worked_examples.columns import STEPS, TREES
from pipeline.grids.worked_examples.examples import EXAMPLES
from pipeline.grids.worked_examples.working import BuiltTree
from pipeline.schema import HELD_RESULTS

__all__ = ["failure_rows", "rebuilt_tree", "rows_of_example"]

Rows = list[dict[str, Any]]


def rows_of_example(name: str) -> dict[str, pa.Table]:
    """A row in the results, one for each step and one for each tree; of an example that fails, a row that says so."""
    try:
        working = EXAMPLES[name].worked()
    except Exception as error:
        return failure_rows(name, "failed", f"{type(error).__name__}: {error}")
    labels = labels_of(working.data)
    steps = [
        {
            "source": name,
            "step": place,
            "subject": step.subject,
            "quantity": step.quantity,
            "found": step.found,
            "number": step.number,
        }
        for place, step in enumerate(working.steps, start=1)
    ]
    trees = [
        {"source": name, **_measures(built), "text": text(built.tree, labels), "tree": to_json(built.tree)}
        for built in working.trees
    ]
    return _tables([{"source": name, "part": "all", "rows": working.data.rows, "status": "ok"}], steps, trees)


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


def failure_rows(name: str, status: str, error: str) -> dict[str, pa.Table]:
    """The row of an example that could not be worked: it says so."""
    return _tables([{"source": name, "part": "all", "status": status, "error": error}], [], [])


def _measures(built: BuiltTree) -> dict[str, Any]:
    costs = {field.name: getattr(built.costs, field.name) for field in fields(Costs)}
    costs["total_path_length"] = round(built.costs.total_path_length)
    return {"builder": built.builder, "parameters": built.parameters, "train_accuracy": built.accuracy, **costs}


def _tables(results: Rows, steps: Rows, trees: Rows) -> dict[str, pa.Table]:
    return {
        RESULTS_TABLE: pa.Table.from_pylist(results, schema=HELD_RESULTS),
        "steps": pa.Table.from_pylist(steps, schema=STEPS),
        "trees": pa.Table.from_pylist(trees, schema=TREES),
    }
