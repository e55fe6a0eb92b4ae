"""Unpruned DID: CPU time against scikit-learn's CART on the one-hot matrix; time and peak memory by the rows."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from exact import kilobytes
from peer import spread
from sklearn.tree import DecisionTreeClassifier

from algorithms.data.data_set import Attribute, AttributeKind, DataSet
from algorithms.induction.did import DIDClassifier

ROUNDS = 5
ROWS = (10_000, 100_000, 1_000_000, 10_000_000)
ATTRIBUTES, VALUES, NOISE = 10, 3, 0.1


def nominal(columns: list[np.ndarray], decisions: np.ndarray) -> DataSet:
    """A data set of coded columns."""
    labels = tuple(map(str, range(1 + max(int(column.max()) for column in columns))))
    attributes = tuple(Attribute(f"a{index}", AttributeKind.NOMINAL, labels) for index in range(len(columns)))
    return DataSet(attributes, tuple(columns), tuple(map(str, range(int(decisions.max()) + 1))), decisions)


def connect_4(path: str) -> None:
    """Print the seconds of DID and of CART, measured in turn, and their ratio."""
    codes = np.loadtxt(path, dtype=np.int32, delimiter="\t", skiprows=1)
    data = nominal([np.array(column) for column in codes.T[:-1]], np.array(codes[:, -1]))
    one_hot = np.concatenate([codes[:, :-1] == code for code in range(codes[:, :-1].max() + 1)], axis=1)
    matrix = one_hot.astype(np.float32)  # CART's own type: nothing to convert
    DIDClassifier().fit(data.take(np.arange(100)))  # loads the kernels
    ours, peers = [], []
    for _ in range(ROUNDS):
        began = time.process_time()
        tree = DIDClassifier().fit(data).tree_
        middle = time.process_time()
        peer = DecisionTreeClassifier(criterion="entropy", random_state=0).fit(matrix, data.decisions)
        ended = time.process_time()
        ours.append(middle - began)
        peers.append(ended - middle)
    print(f"{data.rows:,} rows, {len(data.columns)} attributes, one-hot {matrix.shape[1]}")
    print(f"DID     {spread(ours)} s, {tree.nodes:,} nodes")
    print(f"CART    {spread(peers)} s, {peer.tree_.node_count:,} nodes")
    print(f"ratio   {spread([our / their for our, their in zip(ours, peers, strict=True)])}")


def scale(rows: int) -> None:
    """Print seconds and peak memory for a random table whose class is a rule with noise; run in its own process."""
    generator = np.random.default_rng(0)
    columns = [generator.integers(0, VALUES, rows, np.int32) for _ in range(ATTRIBUTES)]
    decisions = np.where(columns[0] > columns[1], columns[2] % 2, columns[3] % 2)
    decisions ^= generator.random(rows) < NOISE
    data = nominal(columns, decisions.astype(np.int32))
    DIDClassifier().fit(data.take(np.arange(100)))
    began = time.process_time()
    tree = DIDClassifier().fit(data).tree_
    seconds = time.process_time() - began
    print(f"{rows:12,} {tree.nodes:10,} {seconds:9.3f} {seconds / rows * 1e9:7.0f} {kilobytes('VmHWM') / 2**20:9.2f}")


def main() -> None:
    """Print the comparison with CART and the growth with rows."""
    connect_4(sys.argv[1])
    print(
        f"\n{ATTRIBUTES} attributes of {VALUES} values\n        rows      nodes     CPU s  ns/row  peak GiB", flush=True
    )
    for rows in ROWS:
        subprocess.run([sys.executable, __file__, "--rows", str(rows)], check=True)


if __name__ == "__main__":
    if sys.argv[1] == "--rows":
        scale(int(sys.argv[2]))
    else:
        assert Path(sys.argv[1]).is_file(), "the path of connect-4's table, coded, a header and the class last"
        main()
