"""What rows of several grids have: labels of the rows that a tree was grown from, and what a search proved of it."""

from __future__ import annotations

from typing import Any

from algorithms.data_set import DataSet
from algorithms.optimal.optimal_classifier import ProvenTreeClassifier
from algorithms.optimal.solution import Solution, Status
from algorithms.table import Labels
from pipeline.builders import Builder

__all__ = ["labels_of", "proof", "proof_of"]


def labels_of(data: DataSet) -> Labels:
    """What the codes of the rows, and of a tree built from them, stand for."""
    return Labels(
        attributes=tuple(attribute.name for attribute in data.attributes),
        values=tuple(attribute.labels for attribute in data.attributes),
        decisions=data.classes,
    )


def proof(builder: Builder, classifier: Any) -> dict[str, Any]:
    """What a search proved of the tree of a fitted builder, if it was one."""
    return proof_of(classifier.solution_) if builder.extends(ProvenTreeClassifier) else {}


def proof_of(solution: Solution) -> dict[str, Any]:
    """What a search proved; a status of its own where a limit of time or memory ended it.

    A limit of work gives the same tree wherever it runs, so that such a row is as good as any.
    """
    ended: dict[str, Any] = {}
    if solution.status in {Status.TIME_LIMIT, Status.MEMORY_LIMIT}:
        told = f"its tree may be {solution.gap:.1%} from the best; a limit of work, not of time, ends the same anywhere"
        ended = {"status": str(solution.status), "error": told}
    return ended | {"optimal": solution.optimal, "objective": solution.objective, "bound": solution.bound}
