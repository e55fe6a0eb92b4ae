"""How many good trees classify each row as each class: the numbers of trees around each state, then below it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner, kernel
from algorithms.optimal.rashomon.counts import START, add, add_product, clear, cost_of, empty, stored, with_capacity
from algorithms.optimal.rashomon.node_splits import branches, class_weights, leaf_errors, one_split, parts_of


class ParentStates(NamedTuple):
    """The branches that lead to each state."""

    begin: Any  # (states + 1,) int64: the first branch of a state
    branch: Any  # (branches,) int64
    choice: Any  # (branches,) int64: that of each branch
    state: Any  # (branches,) int64: that of the choice


@kernel
def count_around(search, graph, states, factor, parents, below, primes, around):
    """Add to `around` the trees around these states by key, and their numbers as remainders; return it.

    A tree around a state is a good tree without the subtree of that state; its key is that of the rest.

    states : those of more levels come before those of fewer
    factor : (tests, lanes) how many attributes make each test
    below  : of all states, by `count_by_key`
    around : that of the root has one entry, 1 tree with the key 0
    primes : (lanes,)
    """
    terms, most = search.terms, graph.ceiling[0]
    lanes = len(primes)
    result, partial, extended = empty(START, lanes), empty(START, lanes), empty(START, lanes)
    one_node = np.int64(1) << terms.shift
    for state in states:
        entries = 0
        for index in range(parents.begin[state], parents.begin[state + 1]):
            choice, parent = parents.choice[index], parents.state[index]
            first, last = graph.branch[choice], graph.branch[choice + 1]
            rest = graph.least[state]
            for branch in range(first, last):
                if branch != parents.branch[index]:
                    rest += graph.least[graph.to[branch]]
            size, q = 0, graph.test[choice]
            partial = with_capacity(partial, 0, around.end[parent] - around.begin[parent])
            for i in range(around.begin[parent], around.end[parent]):
                if cost_of(terms, around.key[i] + one_node) + rest <= most:
                    size = add_product(
                        partial, size, around.key[i] + one_node, around.number, i, factor, q, factor, q, 0, primes
                    )
            for branch in range(first, last):
                if branch == parents.branch[index]:
                    continue
                sibling = graph.to[branch]
                rest -= graph.least[sibling]
                following = 0
                for i in range(size):
                    extended = with_capacity(extended, following, below.end[sibling] - below.begin[sibling])
                    for j in range(below.begin[sibling], below.end[sibling]):
                        key = partial.key[i] + below.key[j]
                        if cost_of(terms, key) + rest <= most:
                            following = add_product(
                                extended, following, key, partial.number, i, below.number, j, factor, q, 0, primes
                            )
                clear(partial, size)
                partial, extended, size = extended, partial, following
            result = with_capacity(result, entries, size)
            for i in range(size):
                entries = add(result, entries, partial.key[i], partial.number, i, 0, primes)
            clear(partial, size)
        around = stored(around, state, result, entries)
    return around


@kernel
def count_votes(search, graph, factor, around, most_splits, primes):
    """(64 * words, classes, lanes): how many good trees classify the row of each bit as each class, as remainders."""
    rows, tests, terms, _, scratch, _, _ = search
    counts, errors, part, parts = scratch.counts[0], scratch.errors[0], scratch.part, scratch.words[0]
    votes = np.zeros((len(rows.weight), len(counts), len(primes)), np.int64)
    most, one_node = graph.ceiling[0], np.int64(1) << terms.shift
    trees, once = np.empty(len(primes), np.int64), np.ones((1, len(primes)), np.int64)
    for state in range(graph.size[0]):
        words = graph.words[state]
        number = class_weights(rows, words, counts)
        leaf = (leaf_errors(counts) << (2 * terms.shift)) + 1
        if _completed(terms, around, state, leaf, most, most_splits, once, 0, primes, trees):
            _vote(votes, words, counts, trees, primes)
        if graph.depth[state] != 1:
            continue
        one_split(rows, tests, terms.least, words, number, counts, part, errors)
        for q in range(len(errors)):
            if errors[q] < 0:
                continue
            split = (errors[q] << (2 * terms.shift)) + one_node + branches(tests, q, words)
            if _completed(terms, around, state, split, most, most_splits, factor, q, primes, trees):
                for k in range(parts_of(tests, q, words, parts)):
                    class_weights(rows, parts[k], part)
                    _vote(votes, parts[k], part, trees, primes)
    return votes


@inner
def _completed(terms, around, state, subtree, most, most_splits, factor, q, primes, trees):
    """Write how many good trees have a subtree with this key at a state, times a factor; return whether any do."""
    field, some = (np.int64(1) << terms.shift) - 1, False
    trees[:] = 0
    for i in range(around.begin[state], around.end[state]):
        key = around.key[i] + subtree
        if cost_of(terms, key) <= most and ((key >> terms.shift) & field) <= most_splits:
            some = True
            for lane in range(len(primes)):
                trees[lane] = (trees[lane] + around.number[i, lane]) % primes[lane]
    for lane in range(len(primes)):
        trees[lane] = trees[lane] * factor[q, lane] % primes[lane]
    return some


@inner
def _vote(votes, words, counts, trees, primes):
    """Add the trees to the votes of a set of rows for its most common class, the first of them."""
    chosen = 0
    for c in range(len(counts)):
        if counts[c] > counts[chosen]:
            chosen = c
    for w in range(len(words)):
        word = words[w]
        for bit in range(64):
            if (word >> np.uint64(bit)) & np.uint64(1):
                for lane in range(len(primes)):
                    votes[64 * w + bit, chosen, lane] = (votes[64 * w + bit, chosen, lane] + trees[lane]) % primes[lane]
