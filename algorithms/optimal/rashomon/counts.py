"""How many good trees there are below each state, by their errors, splits and leaves; and how much they use attributes.

Several things are counted in one pass, each in a lane of its own. Numbers of trees are kept as remainders by the prime
of the lane, since they soon exceed 64 bits. Those by several primes give the number, see `good_trees`. A lane without a
prime (0) keeps the greatest weight of the rows that meet a test of the lane; of negated weights, so the least.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import allocating, inlined, inner, kernel
from algorithms.optimal.rashomon.node_splits import branches, class_weights, leaf_errors, one_split
from algorithms.splitmix import GOLDEN

START = 256
"""Slots of a tally at first."""
SHIFT = np.uint64(32)


class KeyTally(NamedTuple):
    """Numbers by key."""

    table: Any  # (slots,) int64: the entry of a key, -1 in an empty slot; slots are a power of two
    slot: Any  # (entries,) int64: the slot of each entry
    key: Any  # (entries,) int64
    number: Any  # (entries, lanes) int64


@inlined
def cost_of(terms, key):
    """The cost of a tree by its key."""
    field = (np.int64(1) << terms.shift) - 1
    return (key >> (2 * terms.shift)) + terms.split * ((key >> terms.shift) & field) + terms.leaf * (key & field)


@allocating
def empty(slots, lanes):
    """A tally without entries."""
    half = slots // 2
    return KeyTally(
        np.full(slots, -1, np.int64),
        np.empty(half, np.int64),
        np.empty(half, np.int64),
        np.empty((half, lanes), np.int64),
    )


@allocating
def with_capacity(tally, entries, more):
    """The tally, or a larger copy, with capacity for `more` further entries."""
    if entries + more <= len(tally.key):
        return tally
    slots = len(tally.table)
    while entries + more > slots // 2:
        slots *= 2
    larger = empty(slots, tally.number.shape[1])
    for i in range(entries):
        entry_of(larger, i, tally.key[i])
        for lane in range(tally.number.shape[1]):
            larger.number[i, lane] = tally.number[i, lane]
    return larger


@inner
def entry_of(tally, entries, key):
    """The entry of a key; a new one, the number of entries, if it has none."""
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
def _merge(tally, entry, lane, new, number, prime):
    if new:
        tally.number[entry, lane] = number
    elif prime:
        tally.number[entry, lane] = (tally.number[entry, lane] + number) % prime
    else:
        tally.number[entry, lane] = max(tally.number[entry, lane], number)


@inner
def add(tally, entries, key, numbers, i, weight, primes):
    """Add `numbers[i]` to those of a key, without a prime times a weight; return how many entries there are then."""
    entry = entry_of(tally, entries, key)
    for lane in range(len(primes)):
        number = numbers[i, lane] if primes[lane] else numbers[i, lane] * weight
        _merge(tally, entry, lane, entry == entries, number, primes[lane])
    return max(entries, entry + 1)


@inner
def add_product(tally, entries, key, first, i, second, j, factor, q, weight, primes):
    """Combine `first[i]` and `second[j]`, as parts of trees, and add them to a key; return the number of entries.

    factor, q, weight : of the test of the node, and the weight of its rows: all meet the test if it is of the lane
    """
    entry = entry_of(tally, entries, key)
    for lane in range(len(primes)):
        if primes[lane]:
            number = first[i, lane] * second[j, lane] % primes[lane]
        elif factor[q, lane]:
            number = factor[q, lane] * weight
        else:
            number = first[i, lane] + second[j, lane]
        _merge(tally, entry, lane, entry == entries, number, primes[lane])
    return max(entries, entry + 1)


@inner
def clear(tally, entries):
    """Forget all entries of a tally."""
    for i in range(entries):
        tally.table[tally.slot[i]] = -1


class Counts(NamedTuple):
    """Numbers of trees by key, for each state."""

    begin: Any  # (states,) int64: the first entry of a state
    end: Any  # (states,) int64: the end of its entries
    key: Any  # (entries,) int64
    number: Any  # (entries, lanes) int64
    size: Any  # (1,) int64: entries so far; the arrays may be longer


@allocating
def stored(counts, state, tally, entries):
    """The counts with those of a tally, which is cleared, for a state."""
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
        for lane in range(counts.number.shape[1]):
            counts.number[used + i, lane] = tally.number[i, lane]
    clear(tally, entries)
    return counts


@kernel
def count_by_key(search, graph, given, states, factor, primes, below):
    """Add to `below` the numbers of the subtrees of these states by key; return it.

    given  : the rows with their weights as given, for lanes of weights
    states : the states below each of them are counted already, or come before it
    factor : (tests, lanes) how many attributes make each test; without a prime, 1 or -1 if the test is of the lane
    primes : (lanes,) 0 for a lane of weights
    """
    rows, tests, terms, _, scratch, _, _ = search
    counts, errors, lanes = scratch.counts[0], scratch.errors[0], len(primes)
    result, partial, extended = empty(START, lanes), empty(START, lanes), empty(START, lanes)
    leaf_key, node_key = np.int64(1), np.int64(1) << terms.shift
    nothing = (primes > 0).astype(np.int64).reshape(1, lanes)  # a tree without tests
    for state in states:
        ceiling, entries = graph.ceiling[state], 0
        class_weights(given, graph.words[state], counts)
        weight = counts.sum()
        number = class_weights(rows, graph.words[state], counts)
        leaf = (leaf_errors(counts) << (2 * terms.shift)) + leaf_key
        if cost_of(terms, leaf) <= ceiling:
            entries = add(result, entries, leaf, nothing, 0, 0, primes)
        if graph.depth[state] == 1:
            one_split(rows, tests, terms.least, graph.words[state], number, counts, scratch.part, errors)
            result = with_capacity(result, entries, len(errors))
            for q in range(len(errors)):
                if errors[q] < 0:
                    continue
                split = (errors[q] << (2 * terms.shift)) + node_key + branches(tests, q, graph.words[state])
                if cost_of(terms, split) <= ceiling:
                    entries = add(result, entries, split, factor, q, weight, primes)
        for choice in range(graph.begin[state], graph.end[state]):
            rest, q = 0.0, graph.test[choice]
            first, last = graph.branch[choice], graph.branch[choice + 1]
            for branch in range(first, last):
                rest += graph.least[graph.to[branch]]
            size = add(partial, 0, node_key, factor, q, 0, primes)
            for branch in range(first, last):
                child = graph.to[branch]
                rest -= graph.least[child]
                final = branch == last - 1
                following = 0
                for i in range(size):
                    if final:
                        result = with_capacity(result, entries, below.end[child] - below.begin[child])
                    else:
                        extended = with_capacity(extended, following, below.end[child] - below.begin[child])
                    for j in range(below.begin[child], below.end[child]):
                        key = partial.key[i] + below.key[j]
                        if cost_of(terms, key) + rest > ceiling:
                            continue
                        if final:
                            entries = add_product(
                                result, entries, key, partial.number, i, below.number, j, factor, q, weight, primes
                            )
                        else:
                            following = add_product(
                                extended, following, key, partial.number, i, below.number, j, factor, q, weight, primes
                            )
                clear(partial, size)
                partial, extended, size = extended, partial, following
        below = stored(below, state, result, entries)
    return below


@kernel
def log_numbers(multiplicity, graph, order):
    """(states,): the binary logarithm of an upper bound of the number of subtrees of each state."""
    logs = np.zeros(len(order))
    for state in order:
        total = 0.0 if graph.depth[state] == 0 else np.log2(1.0 + multiplicity.sum() * (graph.depth[state] == 1))
        for choice in range(graph.begin[state], graph.end[state]):
            product = np.log2(multiplicity[graph.test[choice]])
            for branch in range(graph.branch[choice], graph.branch[choice + 1]):
                product += logs[graph.to[branch]]
            most = max(total, product)
            total = most + np.log2(2.0 ** (total - most) + 2.0 ** (product - most))
        logs[state] = total
    return logs
