"""Our CART, with nominal attributes and missing values, against the scikit-learn CART that it calls.

CPU time of `fit` on one core, in turn. scikit-learn is given the one-hot matrix in float32, so it converts nothing. Our
`CARTClassifier` is given the data set. It also builds the matrix, and the tree over the attributes with its counts.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from peer import spread
from sklearn.tree import DecisionTreeClassifier

from algorithms.data.attributes.one_hot import OneHot
from algorithms.data.data_set import DataSet
from algorithms.induction.cart import CARTClassifier
from pipeline.data.catalogue.catalogue import catalogue

SETS = ("iris", "wine", "hepatitis", "credit-approval", "pima", "mushroom", "nursery", "letter", "shuttle:train",
        "adult:train", "connect-4")  # fmt: skip
ROUNDS, SECONDS = 7, 0.1


def main() -> None:
    """Print the times of each data set, ours and scikit-learn's, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of UCI data sets, with a subfolder for each")
    parser.add_argument("sets", nargs="*", default=SETS, help="NAME or NAME:PART (default: eleven data sets)")
    given = parser.parse_args()
    known = catalogue(given.data, offline=True)
    print(f"{'data set':18}{'rows':>8}{'columns':>9}{'nodes':>7}{'ours ms':>10}{'peer ms':>10}  ours / scikit-learn")
    medians = []
    for name in given.sets:
        base, _, part = name.partition(":")
        medians.append(compare(name, known.load(f"uci/{base}").part(part or "all")))
    print(f"geometric mean of the ratios: {np.exp(np.mean(np.log(medians))):.2f}; greatest: {max(medians):.2f}")


def compare(name: str, data: DataSet) -> float:
    """Print a line for a data set, and return the median of the ratios."""
    matrix = OneHot.of(data.attributes).matrix(data, np.float32)
    peer = DecisionTreeClassifier(random_state=0).fit(matrix, data.decisions)
    tree = CARTClassifier().fit(data).tree_
    assert tree.nodes == peer.tree_.node_count
    ours, theirs = [], []
    for _ in range(ROUNDS):
        turns, began = 0, time.process_time()
        while time.process_time() - began < SECONDS:
            peer.fit(matrix, data.decisions)
            turns += 1
        middle = time.process_time()
        for _ in range(turns):
            CARTClassifier().fit(data)
        theirs.append((middle - began) / turns * 1e3)
        ours.append((time.process_time() - middle) / turns * 1e3)
    ratios = [our / their for our, their in zip(ours, theirs, strict=True)]
    print(
        f"{name:18}{data.rows:8}{matrix.shape[1]:9}{tree.nodes:7}{np.median(ours):10.2f}{np.median(theirs):10.2f}"
        f"  {spread(ratios)}",
        flush=True,
    )
    return float(np.median(ratios))


if __name__ == "__main__":
    main()
