"""What the tables of trees beside the fewest errors must hold, by plain loops over made-up rows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import accumulate
from statistics import fmean
from typing import Any

Row = Mapping[str, Any]
Cell = tuple[str, int]


def held(results: Sequence[Row], points: Sequence[Row]) -> dict[tuple[str, int, str], dict[str, Any]]:
    """Each builder on each data set and depth, in the order in which data sets with depths, then builders, come."""
    trees: dict[Cell, dict[str, list[tuple[int, int]]]] = {}
    for row in results:
        if row["status"] == "ok":
            cell = trees.setdefault((row["source"], json.loads(row["parameters"])["max_depth"]), {})
            wrong = round((1 - row["train_accuracy"]) * row["rows"])
            cell.setdefault(row["builder"], []).append((wrong, row["nonterminal_nodes"]))
    known = _known(points, trees)
    return {
        (*cell, builder): _row(own, *known[cell])
        for cell, by_builder in trees.items()
        if cell in known
        for builder, own in by_builder.items()
    }


def _row(own: Sequence[tuple[int, int]], errors: Sequence[int], bounds: Sequence[int]) -> dict[str, Any]:
    """What a row says of the trees of a builder, of 50 rows."""
    return {
        "n": len(own),
        "best_errors": min(wrong for wrong, _ in own),
        "fewest_errors": errors[-1],
        "bound": bounds[-1],
        "proven": str(errors[-1] == bounds[-1]).lower(),
        "reached": sum(wrong == bounds[-1] for wrong, _ in own),
        "excess": fmean(2 * (wrong - bounds[-1]) for wrong, _ in own),
        "splits": fmean(splits for _, splits in own),
        "fewest_splits": fmean(next(k for k, least in enumerate(errors) if least <= wrong) for wrong, _ in own),
        "fewest_splits_proven": str(errors == bounds).lower(),
        "excess_for_splits": fmean(2 * (wrong - bounds[splits]) for wrong, splits in own),
    }


def _known(
    points: Sequence[Row], trees: Mapping[Cell, Mapping[str, Sequence[tuple[int, int]]]]
) -> dict[Cell, tuple[list[int], list[int]]]:
    """The fewest errors found by splits, and their bounds, by all that is known of the depths of a data set."""
    known: dict[Cell, tuple[list[int], list[int]]] = {}
    for point in points:
        errors, bounds = known.setdefault((point["source"], point["max_depth"]), ([], []))
        errors.append(point["errors"])
        bounds.append(point["bound"])
    for cell in sorted(known, key=lambda cell: cell[1]):
        errors, bounds = known[cell]
        for wrong, splits in (tree for own in trees.get(cell, {}).values() for tree in own):
            errors[splits] = min(errors[splits], wrong)
        for other in (each for each in known if each[0] == cell[0] and each[1] < cell[1]):
            theirs, proven = known[other]
            errors[: len(theirs)] = map(min, errors, theirs)
            bounds[: other[1] + 1] = map(max, bounds, proven[: other[1] + 1])
        errors[:] = accumulate(errors, min)
    return known
