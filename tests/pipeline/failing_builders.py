"""Builders that fail, in a module of their own: its process has little to import."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["HostileClassifier", "RefusingClassifier"]


class RefusingClassifier:
    """Fits nothing of more than so many rows."""

    def __init__(self, most_rows: int = 0, random_state: int | None = None) -> None:
        self.most_rows, self.random_state = most_rows, random_state

    def fit(self, X: Any, y: Any = None) -> RefusingClassifier:
        if len(X) > self.most_rows:
            raise ValueError(f"{len(X)} rows are too many")
        self.label_ = y[0]
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        return np.full(len(X), self.label_)


class HostileClassifier:
    """Does what no builder should, in one of several ways."""

    def __init__(self, way: str) -> None:
        self.way = way

    def fit(self, X: Any, y: Any = None) -> HostileClassifier:
        if self.way == "exits":
            raise SystemExit(0)
        if self.way == "interrupts":
            raise KeyboardInterrupt
        if self.way == "says what no file can hold":
            raise ValueError("\udcff" + "long" * 1_000)
        if self.way == "writes to what it was given":
            X[:] = 0
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        if self.way == "predicts masked values":
            return np.ma.masked_all(len(X), "U7")
        return np.arange(len(X)) if self.way == "predicts numbers" else np.full(len(X), "no class")
