"""Generations of EVO-Tree: the first is random, every other is bred from its predecessor."""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import allocating, kernel
from algorithms.evolutionary.correct_rows import change_of_correct_weight, correct_weight
from algorithms.evolutionary.draws import begin_stream, draw_below
from algorithms.evolutionary.population import crossed, draw_node, grown, height, level_of
from algorithms.trees.node_kinds import NO_ATTRIBUTE


class ParentTrees(NamedTuple):
    """The trees that the next generation is bred from, as indices in the current generation."""

    elite: Any  # (elite,): copied unchanged
    first: Any  # (crossovers,): each receives a subtree
    second: Any  # (crossovers,): each gives a subtree to the tree in `first`
    mutated: Any  # (mutations,)


@kernel
def first_generation(population, tests, rows, scratch, split_probability, max_depth, seed):
    """Grow and evaluate random trees; False if `population.nodes` is too short. `seed` is a uint64."""
    stream = np.empty(1, np.uint64)
    population.start[0] = 0
    for tree in range(len(population.depth)):
        begin_stream(stream, seed, np.uint64(0), np.uint64(tree))
        out = population.nodes[population.start[tree] :]
        nodes = grown(tests, split_probability, max_depth, stream, out)
        if nodes < 0:
            return False
        _finish_tree(population, tree, nodes)
        population.correct[tree] = correct_weight(rows, out[:nodes], scratch)
    return True


@kernel
def evaluate(population, rows, scratch):
    """Evaluate all trees again."""
    for tree in range(len(population.depth)):
        population.correct[tree] = correct_weight(rows, _tree(population, tree), scratch)


@kernel
def next_generation(current, parents, following, tests, rows, scratch, max_depth, seed, generation):
    """Write the next generation into `following`: the elite, children by crossover, children by mutation.

    A child by crossover is its first parent, with the subtree of a random node replaced by the subtree of a random node
    of the second parent. The second node is drawn again until the child is no deeper than max_depth. This ends soon: a
    terminal node always fits, and more than half of all nodes are terminal. In a child by mutation, the test or the
    class of a random node is drawn again. `following.nodes` must be as long as the nodes of all parents together.
    """
    stream = np.empty(1, np.uint64)
    longest = np.int64(0)
    for tree in range(len(current.depth)):
        longest = max(longest, current.start[tree + 1] - current.start[tree])
    dropped = np.empty(longest, np.bool_)
    graft, graft_index = np.empty(longest, np.int64), np.empty(longest, np.int64)
    following.start[0] = 0
    child = np.int64(0)  # a literal would compile the called kernels twice
    for tree in parents.elite:
        _copy(current, tree, following, child)
        child += 1
    for k in range(len(parents.first)):
        begin_stream(stream, seed, generation, np.uint64(child))
        first, second = _tree(current, parents.first[k]), _tree(current, parents.second[k])
        position = draw_below(stream, len(first))
        most = max_depth - level_of(first[position].index)
        second_position = draw_below(stream, len(second))
        while height(second, second_position) > most:
            second_position = draw_below(stream, len(second))
        out = following.nodes[following.start[child] :]
        nodes = crossed(first, position, second, second_position, out, dropped, graft, graft_index)
        _finish_tree(following, child, nodes)
        change = change_of_correct_weight(rows, first, out[:nodes], position, scratch)
        following.correct[child] = current.correct[parents.first[k]] + change
        child += 1
    for tree in parents.mutated:
        begin_stream(stream, seed, generation, np.uint64(child))
        before = _tree(current, tree)
        _copy(current, tree, following, child)
        after = _tree(following, child)
        position = draw_below(stream, len(after))
        while rows.majority and after[position].attribute == NO_ATTRIBUTE and len(after) > 1:
            position = draw_below(stream, len(after))  # the class of this terminal node is not used
        draw_node(after[position], tests, stream)
        following.correct[child] += change_of_correct_weight(rows, before, after, position, scratch)
        child += 1


@kernel
def _tree(population, tree):
    return population.nodes[population.start[tree] : population.start[tree + 1]]


@allocating
def _copy(current, tree, following, child):
    nodes = _tree(current, tree)
    begins = following.start[child]
    for index in range(len(nodes)):  # numba takes seconds to compile a slice assignment
        following.nodes[begins + index] = nodes[index]
    following.start[child + 1] = begins + len(nodes)
    following.depth[child], following.correct[child] = current.depth[tree], current.correct[tree]


@allocating
def _finish_tree(population, tree, nodes):
    """Write the end and the depth of a tree of `nodes` nodes. No node is deeper than the last."""
    end = population.start[tree] + nodes
    population.start[tree + 1] = end
    population.depth[tree] = level_of(population.nodes[end - 1].index)
