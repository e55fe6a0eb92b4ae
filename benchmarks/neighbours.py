"""CPU time of fits and predictions between neighbouring sizes: one more row, attribute, class, value or level.

It also compares no weights with a higher weight of one class. ("balanced" would change little: the classes of the data
are about equally frequent.)

Slightly larger data should take slightly longer. The two sizes of a pair are measured in turn. A line is marked if the
ratio of their times is above 1.5 or below 1 / 1.5. Data are random, and the larger set contains the smaller one, so
that both need about the same search.

Ratios that remain above 1.5 come from the methods or from chance. A tree on attributes of 3 values has more nodes than
one on 2. An optimal tree with one more level needs another search below each split. One more class changes the labels,
and a search on them ends earlier or later; the mean over several tables evens this out.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from orchard import C45Classifier, CARTClassifier, DIDClassifier, OCTClassifier, T2Classifier

ROUNDS = 5
STEP = 1.5
ROWS = [63, 127, 255, 1_023, 4_095, 8_191, 16_383, 32_767, 65_535]
ATTRIBUTES = [15, 31, 63]
WEIGHTED_ROWS = 20_000
CLASSES = [2, 3, 4, 7, 8, 15]
VALUES = [2, 3, 15, 63, 127, 255, 1_023, 4_095, 32_767]
DEPTHS = [2, 3, 4, 8, 15, 31]

FITS: dict[str, tuple[bool, Callable[..., Any], int, int, int]] = {
    "C4.5": (False, C45Classifier, 65_536, 64, 1),
    "C4.5 predicts": (False, C45Classifier, 65_536, 64, 1),
    "CART": (False, CARTClassifier, 65_536, 64, 32),
    "DID": (True, DIDClassifier, 65_536, 64, 1),
    "T2": (False, T2Classifier, 4_096, 16, 1),
    "OCT, 2 levels of numbers": (False, partial(OCTClassifier, max_depth=2), 65_536, 16, 3),
    "OCT, 3 levels of bits": (True, partial(OCTClassifier, max_depth=3), 65_536, 64, 32),
}
"""By name: whether attributes are binary, the estimator, and the greatest numbers of rows, attributes and levels."""


def data(
    rows: int, attributes: int, classes: int, *, bits: bool, distinct: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The first rows and attributes of one random table; the class depends on three of the attributes, with noise.

    distinct : distinct numbers of an attribute, about equally frequent; by default one per row
    """
    generator = np.random.default_rng(0)
    values = np.stack([generator.normal(size=max(ROWS) + 1) for _ in range(attributes)], 1)[:rows]
    noise = generator.normal(size=max(ROWS) + 1)[:rows]
    followed = values[:, 0] + (values[:, 1] > 0) * values[:, 2] + 0.3 * noise
    decisions = np.digitize(followed, np.quantile(followed, np.arange(1, classes) / classes))
    if distinct is not None:
        values = np.floor(values.argsort(axis=0).argsort(axis=0) * (distinct / rows))
    return (values > 0).astype(np.int32) if bits else values, decisions


def seconds(
    name: str,
    *,
    rows: int = 1_000,
    attributes: int = 8,
    classes: int = 2,
    distinct: int | None = None,
    **parameters: Any,
) -> float:
    """CPU seconds of a fit, or of a prediction."""
    bits, estimator, *_ = FITS[name]
    values, decisions = data(rows, attributes, classes, bits=bits, distinct=distinct)
    model = estimator(**parameters)
    began = time.process_time()
    model.fit(values, decisions)
    if name.endswith("predicts"):
        began = time.process_time()
        model.predict(values)
    return time.process_time() - began


def compare(name: str, what: str, first: dict[str, Any], second: dict[str, Any]) -> bool:
    """Print the times of two neighbours and their ratio; return whether the ratio is marked."""
    for sizes in (first, second):
        seconds(name, **sizes)  # compiles
    rounds = [(seconds(name, **first), seconds(name, **second)) for _ in range(ROUNDS)]
    before, after = (min(taken) * 1e3 for taken in zip(*rounds, strict=True))
    ratio = after / before
    step = not 1 / STEP <= ratio <= STEP
    print(f"{name:26} {what:20} {before:9.2f} {after:9.2f} ms {ratio:6.2f}{'  step' if step else ''}", flush=True)
    return step


def pairs(
    bits: bool, most_rows: int, most_attributes: int, most_levels: int
) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """The name of the difference, and the two neighbours."""
    for what, numbers, most in (("rows", ROWS, most_rows), ("attributes", ATTRIBUTES, most_attributes)):
        yield from ((f"{what} {size:,} + 1", {what: size}, {what: size + 1}) for size in numbers if size < most)
    yield from ((f"classes {size} + 1", {"classes": size}, {"classes": size + 1}) for size in CLASSES)
    rows = min(WEIGHTED_ROWS, most_rows)
    yield "weights by class", {"rows": rows}, {"rows": rows, "class_weight": {0: 2.5}}
    if not bits:
        sizes = (size for size in VALUES if size < rows)
        yield from (
            (f"values {size:,} + 1", {"rows": rows, "distinct": size}, {"rows": rows, "distinct": size + 1})
            for size in sizes
        )
    depths = (depth for depth in DEPTHS if depth < most_levels)
    yield from ((f"levels {depth} + 1", {"max_depth": depth}, {"max_depth": depth + 1}) for depth in depths)


def main() -> None:
    """Print each pair of neighbours, and how many are marked."""
    warnings.simplefilter("ignore")
    steps = [compare(name, *pair) for name, (bits, _, *most) in FITS.items() for pair in pairs(bits, *most)]
    print(f"{sum(steps)} of {len(steps)} pairs of neighbours are more than {STEP} times apart")


if __name__ == "__main__":
    main()
