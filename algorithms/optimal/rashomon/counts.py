"""How many good trees there are below each state, by their errors, splits and leaves; and how much they use attributes.

A key packs these three into 62 bits of an int64: leaves in the lowest `shift` bits, splits in the next `shift` bits,
and above them errors, in the unit of the weights. So the key of a tree is the sum of the keys of its branches and of
its root. `shift` is large enough for the leaves of any two subtrees whose keys are added, see `_most_leaves`.

Several counters run in one pass. A counter with a prime counts trees modulo this prime, since their numbers soon exceed
64 bits; the remainders by several primes give the number, see `remainders`. A counter whose prime is 0 keeps the
greatest weight, over the trees, of the rows that meet certain tests; with negated weights, it keeps the least weight,
negated.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import allocating, inlined, inner, kernel
from algorithms.optimal.rashomon.node_splits import branches, class_weights, leaf_errors, one_split
from algorithms.splitmix import GOLDEN

START = 256
"""Slots of a new tally."""
SHIFT = np.uint64(32)


class KeyTally(NamedTuple):
    """A hash table from keys to numbers, one for each counter."""

    table: Any  # (slots,) int64: the entry of a key, -1 in an empty slot; slots are a power of two
    slot: Any  # (entries,) int64: the slot of each entry
    key: Any  # (entries,) int64
    number: Any  # (entries, counters) int64


@inlined
def cost_of(terms, key):
    """The cost of a tree by its key."""
    field = (np.int64(1) << terms.shift) - 1
    return (key >> (2 * terms.shift)) + terms.split * ((key >> terms.shift) & field) + terms.leaf * (key & field)


@allocating
def new_tally(slots, counters):
    """An empty tally with this many slots, for half as many entries."""
    half = slots // 2
    return KeyTally(
        np.full(slots, -1, np.int64),
        np.empty(half, np.int64),
        np.empty(half, np.int64),
        np.empty((half, counters), np.int64),
    )


@allocating
def with_capacity(tally, entries, more):
    """The tally, or a larger copy, with capacity for `more` further entries."""
    if entries + more <= len(tally.key):
        return tally
    slots = len(tally.table)
    while entries + more > slots // 2:
        slots *= 2
    larger = new_tally(slots, tally.number.shape[1])
    for i in range(entries):
        entry_of(larger, i, tally.key[i])
        for counter in range(tally.number.shape[1]):
            larger.number[i, counter] = tally.number[i, counter]
    return larger


@inner
def entry_of(tally, entries, key):
    """The entry of a key; if it has none, a new entry, whose index is the number of entries."""
    mixed = np.uint64(key) * GOLDEN
    slot = np.int64((mixed ^ (mixed >> SHIFT)) & np.uint64(len(tally.table) - 1))
    while tally.table[slot] >= 0 and tally.key[tally.table[slot]] != key:
        slot = (slot + 1) & (len(tally.table) - 1)
    entry = tally.table[slot]
    if entry < 0:
        tally.table[slot], tally.slot[entries], tally.key[entries] = entries, slot, key
        return entries
    return entry


@inlined
def _merge(tally, entry, counter, new, number, prime):
    """Write the number of a new entry; for another entry, add modulo the prime, or keep the greater without a prime."""
    if new:
        tally.number[entry, counter] = number
    elif prime:
        tally.number[entry, counter] = (tally.number[entry, counter] + number) % prime
    else:
        tally.number[entry, counter] = max(tally.number[entry, counter], number)


@inner
def add(tally, entries, key, numbers, i, weight, primes):
    """Merge `numbers[i]` into those of a key; return the number of entries.

    numbers : (..., counters) int64
    weight  : factor of the numbers of counters without a prime
    """
    entry = entry_of(tally, entries, key)
    for counter in range(len(primes)):
        number = numbers[i, counter] if primes[counter] else numbers[i, counter] * weight
        _merge(tally, entry, counter, entry == entries, number, primes[counter])
    return max(entries, entry + 1)


@inner
def add_product(tally, entries, key, first, i, second, j, factor, q, weight, primes):
    """Merge into a key the numbers of the trees that combine two parts, `first[i]` and `second[j]`, as `add` does.

    factor    : as in `count_by_key`
    q, weight : the test of the node, and the weight of its rows: all of them meet this test
    """
    entry = entry_of(tally, entries, key)
    for counter in range(len(primes)):
        if primes[counter]:
            number = first[i, counter] * second[j, counter] % primes[counter]
        elif factor[q, counter]:
            number = factor[q, counter] * weight
        else:
            number = first[i, counter] + second[j, counter]
        _merge(tally, entry, counter, entry == entries, number, primes[counter])
    return max(entries, entry + 1)


@inner
def clear(tally, entries):
    """Remove all entries of a tally."""
    for i in range(entries):
        tally.table[tally.slot[i]] = -1


class Counts(NamedTuple):
    """The entries of the tallies of all states."""

    begin: Any  # (states,) int64: the first entry of a state
    end: Any  # (states,) int64: the end of its entries
    key: Any  # (entries,) int64
    number: Any  # (entries, counters) int64
    size: Any  # (1,) int64: entries so far; the arrays may be longer


@allocating
def stored(counts, state, tally, entries):
    """Add the entries of a tally to the counts, as those of a state, and clear it; return the counts."""
    used = counts.size[0]
    if used + entries > len(counts.key):
        counts = Counts(
            counts.begin,
            counts.end,
            np.concatenate((counts.key, np.empty(used + entries, np.int64))),
            np.concatenate((counts.number, np.empty((used + entries, counts.number.shape[1]), np.int64))),
            counts.size,
        )
    counts.begin[state], counts.end[state], counts.size[0] = used, used + entries, used + entries
    for i in range(entries):
        counts.key[used + i] = tally.key[i]
        for counter in range(counts.number.shape[1]):
            counts.number[used + i, counter] = tally.number[i, counter]
    clear(tally, entries)
    return counts


@kernel
def count_by_key(search, graph, given, states, factor, primes, below):
    """Add to `below` the numbers of the subtrees of these states by key; return it.

    given  : the rows with the weights of the instance, for counters of weights
    states : indices of states; those below a state are already counted, or come before it
    factor : (tests, counters) int64: for a counter with a prime, how many attributes make each test; for one without,
             1 for the tests whose rows are weighed (-1 to negate the weights), 0 for the others
    primes : (counters,) int64: below 2**31; 0 for a counter of weights

    The branches of a split are combined one after another. `partial` has the combinations of the subtrees of the
    branches so far, `longer` those with the next branch, `result` those with all branches; `in_partial` and so on are
    their numbers of entries. `rest` is the least cost of the branches that follow.
    """
    rows, tests, terms, _, scratch, _ = search
    weights, errors, counters = scratch.weights[0], scratch.errors[0], len(primes)
    result, partial, longer = new_tally(START, counters), new_tally(START, counters), new_tally(START, counters)
    leaf_key, node_key = np.int64(1), np.int64(1) << terms.shift
    nothing = (primes > 0).astype(np.int64).reshape(1, counters)  # a tree without tests
    for state in states:
        ceiling, in_result = graph.ceiling[state], 0
        class_weights(given, graph.words[state], weights)
        weight = weights.sum()
        number = class_weights(rows, graph.words[state], weights)
        leaf = (leaf_errors(weights) << (2 * terms.shift)) + leaf_key
        if cost_of(terms, leaf) <= ceiling:
            in_result = add(result, in_result, leaf, nothing, 0, 0, primes)
        if graph.depth[state] == 1:
            one_split(rows, tests, terms.least, graph.words[state], number, weights, scratch.part_weights, errors)
            result = with_capacity(result, in_result, len(errors))
            for q in range(len(errors)):
                if errors[q] < 0:
                    continue
                split = (errors[q] << (2 * terms.shift)) + node_key + branches(tests, q, graph.words[state])
                if cost_of(terms, split) <= ceiling:
                    in_result = add(result, in_result, split, factor, q, weight, primes)
        for choice in range(graph.begin[state], graph.end[state]):
            rest, q = 0.0, graph.test[choice]
            first, last = graph.first_branch[choice], graph.first_branch[choice + 1]
            for branch in range(first, last):
                rest += graph.least[graph.child[branch]]
            in_partial = add(partial, 0, node_key, factor, q, 0, primes)
            for branch in range(first, last):
                child = graph.child[branch]
                rest -= graph.least[child]
                final = branch == last - 1
                in_longer = 0
                for i in range(in_partial):
                    if final:
                        result = with_capacity(result, in_result, below.end[child] - below.begin[child])
                    else:
                        longer = with_capacity(longer, in_longer, below.end[child] - below.begin[child])
                    for j in range(below.begin[child], below.end[child]):
                        key = partial.key[i] + below.key[j]
                        if cost_of(terms, key) + rest > ceiling:
                            continue
                        if final:
                            in_result = add_product(
                                result, in_result, key, partial.number, i, below.number, j, factor, q, weight, primes
                            )
                        else:
                            in_longer = add_product(
                                longer, in_longer, key, partial.number, i, below.number, j, factor, q, weight, primes
                            )
                clear(partial, in_partial)
                partial, longer, in_partial = longer, partial, in_longer
        below = stored(below, state, result, in_result)
    return below


@kernel
def log_numbers(multiplicity, graph, order):
    """(states,): the binary logarithm of an upper bound of the number of subtrees of each state.

    multiplicity : (tests,) how many attributes make each test
    order        : all states, those below a state before it
    """
    logs = np.zeros(len(order))
    for state in order:
        total = 0.0 if graph.depth[state] == 0 else np.log2(1.0 + multiplicity.sum() * (graph.depth[state] == 1))
        for choice in range(graph.begin[state], graph.end[state]):
            product = np.log2(multiplicity[graph.test[choice]])
            for branch in range(graph.first_branch[choice], graph.first_branch[choice + 1]):
                product += logs[graph.child[branch]]
            most = max(total, product)
            total = most + np.log2(2.0 ** (total - most) + 2.0 ** (product - most))
        logs[state] = total
    return logs
