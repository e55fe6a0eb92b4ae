"""CPU time of fits and predictions between neighbouring sizes: one row, attribute or class more, or weights by class.

What is a little larger should take a little longer. A pair is measured in turn; where the second takes more than 1.5
times as long as the first, or less than that share of it, the line is marked. Data are random, and the larger set
contains the smaller one, so that both need about the same search.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from orchard import C45Classifier, CARTClassifier, DIDClassifier, OCTClassifier, T2Classifier

ROUNDS = 5
STEP = 1.5
ROWS = [63, 127, 255, 1_023, 4_095, 8_191, 16_383, 32_767, 65_535]
ATTRIBUTES = [15, 31, 63]
WEIGHTED_ROWS = 20_000
CLASSES = [2, 3, 4, 7, 8, 15]

FITS: dict[str, tuple[bool, Callable[..., Any], int, int]] = {
    "C4.5": (False, C45Classifier, 65_536, 64),
    "C4.5 predicts": (False, C45Classifier, 65_536, 64),
    "CART": (False, CARTClassifier, 65_536, 64),
    "DID": (True, DIDClassifier, 65_536, 64),
    "T2": (False, T2Classifier, 4_096, 16),
    "OCT, 2 levels of numbers": (False, lambda **more: OCTClassifier(max_depth=2, **more), 65_536, 16),
    "OCT, 3 levels of bits": (True, lambda **more: OCTClassifier(max_depth=3, **more), 65_536, 64),
}
"""By name: whether attributes are bits, the estimator, and the most rows and attributes that are measured."""


def data(rows: int, attributes: int, classes: int, *, bits: bool) -> tuple[np.ndarray, np.ndarray]:
    """The first rows and attributes of one random table; the class follows three of the attributes, with noise."""
    generator = np.random.default_rng(0)
    values = np.stack([generator.normal(size=max(ROWS) + 1) for _ in range(attributes)], 1)[:rows]
    noise = generator.normal(size=max(ROWS) + 1)[:rows]
    followed = values[:, 0] + (values[:, 1] > 0) * values[:, 2] + 0.3 * noise
    decisions = np.digitize(followed, np.quantile(followed, np.arange(1, classes) / classes))
    return (values > 0).astype(np.int32) if bits else values, decisions


def seconds(
    name: str, *, rows: int = 1_000, attributes: int = 8, classes: int = 2, weights: str | None = None
) -> float:
    """CPU seconds of a fit, or of a prediction."""
    bits, estimator, _, _ = FITS[name]
    values, decisions = data(rows, attributes, classes, bits=bits)
    model = estimator(class_weight=weights)
    began = time.process_time()
    model.fit(values, decisions)
    if name.endswith("predicts"):
        began = time.process_time()
        model.predict(values)
    return time.process_time() - began


def compare(name: str, what: str, first: dict[str, Any], second: dict[str, Any]) -> bool:
    """Print the times of two neighbours and their ratio: whether that is a step."""
    for sizes in (first, second):
        seconds(name, **sizes)  # compiles
    rounds = [(seconds(name, **first), seconds(name, **second)) for _ in range(ROUNDS)]
    before, after = (min(taken) * 1e3 for taken in zip(*rounds, strict=True))
    ratio = after / before
    step = not 1 / STEP <= ratio <= STEP
    print(f"{name:26} {what:20} {before:9.2f} {after:9.2f} ms {ratio:6.2f}{'  step' if step else ''}", flush=True)
    return step


def pairs(most_rows: int, most_attributes: int) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """What differs, and two neighbours."""
    for what, numbers, most in (("rows", ROWS, most_rows), ("attributes", ATTRIBUTES, most_attributes)):
        yield from ((f"{what} {size:,} + 1", {what: size}, {what: size + 1}) for size in numbers if size < most)
    yield from ((f"classes {size} + 1", {"classes": size}, {"classes": size + 1}) for size in CLASSES)
    rows = min(WEIGHTED_ROWS, most_rows)
    yield "weights by class", {"rows": rows}, {"rows": rows, "weights": "balanced"}


def main() -> None:
    """Print each pair of neighbours, and how many are a step apart."""
    warnings.simplefilter("ignore")
    steps = [compare(name, *pair) for name, (_, _, *most) in FITS.items() for pair in pairs(*most)]
    print(f"{sum(steps)} of {len(steps)} pairs of neighbours are more than {STEP} times apart")


if __name__ == "__main__":
    main()
