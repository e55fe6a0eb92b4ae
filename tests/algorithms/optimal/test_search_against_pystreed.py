"""The search against another exact one, STreeD by its package pystreed, on the data sets that both were made for."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from algorithms.optimal.search import OCTSearchClassifier
from tests.oracles.binary_benchmarks import NAMES, benchmark_rows

pystreed = pytest.importorskip("pystreed", reason="pystreed is not installed: pip install -e '.[peers]'")

LONGER_THAN_A_SECOND = {
    3: {"ionosphere", "pendigits", "splice-1"},
    4: {"audiology", "australian-credit", "breast-wisconsin", "diabetes", "german-credit", "heart-cleveland"}
    | {"ionosphere", "pendigits", "splice-1", "vehicle", "yeast", "vote", "lymph"},
}
"""Where STreeD takes long; what it found is below."""


def errors_of_streed(bits: np.ndarray, decisions: np.ndarray, **options: object) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = pystreed.STreeDClassifier(**options).fit(bits, decisions)
        return int((fitted.predict(bits) != decisions).sum())


@pytest.mark.parametrize("depth", [2, 3, 4])
@pytest.mark.parametrize("name", NAMES)
def test_as_many_errors(name: str, depth: int) -> None:
    if name in LONGER_THAN_A_SECOND.get(depth, ()):
        pytest.skip("STreeD takes more than a second: its errors are those of test_binary_search.OPTIMA")
    decisions, bits = benchmark_rows(name)
    ours = OCTSearchClassifier(max_depth=depth).fit(bits, decisions).solution_
    assert ours.optimal
    assert ours.errors == errors_of_streed(bits, decisions, optimization_task="accuracy", max_depth=depth)
