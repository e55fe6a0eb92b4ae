"""Rows per second of prediction on one core: our trees of about 1,000 nodes against scikit-learn's equal trees."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray
from peer import spread
from sklearn.tree import DecisionTreeClassifier

from algorithms.data.attributes.one_hot import OneHot
from algorithms.data.data_set import Attribute, AttributeKind, DataSet
from algorithms.induction.cart import grown_tree

ROWS, TRAIN, ATTRIBUTES, LEAVES, ROUNDS = 1_000_000, 50_000, 20, 501, 7


def main() -> None:
    """Print rows per second and ratios for numeric and for nominal attributes."""
    generator = np.random.default_rng(0)
    numbers = generator.normal(size=(ROWS, ATTRIBUTES))
    codes = generator.integers(0, 5, (ROWS, ATTRIBUTES)).astype(np.int32)
    compare("numeric", data_set(numbers))
    compare("nominal", data_set(codes))


def data_set(columns: NDArray[np.float64] | NDArray[np.int32]) -> DataSet:
    """Attributes of one kind; sums of three of them decide the class, with a tenth of noise."""
    nominal = columns.dtype == np.int32
    kind, labels = (AttributeKind.NOMINAL, tuple("abcde")) if nominal else (AttributeKind.NUMERIC, ())
    total = columns[:, :3].sum(axis=1) + columns[:, 3] * columns[:, 4]
    decisions = (total > np.median(total)) ^ (np.random.default_rng(1).random(ROWS) < 0.1)
    attributes = tuple(Attribute(f"f{index}", kind, labels) for index in range(ATTRIBUTES))
    return DataSet(attributes, tuple(columns.T.copy()), ("no", "yes"), decisions.astype(np.int32))


def compare(name: str, data: DataSet) -> None:
    """Predict all rows in turn; ours reads float64 values, scikit-learn float32 one-hot columns."""
    train = data.take(np.arange(TRAIN))
    peer = DecisionTreeClassifier(max_leaf_nodes=LEAVES, random_state=0)
    tree = grown_tree(peer, train, np.ones(TRAIN))
    values, columns = data.values(), OneHot.of(data.attributes).matrix(data, np.float32)
    assert (tree.predict(values) == peer.predict(columns)).all()
    tree.distribution(values[:1])
    ours, shares, theirs = [], [], []
    for _ in range(ROUNDS):
        for times, predict, rows in (
            (ours, tree.predict, values),
            (shares, tree.distribution, values),
            (theirs, peer.predict, columns),
        ):
            began = time.process_time()
            predict(rows)
            times.append(ROWS / (time.process_time() - began) / 1e6)
    print(
        f"{name}: a tree of {tree.nodes} nodes, depth {tree.depths().max()}, {ROWS:,} rows of {ATTRIBUTES} attributes"
    )
    print(f"  ours, predict        {spread(ours)} million rows a second")
    print(f"  ours, distribution   {spread(shares)}")
    print(f"  scikit-learn         {spread(theirs)}")
    print(f"  ours / scikit-learn  {spread([a / b for a, b in zip(ours, theirs, strict=True)])}")


if __name__ == "__main__":
    main()
