"""Orders in which a data set loses its attributes."""

from __future__ import annotations

import numpy as np

from algorithms.attributes.discretisation import fitted_thresholds, with_thresholds
from algorithms.data_set import DataSet
from algorithms.partitions import mutual_information
from pipeline.data.protocols import drawn_seed

__all__ = ["by_gain", "by_lot"]

SAME = 1e-9
"""Bits by which gains may differ and yet tie."""


def by_gain(train: DataSet) -> list[int]:
    """The attributes by decreasing information gain on these rows, the first of several that tie first.

    Numeric ones are cut by Fayyad and Irani's method on the same rows; a missing value is one more value.
    """
    nominal = with_thresholds(train, fitted_thresholds(train, "fayyad_irani"))
    gains = [mutual_information(train.decisions, column) for column in nominal.columns]  # type: ignore[arg-type]
    return sorted(range(len(gains)), key=lambda place: (-round(gains[place] / SAME), place))


def by_lot(attributes: int, seed: int, source: str, order: str) -> list[int]:
    """The attributes of a source in a random order, which is drawn by its name."""
    generator = np.random.default_rng(drawn_seed(seed, source, order))
    return generator.permutation(attributes).tolist()  # type: ignore[no-any-return]
