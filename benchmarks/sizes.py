"""CPU time per table of all 16 greedy algorithms and five exact minima, and its ratio between neighbouring sizes.

Neighbours differ by one row, one attribute or one value, and are measured in turn on random tables. With few attributes
or values the ratio may be large for a good reason: tables of three values have larger graphs than tables of two.
"""

from __future__ import annotations

import time
from dataclasses import replace

from algorithms.batch import costs_of_tables
from algorithms.data.random_tables import RandomTables

ROUNDS = 5
LEAST_SECONDS = 0.05  # of one measurement
LEAST_TABLES, MOST_TABLES = 40, 400  # fewer would differ by chance: some tables have far larger graphs than others
STEP = 1.5

ROWS = [16, 32, 63, 64, 96, 127, 128, 192, 255, 256, 320, 384, 448, 511]
ATTRIBUTES = [4, 8, 16, 21, 31, 32, 42, 48, 63]
VALUES = [2, 4, 8, 16, 32, 128]
SWEEPS = [
    *(("rows", number, RandomTables(attributes=10)) for number in ROWS),
    *(("rows", number, RandomTables(attributes=33)) for number in (16, 64)),
    *(("attributes", number, RandomTables(rows=48)) for number in ATTRIBUTES),
    *(("attributes", number, RandomTables(rows=20, values=2)) for number in ATTRIBUTES),
    *(("attributes", number, RandomTables(rows=65)) for number in (8, 20, 32)),
    *(("values", number, RandomTables(rows=50)) for number in VALUES),
    *(("values", number, RandomTables(rows=200)) for number in VALUES),
    *(("values", number, RandomTables(rows=32, attributes=40)) for number in VALUES[1:]),
]


def tables_to_measure(shape: RandomTables) -> int:
    """Load the kernels for a shape, and return how many of its tables take long enough to measure."""
    count = LEAST_TABLES
    while True:
        costs(shape, 1)
        if (seconds := costs(shape, count)) >= LEAST_SECONDS or count == MOST_TABLES:
            return count
        count = min(MOST_TABLES, max(2 * count, int(count * LEAST_SECONDS / max(seconds, 1e-4))))


def costs(shape: RandomTables, count: int) -> float:
    """CPU seconds for the first tables of a shape."""
    codes, decisions = shape.draw(0, 1, 1, count)
    began = time.process_time()
    costs_of_tables(codes, decisions, values=shape.values, n_decisions=shape.decisions)
    return time.process_time() - began


def main() -> None:
    """Print each pair of neighbours, and mark ratios above 1.5."""
    steps = 0
    print("rows  attributes  values      microseconds a table    ratio")
    for name, number, rest in SWEEPS:
        pair = [replace(rest, **{name: size}) for size in (number, number + 1)]
        counts = [tables_to_measure(shape) for shape in pair]
        rounds = [[costs(*sized) for sized in zip(pair, counts, strict=True)] for _ in range(ROUNDS)]
        first, second = (
            min(taken) / count * 1e6 for taken, count in zip(zip(*rounds, strict=True), counts, strict=True)
        )
        step = not 1 / STEP <= second / first <= STEP
        steps += step
        sizes = [
            f"{size}, {size + 1}" if each == name else str(size)
            for each in ("rows", "attributes", "values")
            for size in [getattr(pair[0], each)]
        ]
        print(
            f"{sizes[0]:>8} {sizes[1]:>8} {sizes[2]:>8} {first:14.0f} {second:12.0f} {second / first:8.2f}"
            f"{'  step' if step else ''}",
            flush=True,
        )
    print(f"{steps} of {len(SWEEPS)} pairs of neighbours are more than {STEP} times apart")


if __name__ == "__main__":
    main()
