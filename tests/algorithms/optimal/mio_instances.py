"""Instances that tests of mixed-integer programmes share."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from sklearn.datasets import load_iris

from algorithms.optimal.instance import Instance
from algorithms.optimal.mio.solve import solve_mio
from algorithms.optimal.solution import Effort, Progress, Solution
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.timed import timed


def iris(max_depth: int = 2, alpha: float = 0.0, every: int = 1) -> Instance:
    """Iris, or every so many rows of it: all have 6 errors with two splits, 50 with one."""
    numbers, classes = load_iris(return_X_y=True)
    data = data_set_of(list(numbers.T), classes, [True] * 4)
    return Instance(data.take(np.arange(0, 150, every)), np.ones(150)[::every], max_depth=max_depth, alpha=alpha)


def binary_rows(rows: int = 40, alpha: float = 0.0, max_depth: int = 1) -> Instance:
    """Binary attributes, such as hepatitis has after coding; the class follows the first, with noise."""
    generator = np.random.default_rng(1)
    bits = generator.integers(0, 2, (6, rows))
    decisions = np.where(generator.random(rows) < 0.2, generator.integers(0, 2, rows), bits[0])
    data = data_set_of(bits.tolist(), decisions.tolist(), [False] * 6)
    return Instance(data, np.ones(rows), max_depth=max_depth, alpha=alpha)


def noise(rows: int = 45) -> Instance:
    """Random classes: no solver proves the best tree of two levels in seconds."""
    generator = np.random.default_rng(2)
    numbers, decisions = generator.integers(0, 9, (3, rows)), generator.integers(0, 2, rows)
    return Instance(data_set_of(numbers.tolist(), decisions.tolist(), [True] * 3), np.ones(rows), max_depth=2)


def cut_short(instance: Instance, **options: Any) -> tuple[Solution, list[Progress], float]:
    """What a solver knows when its time is over, its reports, and the seconds beyond the limit.

    The limit is a quarter of a second, or more on a machine so busy that the search did not report in time.
    """
    for seconds in (0.25, 1, 4, 16):
        reports: list[Progress] = []
        search = partial(solve_mio, instance, Effort(seconds=seconds), on_progress=reports.append, **options)
        solution, taken = timed(search)
        if reports:
            break
    return solution, reports, taken - seconds


def one_hot(instance: Instance) -> Instance:
    """The same with an attribute of two codes for each code of a nominal one, by other code than the models'."""
    columns, numeric = [], []
    for attribute, column in zip(instance.data.attributes, instance.data.columns, strict=True):
        if attribute.labels:
            columns += [(column == code).astype(int).tolist() for code in range(len(attribute.labels))]
            numeric += [False] * len(attribute.labels)
        else:
            columns.append(column.tolist())
            numeric.append(True)
    data = data_set_of(columns, instance.data.decisions.tolist(), numeric, len(instance.data.classes))
    return replace(instance, data=data)
