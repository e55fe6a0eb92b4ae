"""T3C step by step of its options, and the algorithms as printed beside the best trees of their form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.grammar.comparison.accuracies import Row, Score
from pipeline.grammar.standings import difference
from pipeline.summary.statistics import Estimate

__all__ = ["MORE", "OPTIMA", "SWEEPS", "SWEPT", "Optimum", "Step", "better", "optima", "steps"]

SWEPT = "t3c_printed"
"""What the sweeps vary, three levels deep."""

SWEEPS = {
    "levels": {"2": "t3c_depth_2", "3": SWEPT, "4": "t3c_depth_4", "5": "t3c_depth_5"},
    "branches at most": {"2": "t3c_branches_2", "3": "t3c_branches_3", "4": "t3c_branches_4", "any": SWEPT},
    "acceptable error": {"0": SWEPT, "0.1": "t3c_mae_10", "0.2": "t3c_mae_20", "0.3": "t3c_mae_30"},
}
"""The builder at each step of a sweep."""

OPTIMA = {"t3_printed": "t3_exhaustive", "t3c_printed": "t3c_exhaustive"}
"""The search among all trees of the form of a printed algorithm."""

MORE = 1e-9
"""By which objectives differ that are not the same."""


@dataclass(frozen=True)
class Step:
    """A step of a sweep held against the builder that is swept, paired by data set: accuracies in points."""

    sweep: str
    step: str
    builder: str
    train: Estimate
    test: Estimate
    nodes: Estimate


@dataclass(frozen=True)
class Optimum:
    """A printed algorithm held against the search among all trees of its form, on one data set.

    splits : on which neither failed; proven : of these, where the search ended
    worse  : of these, where the printed tree has more training errors
    """

    printed: Score
    exhaustive: Score
    splits: int
    proven: int
    worse: int


def steps(scores: Sequence[Score]) -> tuple[Step, ...]:
    """The steps of all sweeps whose builder was tested on a data set together with the one that is swept."""
    found = []
    for sweep, builders in SWEEPS.items():
        for step, builder in builders.items():
            train = difference(scores, builder, SWEPT, "train_accuracy")
            test = difference(scores, builder, SWEPT, "accuracy")
            nodes = difference(scores, builder, SWEPT, "nodes")
            if train and test and nodes:
                found.append(Step(sweep, step, builder, train, test, nodes))
    return tuple(found)


def optima(scores: Sequence[Score]) -> tuple[Optimum, ...]:
    """Each printed algorithm beside its optimum, by data set."""
    by_name = {(one.source, one.part, one.builder): one for one in scores}
    found = []
    for one in scores:
        other = by_name.get((one.source, one.part, OPTIMA.get(one.builder, "")))
        if other is None:
            continue
        printed = {(row["repeat"], row["fold"]): row for row in one.rows if row["status"] == "ok"}
        both = [
            (printed[split], row)
            for row in other.rows
            if row["status"] == "ok" and (split := (row["repeat"], row["fold"])) in printed
        ]
        proven = sum(bool(row["optimal"]) for _, row in both)
        found.append(Optimum(one, other, len(both), proven, sum(better(*pair) for pair in both)))
    return tuple(found)


def better(printed: Row, exhaustive: Row) -> bool:
    """Whether the search proved that a tree of the form has fewer training errors."""
    return bool(exhaustive["optimal"]) and printed["objective"] > exhaustive["objective"] + MORE
