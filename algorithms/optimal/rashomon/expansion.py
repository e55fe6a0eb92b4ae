"""The graph of good trees: sets of rows, and the splits of each that some good tree takes.

A state is a set of rows and a depth, the most levels of its subtrees. A choice is a split of a state that some good
tree takes. The ceiling of a state is the most that a subtree costs in any good tree. It is the greatest over all
choices that lead to the state, so states are expanded in the order of decreasing depth.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inlined, inner, large
from algorithms.kernel_arrays import array
from algorithms.optimal.binary.bit_memo import hash_of
from algorithms.optimal.rashomon.cost_memo import WORK, is_stopped
from algorithms.optimal.rashomon.least_tree_costs import SUSPENDED, bound_parts, least_cost, useful_depth
from algorithms.optimal.rashomon.node_splits import class_weights, one_split, parts_of
from algorithms.optimal.rashomon.pair_costs import cost_below
from algorithms.splitmix import GOLDEN

READY, FULL, STOPPED = 0, 1, 2
"""How `expand` ended: all states of the depth are expanded; an array of the graph must grow; `is_stopped`."""

STATES, CHOICES, BRANCHES = 0, 1, 2
"""Indices of `Graph.size`."""
ONE = np.uint64(1)
FIRST, SECOND = 0, 1
"""Levels."""


class Graph(NamedTuple):
    """The graph so far; its first state has all rows. Splits of states of depth 1 are not stored: see `one_split`."""

    words: Any = array("states words", np.uint64)  # the rows, see `node_splits`
    key: Any = array("states 2", np.uint64)  # a hash of 128 bits of the rows, see `hash_of`
    depth: Any = array("states", np.int32)  # most levels of a subtree
    least: Any = array("states", np.float64)  # least cost of a subtree
    ceiling: Any = array("states", np.float64)  # most that a subtree costs in a good tree
    next: Any = array("states")  # the next state of the same depth, -1 after the last
    begin: Any = array("states")  # the first choice of a state
    end: Any = array("states")  # the choice after its last
    test: Any = array("2*states")  # the test of each choice
    first_branch: Any = array("2*states+1")  # the first branch of each choice
    child: Any = array("4*states")  # the state of each branch
    slot: Any = array("slots")  # the hash table of states by key and depth, -1 if empty; slots are a power of two
    head: Any = array("levels")  # the first state of each depth, -1 without one
    size: Any = array("3")  # numbers of states, choices and branches


@inlined
def _slot(graph, key, depth):
    """The slot of a set of rows at a depth, or the empty slot for it."""
    slots = np.uint64(len(graph.slot) - 1)
    slot = (key[1] + np.uint64(depth) * GOLDEN) & slots
    while graph.slot[slot] >= 0:
        state = graph.slot[slot]
        if graph.key[state, 0] == key[0] and graph.key[state, 1] == key[1] and graph.depth[state] == depth:
            break
        slot = (slot + ONE) & slots
    return slot


@inner
def _add_state(graph, words, key, depth, least, ceiling):
    """The state of a set of rows at a depth, added if it is new; its ceiling becomes at least this one.

    words, key : (words,), (2,) uint64: the rows, and their hash
    """
    slot = _slot(graph, key, depth)
    state = graph.slot[slot]
    if state < 0:
        state = graph.size[STATES]
        graph.size[STATES] += 1
        graph.slot[slot] = state
        for w in range(len(words)):
            graph.words[state, w] = words[w]
        graph.key[state, 0], graph.key[state, 1] = key[0], key[1]
        graph.depth[state], graph.least[state], graph.ceiling[state] = depth, least, ceiling
        graph.begin[state] = graph.end[state] = 0
        graph.next[state], graph.head[depth] = graph.head[depth], state
    graph.ceiling[state] = max(graph.ceiling[state], ceiling)
    return state


@large
def fill_slots(graph):
    """Enter all states into an empty hash table."""
    for state in range(graph.size[STATES]):
        graph.slot[_slot(graph, graph.key[state], graph.depth[state])] = state


@large
def expand(search, pairs, graph, state, most_branches):
    """Write the choices of a state and of the next ones of the same depth; return (how it ended, state to continue at).

    A graph without states first gets its first state, which the caller has written without its least cost.

    most_branches : a bound of the branches of all tests of a state together
    """
    if graph.size[STATES] == 0 and not _add_first_state(search, pairs, graph):
        return STOPPED, state
    while state >= 0:
        if (
            graph.size[STATES] + most_branches >= len(graph.depth)
            or graph.size[CHOICES] + len(search.tests.kind) >= len(graph.test)
            or graph.size[BRANCHES] + most_branches >= len(graph.child)
        ):
            return FULL, state
        if is_stopped(search.memo) or not _expand(search, pairs, graph, state):
            return STOPPED, state
        state = graph.next[state]
    return READY, state


@inner
def _add_first_state(search, pairs, graph):
    """Find the least cost of the first state, and add the state; return False if the search must stop."""
    words, key, ceiling, depth = graph.words[0], graph.key[0], graph.ceiling[0], np.int64(graph.depth[0])
    for w in range(len(words)):
        search.scratch.node[FIRST, w] = words[w]
    least = least_cost(search, pairs, FIRST, depth, ceiling)
    if least == SUSPENDED:
        return False
    hash_of(words, words, True, key)
    _add_state(graph, words, key, depth, least, ceiling)
    return True


@inner
def _least_through(search, pairs, q, n, depth, ceiling):
    """The least cost of trees with test q at the root, or a lower bound above the ceiling; SUSPENDED if stopped.

    The n parts of the rows are in `scratch.parts[0]`; write their least costs to `scratch.bound[0]`.
    """
    scratch = search.scratch
    parts, bound, total, solved = scratch.parts[0], scratch.bound[0], scratch.total, scratch.solved
    if scratch.level[0] == 0:
        total[0], solved[0] = bound_parts(search, pairs, FIRST, q, n), 0
    while solved[0] < n and total[0] <= ceiling:
        k = solved[0]
        for w in range(parts.shape[1]):
            scratch.node[1, w] = parts[k, w]
        value = least_cost(search, pairs, SECOND, depth - 1, ceiling - (total[0] - bound[k]))
        if value == SUSPENDED:
            return SUSPENDED
        total[0] += value - bound[k]
        bound[k] = value
        solved[0] += 1
    return total[0]


@inner
def _expand(search, pairs, graph, state):
    """Write the choices of a state; return False if the search must stop. The next call then resumes at the same test.

    `scratch.errors[0]` is -1 for the tests that are done.
    """
    rows, tests, terms, memo, scratch = search.rows, search.tests, search.terms, search.memo, search.scratch
    words, ceiling, depth = graph.words[state], graph.ceiling[state], np.int64(graph.depth[state])
    weights, errors, parts = scratch.weights[0], scratch.errors[0], scratch.parts[0]
    bound, key = scratch.bound[0], scratch.key[0]
    if scratch.level[0] == 0:
        number = class_weights(rows, words, weights)
        one_split(rows, tests, terms.least, words, number, weights, scratch.part_weights, errors)
        memo.state[WORK] += len(errors)
        if pairs is not None:
            cost_below(rows, tests, terms, words, pairs, FIRST)
            memo.state[WORK] += len(errors) * len(errors) // 2
        graph.begin[state] = graph.size[CHOICES]
    for q in range(len(errors)):
        if errors[q] < 0:
            continue
        if pairs is not None and depth == 2:
            total, n = terms.split + pairs.below[0, q, 0] + pairs.below[0, q, 1], 2
            bound[0], bound[1] = pairs.below[0, q, 0], pairs.below[0, q, 1]
            if total <= ceiling:
                parts_of(tests, q, words, parts)
        else:
            n = parts_of(tests, q, words, parts)
            total = _least_through(search, pairs, q, n, depth, ceiling)
            if total == SUSPENDED:
                return False
        errors[q] = -1
        if total > ceiling:
            continue
        choice = graph.size[CHOICES]
        graph.test[choice] = q
        for k in range(n):
            hash_of(parts[k], parts[k], True, key)
            levels = useful_depth(terms, class_weights(rows, parts[k], scratch.part_weights), depth - 1)
            graph.child[graph.size[BRANCHES]] = _add_state(
                graph, parts[k], key, levels, bound[k], ceiling - (total - bound[k])
            )
            graph.size[BRANCHES] += 1
        graph.size[CHOICES] += 1
        graph.first_branch[graph.size[CHOICES]] = graph.size[BRANCHES]
    graph.end[state] = graph.size[CHOICES]
    return True
