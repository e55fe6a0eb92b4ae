"""How good trees classify groups of rows: for each state and each value, the cheapest subtree with it.

The value of a subtree is a whole number that adds up over its leaves: the weight of the rows that it classifies as one
class, of each group in digits of its own. Of two subtrees with the same value the cheaper one can replace the other in
any good tree. So one of each value is enough, and all good trees are covered, however many they are.
"""

import numpy as np

from algorithms._numba.decorators import inner, kernel
from algorithms._numba.primitives import lowest
from algorithms.optimal.rashomon.counts import START, clear, cost_of, entry_of, new_tally, stored, with_capacity
from algorithms.optimal.rashomon.node_splits import class_weights, leaf_errors, most_common, one_split, parts_of

ZERO, ONE = np.uint64(0), np.uint64(1)


@inner
def _value(words, weights, worth, favourable):
    """The value of a leaf: the worth of its rows, if the first of its most common classes is the favourable one."""
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
    """Keep the key of a tree with a value if it is the cheapest so far; return how many values there are then."""
    entry = entry_of(tally, entries, value)
    if entry == entries or cost_of(terms, key) < cost_of(terms, tally.number[entry, 0]):
        tally.number[entry, 0] = key
    return max(entries, entry + 1)


@kernel
def cheapest_by_value(search, graph, states, worth, favourable, split, most_splits, effort, below):
    """Add to `below` the keys of the cheapest subtrees of these states by value, instead of numbers; return it.

    The branches of a split are combined as in `count_by_key`, but the cheapest is kept where that adds numbers.

    worth  : (64 * words,) the amount that the row of each bit adds to the value, in a leaf of the favourable class
    split  : the amount that a split adds to the value, so that trees of different splits are kept apart; or 0
    effort : (2,) pairs of subtrees combined so far, and at most; if it is exceeded, the counts are not complete
    """
    rows, tests, terms, _, scratch, _ = search
    weights, errors, part_weights, parts = scratch.weights[0], scratch.errors[0], scratch.part_weights, scratch.parts[0]
    result, partial, longer = new_tally(START, 1), new_tally(START, 1), new_tally(START, 1)
    node_key, field = np.int64(1) << terms.shift, (np.int64(1) << terms.shift) - 1
    for state in states:
        ceiling, in_result, words = graph.ceiling[state], 0, graph.words[state]
        number = class_weights(rows, words, weights)
        leaf = (leaf_errors(weights) << (2 * terms.shift)) + 1
        if cost_of(terms, leaf) <= ceiling:
            in_result = _offer(terms, result, in_result, _value(words, weights, worth, favourable), leaf)
        if graph.depth[state] == 1:
            one_split(rows, tests, terms.least, words, number, weights, part_weights, errors)
            result = with_capacity(result, in_result, len(errors))
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
                rest -= graph.least[child]
                final, in_longer = branch == last - 1, 0
                begin, end = below.begin[child], below.end[child]
                effort[0] += in_partial * (end - begin)
                if effort[0] > effort[1]:
                    return below
                for i in range(in_partial):
                    if final:
                        result = with_capacity(result, in_result, end - begin)
                    else:
                        longer = with_capacity(longer, in_longer, end - begin)
                    for j in range(begin, end):
                        key = partial.number[i, 0] + below.number[j, 0]
                        if cost_of(terms, key) + rest > ceiling or ((key >> terms.shift) & field) > most_splits:
                            continue
                        value = partial.key[i] + below.key[j]
                        if final:
                            in_result = _offer(terms, result, in_result, value, key)
                        else:
                            in_longer = _offer(terms, longer, in_longer, value, key)
                clear(partial, in_partial)
                partial, longer, in_partial = longer, partial, in_longer
        below = stored(below, state, result, in_result)
    return below
