"""EVO-Tree against scikit-learn's compiled prediction with the same trees and rows; and how its time grows.

CPU time on one core. The time of a generation of EVO-Tree covers selection, crossover, mutation, evaluation and the
Python between them. The time of scikit-learn covers only `tree_.apply` of each tree of the generation on all rows,
which were converted to float32 before. Its leaves give the rows that each tree classifies correctly, and the benchmark
asserts that they are those of EVO-Tree. Every 50th generation is compared.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from peer import spread
from sklearn.tree._tree import NODE_DTYPE, Tree

from algorithms.data.data_set import DataSet
from algorithms.evolutionary.evolution import Evolution
from algorithms.evolutionary.population import Population
from algorithms.evolutionary.training_rows import TrainingRows
from algorithms.trees.node_kinds import NO_ATTRIBUTE
from pipeline.data.catalogue.catalogue import catalogue
from pipeline.data.protocols import Protocol, SplitSource

GENERATIONS, EVERY = 500, 50
INDIVIDUALS, MAX_DEPTH = 400, 8
SHORT = 100
"""Generations of the runs that show how time grows."""


def main() -> None:
    """Print a full run beside scikit-learn's prediction, then the time with more rows, trees and levels."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of UCI data sets, with a subfolder for each")
    train = half(catalogue(parser.parse_args().data, offline=True).load("uci/page-blocks").whole)
    for _ in range(2):  # compiles
        list(zip(range(3), evolution().populations(coded(train), 0), strict=False))
    full_run(train)
    growth(train)


def half(data: DataSet) -> DataSet:
    """The training rows of one fold of two."""
    source = SplitSource("uci/page-blocks", data.decisions, data.classes)
    return data.take(Protocol("k_fold", folds=2, repeats=5, stratified=True).split(source, 0, 1, 1).train)


def coded(data: DataSet) -> TrainingRows:
    """The rows with weight 1 each."""
    return TrainingRows.of(data, np.ones(data.rows))


def evolution(individuals: int = INDIVIDUALS, max_depth: int = MAX_DEPTH, generations: int = GENERATIONS) -> Evolution:
    """The paper's settings, without early stopping."""
    return Evolution(
        max_depth=max_depth,
        target_depth=21,
        alpha_1=0.99,
        alpha_2=0.01,
        individuals=individuals,
        generations=generations,
        patience=generations,
        elite=3,
        crossover_share=0.6,
        split_probability=0.7,
        selection="stochastic_uniform",
    )


def full_run(train: DataSet) -> None:
    """Print the time of all generations, and of every 50th beside scikit-learn's prediction."""
    rows = coded(train)
    ranks = np.column_stack([np.unique(column, return_inverse=True)[1] for column in train.columns]).astype(np.float32)
    generations = evolution().populations(rows, 0)
    ours: list[float] = []
    ratios: list[float] = []
    theirs: list[float] = []
    nodes: list[float] = []
    for generation in range(GENERATIONS + 1):
        began = time.process_time()
        population, _ = next(generations)
        ours.append(time.process_time() - began)
        nodes.append(population.start[-1] / INDIVIDUALS)
        if generation % EVERY == 0 and generation:
            theirs.append(walk(population, ranks, train.decisions))
            ratios.append(float(np.mean(ours[-EVERY:])) / theirs[-1])
    print(f"page-blocks, {train.rows:,} rows, {INDIVIDUALS} trees of {np.mean(nodes):.0f} nodes on average")
    print(f"  {GENERATIONS} generations       {sum(ours):.2f} s")
    print(f"  a generation, ours    {np.mean(ours) * 1000:.2f} ms")
    print(f"  their walk of one     {np.mean(theirs) * 1000:.2f} ms")
    print(f"  ours / scikit-learn   {spread(ratios)}")


def walk(population: Population, ranks: NDArray[np.float32], decisions: NDArray[np.int32]) -> float:
    """Seconds that scikit-learn needs to apply all trees to all rows; asserts the same numbers of correct rows."""
    trees = [
        population.nodes[population.start[tree] : population.start[tree + 1]] for tree in range(len(population.depth))
    ]
    theirs = [of_scikit_learn(nodes, ranks.shape[1], int(decisions.max()) + 1) for nodes in trees]
    began = time.process_time()
    leaves = [tree.apply(ranks) for tree in theirs]
    seconds = time.process_time() - began
    correct = [(nodes["label"][leaf] == decisions).sum() for nodes, leaf in zip(trees, leaves, strict=True)]
    assert correct == population.correct.tolist()
    return seconds


def of_scikit_learn(nodes: NDArray[Any], columns: int, classes: int) -> Any:
    """The same nodes in the same order as a scikit-learn tree over ranks."""
    inner = nodes["attribute"] != NO_ATTRIBUTE
    theirs = np.zeros(len(nodes), NODE_DTYPE)
    theirs["left_child"] = np.where(inner, nodes["left"], -1)
    theirs["right_child"] = np.where(inner, nodes["left"] + 1, -1)
    theirs["feature"] = np.where(inner, nodes["attribute"], -2)
    theirs["threshold"] = np.where(inner, nodes["cut"] + 0.5, -2.0)
    tree = Tree(columns, np.array([classes], np.intp), 1)
    values = np.zeros((len(nodes), 1, classes))
    tree.__setstate__({"max_depth": 61, "node_count": len(nodes), "nodes": theirs, "values": values})
    return tree


def growth(train: DataSet) -> None:
    """Print the time of a generation with more rows, more trees and more levels; repeated rows give the same trees."""
    print(f"\n{'rows':>9}{'trees':>8}{'max depth':>11}{'nodes':>8}{'ms':>9}{'ns a row and tree':>19}")
    for times in (1, 10, 100):
        rows = coded(train.take(np.tile(np.arange(train.rows), times)))
        line(rows, train.rows * times, INDIVIDUALS, MAX_DEPTH)
    for individuals in (1_600, 6_400):
        line(coded(train), train.rows, individuals, MAX_DEPTH)
    for depth in (4, 12, 16):
        line(coded(train), train.rows, INDIVIDUALS, depth)


def line(rows: TrainingRows, number: int, individuals: int, max_depth: int) -> None:
    """Mean time of a generation, without the first."""
    generations = evolution(individuals, max_depth, SHORT).populations(rows, 0)
    next(generations)
    began, nodes = time.process_time(), 0
    for _ in range(SHORT):
        nodes += int(next(generations)[0].start[-1])
    each = (time.process_time() - began) / SHORT
    size = nodes / SHORT / individuals
    walked = number * individuals
    print(f"{number:9,}{individuals:8,}{max_depth:11}{size:8.0f}{each * 1e3:9.2f}{each / walked * 1e9:19.3f}")


if __name__ == "__main__":
    main()
