"""Random decision tables (Alkhalid et al. 2013, section 5); each depends only on its seed, group and index."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from algorithms.data.table import DecisionTable, EqualRows, Labels
from algorithms.options import check_whole
from algorithms.plurals import counted

__all__ = ["RandomTables"]

STREAM = 0x0_0C1A55  # separates these draws from any others with the same seed
MOST_CODES = 256


@dataclass(frozen=True)
class RandomTables:
    """A distribution of decision tables, in which every code and every decision is drawn independently.

    With the same parameters, table i of group g depends only on the seed, g and i. Groups and tables count from 1.

    Parameters
    ----------
    rows : int, default 50
        1 to 1,048,576.
    attributes : int, default 10
        1 to 4,096.
    values : int, default 3
        Number of codes of each attribute, 1 to 256.
    decisions : int, default 3
        Number of decisions, 1 to 256.
    value_probabilities, decision_probabilities : tuple of float, optional
        The probability of each code and of each decision; by default all are equally likely.

    Raises
    ------
    ValueError
        A size or a probability is out of range; the message names it.

    Examples
    --------
    >>> from orchard import RandomTables
    >>> RandomTables(rows=20, attributes=5).table(seed=0, group=1, index=1).codes.shape[1]
    5
    """

    rows: int = 50
    attributes: int = 10
    values: int = 3
    decisions: int = 3
    value_probabilities: tuple[float, ...] | None = None
    decision_probabilities: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        for name, most in (("rows", 2**20), ("attributes", 2**12), ("values", MOST_CODES), ("decisions", MOST_CODES)):
            object.__setattr__(self, name, check_whole(name, getattr(self, name), 1, most))
        _check_probabilities("value_probabilities", self.value_probabilities, self.values)
        _check_probabilities("decision_probabilities", self.decision_probabilities, self.decisions)

    def draw(self, seed: int, group: int, first: int, count: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Tables `first` to `first + count - 1` of a group, with equal rows not merged.

        The codes have the shape (count, rows, attributes), the decisions (count, rows).
        """
        if seed < 0 or group < 1 or first < 1 or count < 0:
            given = f"`seed` is {seed}, `group` {group}, `first` {first} and `count` {count}"
            raise ValueError(f"{given}: expected 0 or more for `seed` and `count`, 1 or more for `group` and `first`")
        cells = self.rows * self.attributes
        draws = cells + self.rows
        generator = np.random.PCG64DXSM(np.random.SeedSequence(seed, spawn_key=(STREAM, group)))
        generator.advance((first - 1) * draws)
        words = generator.random_raw(count * draws).reshape(count, draws)
        codes = np.empty((count, self.rows, self.attributes), np.uint8)
        decisions = np.empty((count, self.rows), np.uint8)
        _draw(words[:, :cells], self.value_probabilities, self.values, codes)
        _draw(words[:, cells:], self.decision_probabilities, self.decisions, decisions)
        return codes, decisions

    def table(self, seed: int, group: int, index: int, equal_rows: EqualRows = "majority") -> DecisionTable:
        """Table `index` of a group. `equal_rows` is the option of `DecisionTable.from_codes`."""
        codes, decisions = self.draw(seed, group, index, 1)
        return DecisionTable.from_codes(codes[0], decisions[0], equal_rows=equal_rows, labels=self.labels)

    @property
    def labels(self) -> Labels:
        """Names f1, f2, … for the attributes; the label of a code or decision is its number."""
        return Labels.numbered([self.values] * self.attributes, self.decisions)


def _check_probabilities(name: str, probabilities: Sequence[float] | None, n: int) -> None:
    if probabilities is None:
        return
    if len(probabilities) != n:
        what = name.removesuffix("_probabilities")
        raise ValueError(
            f"{name} has {counted(len(probabilities), 'entry', 'entries')}: expected {n}, one for each {what}"
        )
    if not all(math.isfinite(p) and p >= 0 for p in probabilities) or not math.isclose(
        sum(probabilities), 1, abs_tol=1e-9
    ):
        raise ValueError(
            f"{name} is {list(probabilities)}, with the sum {sum(probabilities):.6g}: expected numbers of 0 or more, "
            "with the sum 1"
        )


def _draw(words: NDArray[np.uint64], probabilities: Sequence[float] | None, n: int, out: NDArray[np.uint8]) -> None:
    """Write a code for each word: its number of thresholds, the cumulative probabilities, that the word reaches."""
    weights = [Fraction(1)] * n if probabilities is None else [Fraction(float(p)) for p in probabilities]
    thresholds = [int(sum(weights[:i]) / sum(weights) * 2**64) for i in range(1, n)]
    codes = out.reshape(len(out), math.prod(out.shape[1:]))
    codes[:] = 0
    for threshold in thresholds:
        if threshold < 2**64:  # no word reaches 2**64: later codes have probability 0
            codes += words >= np.uint64(threshold)
