"""How good trees classify groups of rows: for each state, the cheapest subtree of each value.

The value of a subtree is a whole number below 2**62, the sum of the values of its leaves. It has a digit for each
group, in a mixed radix: the weight of the rows of the group that the subtree classifies as the favourable class. Of two
subtrees of a state with the same value, the cheaper one can replace the other in any good tree. So one subtree of each
value covers all good trees.
"""

import numpy as np

from algorithms._numba.decorators import inner, large
from algorithms._numba.primitives import lowest
from algorithms.optimal.rashomon.counts import NO_ROOM, clear, cost_of, entry_of, has_room, store
from algorithms.optimal.rashomon.node_splits import class_weights, leaf_errors, most_common, one_split, parts_of

ZERO, ONE = np.uint64(0), np.uint64(1)


@inner
def _value(words, weights, worth, favourable):
    """The value of a leaf: the sum of the `worth` of its rows if its class is the favourable one, else 0."""
    if most_common(weights) != favourable:
        return np.int64(0)
    total = np.int64(0)
    for w in range(len(words)):
        word = words[w]
        while word != ZERO:
            total += worth[64 * w + np.int64(lowest(word))]
            word &= word - ONE
    return total


@inner
def _offer(terms, tally, entries, value, key):
    """Keep the key of a tree if it is the cheapest of its value so far; return the number of values."""
    entry = entry_of(tally, entries, value)
    if entry == entries or cost_of(terms, key) < cost_of(terms, tally.number[entry, 0]):
        tally.number[entry, 0] = key
    return max(entries, entry + 1)


@large
def cheapest_by_value(search, graph, worth, favourable, split, most_splits, effort, states, tallies, held, below):
    """Add to `below`, for these states, the cheapest key of the subtrees of each value; return as `count_by_key`.

    Branches are combined as there; where it adds numbers, the cheapest key is kept. In `below`, `key` has the values,
    and `number` (entries, 1) the keys.

    worth  : (64 * words,) int64: the amount that the row of each bit adds to the value, in a leaf of the favourable
             class
    split  : the amount that a split adds to the value: 1 if splits are limited, so that trees of different numbers of
             splits have different values; else 0
    effort : (2,) int64: the pairs of subtrees combined so far, and their limit; beyond it, the result is not complete
    states : indices of states; those below a state are in `below`, or come before it
    """
    for done in range(len(states)):
        entries, before = held, effort[0]
        if held == 0 or done > 0:
            entries = _cheapest(
                search, graph, worth, favourable, split, most_splits, effort, states[done], tallies, below
            )
        if effort[0] > effort[1]:
            return done, 0
        if entries == NO_ROOM:
            effort[0] = before
            return done, 0
        if not store(below, states[done], tallies.result, entries):
            return done, entries
    return len(states), 0


@inner
def _cheapest(search, graph, worth, favourable, split, most_splits, effort, state, tallies, below):
    """Write the cheapest keys of a state to `tallies.result`; return its number of entries, or NO_ROOM."""
    rows, tests, terms, scratch = search.rows, search.tests, search.terms, search.scratch
    weights, errors, part_weights, parts = scratch.weights[0], scratch.errors[0], scratch.part_weights, scratch.parts[0]
    result, partial, longer = tallies.result, tallies.partial, tallies.longer
    node_key, field = np.int64(1) << terms.shift, (np.int64(1) << terms.shift) - 1
    ceiling, in_result, words = graph.ceiling[state], 0, graph.words[state]
    number = class_weights(rows, words, weights)
    leaf = (leaf_errors(weights) << (2 * terms.shift)) + 1
    if cost_of(terms, leaf) <= ceiling:
        in_result = _offer(terms, result, in_result, _value(words, weights, worth, favourable), leaf)
    if graph.depth[state] == 1:
        one_split(rows, tests, terms.least, words, number, weights, part_weights, errors)
        if not has_room(result, in_result, len(errors)):
            return NO_ROOM
        for q in range(len(errors)):
            if errors[q] < 0:
                continue
            n = parts_of(tests, q, words, parts)
            key = (errors[q] << (2 * terms.shift)) + node_key + n
            if cost_of(terms, key) <= ceiling:
                value = split
                for k in range(n):
                    class_weights(rows, parts[k], part_weights)
                    value += _value(parts[k], part_weights, worth, favourable)
                in_result = _offer(terms, result, in_result, value, key)
    for choice in range(graph.begin[state], graph.end[state]):
        rest = 0.0
        first, last = graph.first_branch[choice], graph.first_branch[choice + 1]
        for branch in range(first, last):
            rest += graph.least[graph.child[branch]]
        in_partial = _offer(terms, partial, 0, split, node_key)
        for branch in range(first, last):
            child = graph.child[branch]
            begin, end = below.begin[child], below.end[child]
            rest -= graph.least[child]
            effort[0] += in_partial * (end - begin)
            if effort[0] > effort[1]:
                return NO_ROOM
            into, entries = longer, 0
            if branch == last - 1:
                into, entries = result, in_result
            for i in range(in_partial):
                if not has_room(into, entries, end - begin):
                    return NO_ROOM
                for j in range(begin, end):
                    key = partial.number[i, 0] + below.number[j, 0]
                    if cost_of(terms, key) + rest > ceiling or ((key >> terms.shift) & field) > most_splits:
                        continue
                    entries = _offer(terms, into, entries, partial.key[i] + below.key[j], key)
            clear(partial, in_partial)
            if branch == last - 1:
                in_result = entries
            else:
                partial, longer, in_partial = longer, partial, entries
    return in_result
