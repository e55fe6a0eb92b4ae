"""The 23 data sets of binary attributes that solvers of optimal trees are compared on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tests.oracles.beside import SHARED, absent

__all__ = ["NAMES", "benchmark_rows"]

NAMES = (
    *("anneal", "audiology", "australian-credit", "breast-wisconsin", "diabetes", "german-credit", "heart-cleveland"),
    *("hepatitis", "hypothyroid", "ionosphere", "kr-vs-kp", "lymph", "mushroom", "pendigits", "primary-tumor"),
    *("segment", "soybean", "splice-1", "tic-tac-toe", "vehicle", "vote", "yeast", "zoo-1"),
)


def benchmark_rows(name: str) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The class of each row, and the rows (rows, attributes)."""
    path = SHARED / "data" / "binary_benchmarks" / f"{name}.txt"
    if not path.exists():
        absent(f"{path} is not there")
    table = np.loadtxt(path, np.int32)
    return table[:, 0], table[:, 1:]
