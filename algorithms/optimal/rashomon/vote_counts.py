"""How many good trees classify each row as each class, by the numbers of trees around the state of each leaf.

A tree around a state is a good tree without the subtree of that state; its key is that of the rest, see `counts`.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner, large
from algorithms._numba.primitives import lowest
from algorithms.optimal.rashomon.counts import NO_ROOM, add, add_product, clear, cost_of, has_room, store
from algorithms.optimal.rashomon.node_splits import (
    branches,
    class_weights,
    leaf_errors,
    most_common,
    one_split,
    parts_of,
)

ZERO, ONE = np.uint64(0), np.uint64(1)


class ParentStates(NamedTuple):
    """The branches that lead to each state."""

    begin: Any  # (states + 1,) int64: where the branches to each state begin in the other arrays
    branch: Any  # (branches,) int64: the branches, sorted by the state that they lead to
    choice: Any  # (branches,) int64: the choice of each branch
    state: Any  # (branches,) int64: the state of this choice


@large
def count_around(terms, graph, factor, primes, parents, below, states, tallies, held, around):
    """Add to `around` the numbers of the trees around these states by key, as remainders; return as `count_by_key`.

    The branches of a split are combined as in `count_by_key`, beginning with the trees around the parent. The loop is
    written out again, because a call for each branch would take about a tenth of the time.

    states : indices of states, those of more levels first
    factor : (tests, counters) int64: how many attributes make each test
    below  : the result of `count_by_key` for all states
    around : for the root, it has one entry: 1 tree with the key 0
    primes : (counters,) int64
    """
    for done in range(len(states)):
        entries = held
        if held == 0 or done > 0:
            entries = _count_around(terms, graph, factor, primes, parents, below, states[done], tallies, around)
        if entries == NO_ROOM:
            return done, 0
        if not store(around, states[done], tallies.result, entries):
            return done, entries
    return len(states), 0


@inner
def _count_around(terms, graph, factor, primes, parents, below, state, tallies, around):
    """Write the numbers of the trees around a state to `tallies.result`; return its number of entries, or NO_ROOM."""
    result, partial, longer = tallies.result, tallies.partial, tallies.longer
    node_key, most, in_result = np.int64(1) << terms.shift, graph.ceiling[0], 0
    for index in range(parents.begin[state], parents.begin[state + 1]):
        choice, parent = parents.choice[index], parents.state[index]
        first, last = graph.first_branch[choice], graph.first_branch[choice + 1]
        rest = graph.least[state]
        for branch in range(first, last):
            if branch != parents.branch[index]:
                rest += graph.least[graph.child[branch]]
        in_partial, q = 0, graph.test[choice]
        if not has_room(partial, 0, around.end[parent] - around.begin[parent]):
            return NO_ROOM
        for i in range(around.begin[parent], around.end[parent]):
            if cost_of(terms, around.key[i] + node_key) + rest <= most:
                in_partial = add_product(
                    partial, in_partial, around.key[i] + node_key, around.number, i, factor, q, factor, q, 0, primes
                )
        for branch in range(first, last):
            if branch == parents.branch[index]:
                continue
            sibling = graph.child[branch]
            rest -= graph.least[sibling]
            in_longer = 0
            for i in range(in_partial):
                if not has_room(longer, in_longer, below.end[sibling] - below.begin[sibling]):
                    return NO_ROOM
                for j in range(below.begin[sibling], below.end[sibling]):
                    key = partial.key[i] + below.key[j]
                    if cost_of(terms, key) + rest <= most:
                        in_longer = add_product(
                            longer, in_longer, key, partial.number, i, below.number, j, factor, q, 0, primes
                        )
            clear(partial, in_partial)
            partial, longer, in_partial = longer, partial, in_longer
        if not has_room(result, in_result, in_partial):
            return NO_ROOM
        for i in range(in_partial):
            in_result = add(result, in_result, partial.key[i], partial.number, i, 0, primes)
        clear(partial, in_partial)
    return in_result


@large
def count_votes(search, graph, states, factor, around, most_splits, primes, once, trees, votes):
    """Add to `votes` how many good trees classify the row of each bit as each class, by leaves of these states.

    A state of one level also counts the leaves below each split.

    factor : (tests, primes) int64: how many attributes make each test
    around : the result of `count_around` for all states
    once   : (1, primes) int64: ones
    trees  : (primes,) int64: scratch
    votes  : (64 * words, classes, primes) int64: the numbers, as remainders
    """
    rows, tests, terms, scratch = search.rows, search.tests, search.terms, search.scratch
    weights, errors, part_weights, parts = scratch.weights[0], scratch.errors[0], scratch.part_weights, scratch.parts[0]
    most, node_key = graph.ceiling[0], np.int64(1) << terms.shift
    for state in states:
        words = graph.words[state]
        number = class_weights(rows, words, weights)
        leaf = (leaf_errors(weights) << (2 * terms.shift)) + 1
        if _count_trees_with(terms, around, state, leaf, most, most_splits, once, 0, primes, trees):
            _vote(votes, words, weights, trees, primes)
        if graph.depth[state] != 1:
            continue
        one_split(rows, tests, terms.least, words, number, weights, part_weights, errors)
        for q in range(len(errors)):
            if errors[q] < 0:
                continue
            split = (errors[q] << (2 * terms.shift)) + node_key + branches(tests, q, words)
            if _count_trees_with(terms, around, state, split, most, most_splits, factor, q, primes, trees):
                for k in range(parts_of(tests, q, words, parts)):
                    class_weights(rows, parts[k], part_weights)
                    _vote(votes, parts[k], part_weights, trees, primes)


@inner
def _count_trees_with(terms, around, state, subtree, most, most_splits, factor, q, primes, trees):
    """Write to `trees` (primes,) how many good trees have a subtree at a state, times a factor; return whether any do.

    subtree : the key of the subtree
    """
    field, some = (np.int64(1) << terms.shift) - 1, False
    trees[:] = 0
    for i in range(around.begin[state], around.end[state]):
        key = around.key[i] + subtree
        if cost_of(terms, key) <= most and ((key >> terms.shift) & field) <= most_splits:
            some = True
            for counter in range(len(primes)):
                trees[counter] = (trees[counter] + around.number[i, counter]) % primes[counter]
    for counter in range(len(primes)):
        trees[counter] = trees[counter] * factor[q, counter] % primes[counter]
    return some


@inner
def _vote(votes, words, weights, trees, primes):
    """Add the number of trees to the votes of each row of a leaf for the class of the leaf."""
    chosen = most_common(weights)
    for w in range(len(words)):
        word = words[w]
        while word != ZERO:
            row = 64 * w + np.int64(lowest(word))
            for counter in range(len(primes)):
                votes[row, chosen, counter] = (votes[row, chosen, counter] + trees[counter]) % primes[counter]
            word &= word - ONE
