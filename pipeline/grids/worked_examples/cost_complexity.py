"""The tree that Li prunes ("Pruning Algorithm – Example"): every node's g at each step, and the choices of alpha.

`tables/cost_complexity.csv` has 16 rows that produce it: 8 of each class, 4 + 8 of them at t2, 4 + 2 at t3. The slides
name no attributes; here each has the name of the node that tests it. Rows that do not reach a node go to its left.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import numpy as np

from algorithms.data.data_set import DataSet
from algorithms.pruning.cost_complexity import CostComplexity, cost_complexity, links
from algorithms.trees.arrays import NO_ATTRIBUTE, NodeKind
from algorithms.trees.decision_tree import DecisionTree
from pipeline.grids.worked_examples.example import BuiltTree, Step, WorkedExample, printed_table, tree_steps, yes_or_no


def example_tree() -> DecisionTree:
    """The printed tree: t1, t2 and t3 below one another, each with a pure leaf on its left, t3 with two."""
    counts = np.array([[8, 8], [4, 0], [4, 8], [0, 6], [4, 2], [4, 0], [0, 2]], np.float64)
    attribute = np.array([0, -1, 1, -1, 2, -1, -1], np.int32)
    leaf = attribute == NO_ATTRIBUTE
    return DecisionTree(
        kind=np.where(leaf, NodeKind.TERMINAL, NodeKind.CODES).astype(np.uint8),
        attribute=attribute,
        decision=counts.argmax(axis=1).astype(np.int32),
        edges=np.concatenate([[0], np.cumsum(np.where(leaf, 0, 2))]),
        edge_code=np.array([0, 1] * 3, np.int32),
        edge_to=np.arange(1, 7, dtype=np.int32),
        counts=counts,
    )


def worked_example() -> WorkedExample:
    """Compute the example: the trees T1 to T4, in the document's names; T4 is the root alone."""
    data = printed_table("cost_complexity")
    sequence = cost_complexity(example_tree())
    trees = tuple(
        BuiltTree.of(f"T{number + 1}", {"alpha": str(alpha)}, sequence.step(number), data)
        for number, alpha in enumerate(sequence.alphas)
    )
    steps = [Step.of("sequence", f"alpha {number}", alpha) for number, alpha in enumerate(sequence.alphas)]
    for number in range(len(sequence.nodes)):
        steps += _weakest_link(sequence, number, data)
    for built in trees:
        steps += tree_steps(built, data)
    return WorkedExample(data, (*steps, *_choices(sequence)), trees)


def _weakest_link(sequence: CostComplexity, number: int, data: DataSet) -> Iterator[Step]:
    """A step of pruning: R(t), R(T_t), the leaves and g of each nonterminal node, the pruned node and its alpha."""
    subject, tree = f"step {number + 1}", sequence.step(number)
    link = links(tree)
    size = Fraction(link.size)
    for node in np.flatnonzero(tree.attribute != NO_ATTRIBUTE).tolist():
        name = data.attributes[int(tree.attribute[node])].name
        yield Step.of(subject, f"R({name})", Fraction(float(link.errors[node])) / size)
        yield Step.of(subject, f"R(T_{name})", Fraction(float(link.subtree_errors[node])) / size)
        yield Step.of(subject, f"leaves of T_{name}", int(link.leaves[node]))
        yield Step.of(subject, f"g({name})", link.strength(node))
    pruned = data.attributes[int(sequence.tree.attribute[sequence.nodes[number]])].name
    yield Step(subject, "pruned", pruned)
    yield Step.of(subject, "alpha", sequence.alphas[number + 1])


def _choices(sequence: CostComplexity) -> Iterator[Step]:
    """Which tree has the least cost-complexity R + alpha |leaves| for which alpha; T1 to T4 are all prunings.

    The costs are linear in alpha. So a tree that is best at both ends of an interval is best within it. Beyond an alpha
    at which it is best, it stays best if no other tree has fewer leaves.
    """
    eighth, quarter = Fraction(1, 8), Fraction(1, 4)
    best = partial(_best, sequence)
    fewest = len(sequence.leaves) - 1
    for where, ends, tree in (
        ("for 0 <= alpha < 1/8", (Fraction(0), eighth), 0),
        ("for alpha = 1/8", (eighth, eighth), 1),
        ("for 1/8 < alpha < 1/4", (eighth, quarter), 2),
    ):
        yield Step("choice", f"T{tree + 1} is best {where}", yes_or_no(all(tree in best(end) for end in ends)))
    for start, tree in ((eighth, 2), (quarter, fewest)):
        answer = yes_or_no(tree in best(start) and tree == fewest)
        yield Step("choice", f"T{tree + 1} is best for alpha >= {start}", answer)
    for alpha in (Fraction(0), eighth, Fraction(3, 16), quarter, Fraction(1)):
        costs = " ".join(f"T{tree + 1}: {cost}" for tree, cost in enumerate(_costs(sequence, alpha)))
        yield Step("choice", f"R + alpha |leaves| at alpha = {alpha}", costs)
        yield Step("choice", f"best at alpha = {alpha}", ", ".join(f"T{tree + 1}" for tree in best(alpha)))


def _costs(sequence: CostComplexity, alpha: Fraction) -> list[Fraction]:
    rows = Fraction(float(sequence.tree.counts[0].sum()))
    return [
        Fraction(float(wrong)) / rows + alpha * int(leaves)
        for wrong, leaves in zip(sequence.errors, sequence.leaves, strict=True)
    ]


def _best(sequence: CostComplexity, alpha: Fraction) -> list[int]:
    """The trees of least cost at an alpha."""
    costs = _costs(sequence, alpha)
    return [tree for tree, cost in enumerate(costs) if cost == min(costs)]
