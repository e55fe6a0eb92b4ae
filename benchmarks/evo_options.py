"""The effect of EVO-Tree's options: majority labels and fronts on the paper's data sets, the window on drift.

This is the only benchmark of accuracy. The figures in the docstrings of `algorithms.evolutionary` come from it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.data.data_set import DataSet
from algorithms.evolutionary.evo_tree import EVOTreeClassifier
from algorithms.evolutionary.front import EVOTreeFrontClassifier, front_of
from algorithms.evolutionary.stream import EVOTreeStreamClassifier
from algorithms.evolutionary.training_rows import TrainingRows
from pipeline.data.catalogue.catalogue import catalogue
from pipeline.data.protocols import Protocol, SplitSource

Numbers = NDArray[np.float64]
Classes = NDArray[np.bool_]

SETS = (
    "breast-tissue",
    "ecoli",
    "page-blocks",
    "seeds",
    "image-segmentation/statlog",
    "winequality-red",
    "winequality-white",
    "abalone",
)
PROTOCOL = Protocol("k_fold", folds=2, repeats=5, stratified=True)
BUILDERS: dict[str, Callable[..., Any]] = {
    "evolved labels": EVOTreeClassifier,
    "majority": partial(EVOTreeClassifier, leaf_labels="majority"),
    "front": EVOTreeFrontClassifier,
}
MEASURES = ("test accuracy, %", "training accuracy, %", "leaves", "CPU seconds")
DEPTHS = (2, 3, 4, 6, 8)
BATCH, BATCHES, DRIFT, WINDOW, STREAM_SEEDS = 100, 36, 9, 500, 5
"""Rows of a batch, batches of a stream and of a concept, rows of the window, streams of each kind."""


def main() -> None:
    """Run the part that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["builders", "fronts", "streams"])
    parser.add_argument("data", type=Path, nargs="?", help="folder of UCI data sets, with a subfolder for each")
    parser.add_argument("--repeats", type=int, default=5, help="number of repeats of the two folds")
    given = parser.parse_args()
    if given.what == "streams":
        streams()
    else:
        {"builders": builders, "fronts": fronts}[given.what](given.data, given.repeats)


def halves(folder: Path, name: str, repeats: int) -> list[tuple[DataSet, DataSet]]:
    """(training, test) rows of each fold, for at most 5 repeats of 2 folds."""
    data = catalogue(folder, offline=True).load(f"uci/{name}").whole
    source = SplitSource(f"uci/{name}", data.decisions, data.classes)
    splits = [PROTOCOL.split(source, 0, repeat, fold) for repeat in range(1, repeats + 1) for fold in (1, 2)]
    return [(data.take(split.train), data.take(split.test)) for split in splits]


def builders(folder: Path, repeats: int) -> None:
    """Print the means of each builder on each data set, and its mean difference from the paper's labels."""
    for make in BUILDERS.values():
        make(generations=1).fit([[0.0], [1.0]], ["a", "b"])  # compiles the kernels
    result = np.zeros((len(SETS), len(BUILDERS), len(MEASURES)))
    for index, name in enumerate(SETS):
        folds = halves(folder, name, repeats)
        rows = [[measured(make, *fold, seed) for make in BUILDERS.values()] for seed, fold in enumerate(folds)]
        result[index] = np.mean(rows, axis=0)
        print(name, dict(zip(BUILDERS, result[index].round(2).tolist(), strict=True)))
    for builder, (name, numbers) in enumerate(zip(BUILDERS, result.mean(axis=0), strict=True)):
        changes = [with_error(change) for change in (result[:, builder] - result[:, 0]).T]
        print(f"\n{name}", *map("{}: {:.2f}, {}".format, MEASURES, numbers, changes), sep="\n  ")


def measured(make: Callable[..., Any], train: DataSet, test: DataSet, seed: int) -> list[float]:
    """The MEASURES of a builder on a fold."""
    began = time.process_time()
    model = make(random_state=seed).fit(train)
    seconds = time.process_time() - began
    test_right, right = ((model.tree_.predict(data.values()) == data.decisions).mean() for data in (test, train))
    return [100 * test_right, 100 * right, model.costs(train).terminal_nodes, seconds]


def fronts(folder: Path, repeats: int) -> None:
    """Print the hypervolume of one front, and of five runs for one objective with as many evaluations in total."""
    changes = []
    for name in SETS:
        for seed, (train, _) in enumerate(halves(folder, name, repeats)):
            model = EVOTreeFrontClassifier(random_state=seed, patience=500).fit(train)
            front = [(int(each.errors), each.leaves) for each in model.front_]
            coded = TrainingRows.of(train, np.ones(train.rows), "integers", "majority")
            single = [front[0]]
            for depth in DEPTHS:
                run = EVOTreeClassifier(max_depth=depth, generations=100, leaf_labels="majority")._evolution()
                population = run.run(coded, seed).population
                leaves = (np.diff(population.start) + 1) // 2
                single += zip((coded.total - population.correct).tolist(), leaves.tolist(), strict=True)
            single = on_front(single)
            most = front[0][0], 1 + max(size for _, size in front + single)
            ours, theirs = hypervolume(front, most), hypervolume(single, most)
            changes.append(ours - theirs)
            print(f"{name}: {ours:.4f} against {theirs:.4f}")
    print(f"more in {np.mean(np.array(changes) > 0):.0%}: {with_error(np.array(changes))}")


def on_front(points: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The points that no other point dominates."""
    errors, leaves = np.array(points).T
    return [points[index] for index in np.flatnonzero(front_of(errors, leaves) == 0)]


def hypervolume(front: list[tuple[int, int]], most: tuple[int, int]) -> float:
    """The share of the rectangle below `most` that a front dominates."""
    area, errors = 0, most[0]
    for mine, leaves in sorted(front, key=lambda point: point[1]):
        area += (errors - mine) * (most[1] - leaves)
        errors = mine
    return area / (most[0] * most[1])


def with_error(changes: Numbers) -> str:
    """The mean and its standard error."""
    return f"{changes.mean():+.4f} ({changes.std(ddof=1) / np.sqrt(len(changes)):.4f})"


def streams() -> None:
    """Print the accuracy on each batch before it is learnt, and on the 6th to 9th batches after a drift."""
    learners: dict[str, Callable[..., Any]] = {
        "window": partial(EVOTreeStreamClassifier, window=WINDOW),
        "all rows": partial(EVOTreeStreamClassifier, window=None),
        "anew, 5 generations": partial(EVOTreeClassifier, leaf_labels="majority", generations=5),
        "anew, 20 generations": partial(EVOTreeClassifier, leaf_labels="majority", generations=20),
    }
    late = [drift + batch for drift in range(DRIFT, BATCHES, DRIFT) for batch in range(4, 8)]
    for concept in (sea, stagger, hyperplane):
        made = [concept(np.random.default_rng(seed)) for seed in range(STREAM_SEEDS)]
        base: Numbers | None = None
        for name, make in learners.items():
            began = time.process_time()
            runs = [prequential(partial(make, random_state=seed), *rows) for seed, rows in enumerate(made)]
            seconds = time.process_time() - began
            right = 100 * np.array(runs)
            base = right if base is None else base
            print(
                f"{concept.__name__:11}{name:21}{right.mean():7.2f}, {with_error((right - base).mean(axis=1)):18}"
                f"{right[:, late].mean():7.2f} late {seconds:6.2f} s"
            )


def prequential(make: Callable[..., Any], rows: Numbers, classes: Classes) -> list[float]:
    """The accuracy on each batch after the first, by the model learnt from earlier batches."""
    right: list[float] = []
    model: Any = None
    for first in range(0, len(rows), BATCH):
        batch = slice(first, first + BATCH)
        if model is not None:
            right.append(float((model.predict(rows[batch]) == classes[batch]).mean()))
        if isinstance(started := model or make(), EVOTreeStreamClassifier):
            model = started.partial_fit(rows[batch], classes[batch], classes=[False, True])
        else:
            window = slice(max(0, first + BATCH - WINDOW), first + BATCH)
            model = make().fit(rows[window], classes[window])
    return right


def concepts(of: int) -> NDArray[np.int64]:
    """(rows,): the concept of each row; `of` concepts take turns."""
    return np.arange(BATCH * BATCHES) // (BATCH * DRIFT) % of


def sea(generator: np.random.Generator) -> tuple[Numbers, Classes]:
    """Street and Kim (2001): the sum of two of three numbers is up to 8, 9, 7 or 9.5; a tenth of classes are wrong."""
    rows = generator.uniform(0, 10, (BATCH * BATCHES, 3))
    classes = rows[:, 0] + rows[:, 1] <= np.array([8, 9, 7, 9.5])[concepts(4)]
    return rows, classes ^ (generator.random(len(rows)) < 0.1)


def stagger(generator: np.random.Generator) -> tuple[Numbers, Classes]:
    """Schlimmer and Granger (1986): small and red; green or a circle; medium or large."""
    size, colour, shape = rows = generator.integers(0, 3, (3, BATCH * BATCHES))
    classes = np.stack([(size == 0) & (colour == 0), (colour == 1) | (shape == 1), size >= 1])
    return rows.T.astype(np.float64), classes[concepts(3), np.arange(rows.shape[1])]


def hyperplane(generator: np.random.Generator) -> tuple[Numbers, Classes]:
    """After Hulten, Spencer and Domingos (2001): two of five weights drift and may turn; 5 % of classes are wrong."""
    rows = generator.random((BATCH * BATCHES, 5))
    turns = np.where(generator.random((len(rows), 2)) < 0.001, -1, 1).cumprod(axis=0)
    weights = generator.random(5) + np.pad(0.003 * turns.cumsum(axis=0), ((0, 0), (0, 3)))
    classes = (rows * weights).sum(axis=1) >= weights.sum(axis=1) / 2
    return rows, classes ^ (generator.random(len(rows)) < 0.05)


if __name__ == "__main__":
    main()
