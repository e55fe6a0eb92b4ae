"""Rashomon sets of binary attributes against arborenum: CPU time, in turn, on one core.

The objective is errors + `--leaf` x rows for each leaf, rounded to whole errors. The set holds the trees that are at
most `--near` x rows, rounded, above the least. Both sides get the same arrays and count the trees; the numbers are
compared. arborenum runs with `majority_leaf_only`, as a leaf of ours has the most common class, and its other
parameters at their defaults; of its trees, those are counted that belong to the set. The time is CPU time of this
process, the least of several, after compilation.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from algorithms.data.data_set import Attribute, AttributeKind, DataSet
from algorithms.optimal.instance import Instance
from algorithms.optimal.rashomon.rashomon_set import RashomonSet
from algorithms.optimal.solution import Effort, EffortSpentError
from pipeline.grids.solvers.peers import silent

MEMORY = 8 << 30


class Question(NamedTuple):
    """A data set as given to both sides, and which of its trees are counted; costs are in errors."""

    attributes: np.ndarray
    classes: np.ndarray
    depth: int
    leaf: int
    near: int


class Count(NamedTuple):
    """CPU seconds, the least objective in errors, and the number of trees; None: the limit was reached."""

    seconds: float
    least: int | None
    number: int | None


def main() -> None:
    """Print both sides' times and their ratio for each data set and depth."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="a file per data set: 0 and 1 separated by blanks, class first")
    parser.add_argument("--depths", type=int, nargs="+", default=[3, 4], help="depths of the trees (default: 3 4)")
    parser.add_argument("--sets", nargs="+", help="data sets (default: all of the folder)")
    parser.add_argument("--leaf", type=float, default=0.01, help="cost of a leaf, as a share of the rows")
    parser.add_argument("--near", type=float, default=0.01, help="greatest excess of a tree, as a share of the rows")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each side, of which the fastest counts")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for one of our Rashomon sets")
    given = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):  # on Linux
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    files = sorted(given.folder.glob("[!A-Z]*.txt"))
    files = [file for file in files if not given.sets or file.stem in given.sets]
    ours(Question(np.eye(4, dtype=np.int32), np.array([0, 1, 1, 0]), 3, 1, 1), given.limit)  # compiles
    print(f"{'data set':22}{'depth':>6}{'rows':>7}{'columns':>9}{'ours s':>10}{'peer s':>10}{'ratio':>8}  trees")
    for depth in given.depths:
        ratios = []
        for file in files:
            table = np.loadtxt(file, dtype=np.int32)
            rows = len(table)
            question = Question(
                np.ascontiguousarray(table[:, 1:]),
                table[:, 0],
                depth,
                max(1, round(given.leaf * rows)),
                max(1, round(given.near * rows)),
            )
            us, them = in_turn(question, given.rounds, given.limit)
            line = f"{file.stem:22}{depth:6}{rows:7}{table.shape[1] - 1:9}{us.seconds:10.4f}{them.seconds:10.4f}"
            ratio = them.seconds / us.seconds
            ratios += [ratio] if us.number is not None else []
            same = us.number is None or us[1:] == them[1:]
            print(f"{line}{ratio:8.2f}  {us.number}{'' if same else f', arborenum {them.number}'}", flush=True)
        mean = np.exp(np.mean(np.log(ratios)))
        print(
            f"depth {depth}: geometric mean {mean:.2f}, ours faster on {sum(r > 1 for r in ratios)} of {len(files)}\n"
        )


def in_turn(question: Question, rounds: int, limit: float) -> tuple[Count, Count]:
    """The fastest of several counts of each side, in turn."""
    us = ours(question, limit)
    them = arborenum(question, us)
    for _ in range(rounds - 1):
        if us.seconds + them.seconds > limit / 10:
            break
        us, them = min(us, ours(question, limit)), min(them, arborenum(question, us))
    return us, them


def ours(question: Question, limit: float) -> Count:
    """Our set and its number."""
    rows, columns = question.attributes.shape
    data = DataSet(
        tuple(Attribute(f"x{index}", AttributeKind.NOMINAL, ("0", "1")) for index in range(columns)),
        tuple(question.attributes.T.copy()),
        ("0", "1"),
        question.classes.astype(np.int32),
    )
    baseline = int(np.bincount(question.classes, minlength=2).min())
    instance = Instance(data, np.ones(rows), question.depth, alpha=question.leaf / baseline, penalty="leaves")
    began = time.process_time()
    try:
        good = RashomonSet.of(instance, question.near / baseline, Effort(limit, memory=MEMORY))
        number = good.number
    except EffortSpentError as error:
        print(error)
        return Count(time.process_time() - began, None, None)
    return Count(time.process_time() - began, round(good.objective * baseline), number)


def arborenum(question: Question, known: Count) -> Count:
    """The same by arborenum, whose bound is a multiple of the least objective; it reports each step on the output."""
    from arborenum import ArborEnum

    least, rows = known.least or 1, len(question.classes)
    began = time.process_time()
    with silent():
        model = ArborEnum()
        model.fit_binarized(
            question.attributes,
            question.classes,
            lambda_reg=(question.leaf + 0.01) / rows,  # it rounds down
            depth_budget=question.depth,
            rashomon_mult=(question.near - 0.25) / least,  # its bound is rounded up
            majority_leaf_only=True,
        )
        number = sum(trees for objective, trees in model.get_root_histogram() if objective <= least + question.near)
    return Count(time.process_time() - began, model.get_min_objective(), number)


if __name__ == "__main__":
    main()
