"""Optimal trees of rows with missing values, by each rule: CPU time of `fit`, in turn with that of the filled rows."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import get_args

import numpy as np
from optimal import Rows, text_files
from peer import spread

from algorithms.data.attributes.one_hot import filled, usual_values
from algorithms.data.data_set import MISSING, Attribute, AttributeKind, DataSet
from algorithms.optimal.instance import MissingRule
from orchard import OCTClassifier
from pipeline.data.catalogue.catalogue import catalogue

SETS = (
    *("breast-cancer-wisconsin", "credit-approval", "dermatology", "echocardiogram", "heart-cleveland", "hepatitis"),
    "mammographic-mass",
)
TWO_LABELS = ("hepatitis", "tic-tac-toe", "heart-cleveland")
REMOVED = 0.05
"""The share of the labels that is removed from data sets of two labels."""
ROUNDS, SECONDS = 5, 60.0


def main() -> None:
    """Print the ratios for each data set, and which searches the time limit ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder of UCI data sets, with a subfolder for each")
    parser.add_argument(
        "--binary", type=Path, help="measure house-votes-84 and the two-label data sets of this folder instead"
    )
    parser.add_argument("--depth", type=int, default=3, help="depth of the trees (default: 3)")
    options = parser.parse_args()
    known = catalogue(options.data, offline=True)
    if options.binary is None:
        for name in SETS:
            compare(name, known.load(f"uci/{name}").part("all"), options.depth, get_args(MissingRule))
        return
    rules: tuple[MissingRule, ...] = ("best_side", "own_branch")  # the other takes minutes
    compare("house-votes-84", known.load("uci/house-votes-84").part("all"), options.depth, rules)
    for rows in text_files(options.binary, [*TWO_LABELS]):
        compare(rows.name, lacking(rows), options.depth, rules)


def lacking(rows: Rows) -> DataSet:
    """Rows of zeros and ones as labels, some of which are removed."""
    codes = np.where(np.random.default_rng(0).random(rows.attributes.shape) < REMOVED, MISSING, rows.attributes)
    attributes = tuple(Attribute(f"f{i + 1}", AttributeKind.NOMINAL, ("0", "1")) for i in range(codes.shape[1]))
    columns = tuple(np.ascontiguousarray(codes.T, np.int32))
    classes = tuple(map(str, range(int(rows.classes.max()) + 1)))
    return DataSet(attributes, columns, classes, rows.classes.astype(np.int32))


def compare(name: str, data: DataSet, depth: int, rules: tuple[MissingRule, ...]) -> None:
    """Fit the filled rows and the rows themselves by each rule, in turn."""
    complete = filled(data, usual_values(data, np.ones(data.rows)))
    cases = {"filled": (OCTClassifier(max_depth=depth, time_limit=SECONDS), complete)}
    cases |= {rule: (OCTClassifier(max_depth=depth, time_limit=SECONDS, missing=rule), data) for rule in rules}
    for model, rows in cases.values():  # compiles and loads kernels
        model.fit(rows)
    seconds: dict[str, list[float]] = {case: [] for case in cases}
    for _ in range(ROUNDS):
        for case, (model, rows) in cases.items():
            began = time.process_time()
            model.fit(rows)
            seconds[case].append(time.process_time() - began)
    print(f"{name}: {data.rows} rows, {len(data.incomplete)} of {len(data.attributes)} attributes have missing values")
    for rule in rules:
        ratios = [mine / other for mine, other in zip(seconds[rule], seconds["filled"], strict=True)]
        solution = cases[rule][0].solution_
        print(f"  {rule} / filled  {spread(ratios)}  {solution.status}, {solution.errors:g} errors")


if __name__ == "__main__":
    main()
