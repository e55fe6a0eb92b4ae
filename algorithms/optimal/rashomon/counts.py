"""How many good trees there are below each state, by their errors, splits and leaves; and how much they use attributes.

A key packs these three into 62 bits of an int64: leaves in the lowest `shift` bits, splits in the next `shift` bits,
and above them errors, in the unit of the weights. So the key of a tree is the sum of the keys of its branches and of
its root. `shift` is large enough for the leaves of any two subtrees whose keys are added, see `_most_leaves`.

Several counters run in one pass. A counter with a prime counts trees modulo this prime, since their numbers soon exceed
64 bits; the remainders by several primes give the number, see `remainders`. A counter whose prime is 0 keeps the
greatest weight, over the trees, of the rows that meet certain tests; with negated weights, it keeps the least weight,
negated.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inlined, inner, large
from algorithms.kernel_arrays import array, arrays_of
from algorithms.optimal.rashomon.node_splits import branches, class_weights, leaf_errors, one_split
from algorithms.splitmix import GOLDEN

START = 1 << 10
"""Slots of a tally at first."""
NO_ROOM = -1
"""Instead of a number of entries: a tally is too short."""
SHIFT = np.uint64(32)


class KeyTally(NamedTuple):
    """A hash table from keys to numbers, one for each counter; half of the slots may have an entry."""

    table: Any = array("slots")  # the entry of a key, -1 in an empty slot; slots are a power of two
    slot: Any = array("slots//2")  # the slot of each entry
    key: Any = array("slots//2")
    number: Any = array("slots//2 counters")


class Tallies(NamedTuple):
    """The tallies of `count_by_key`."""

    result: Any  # KeyTally: the subtrees of a state
    partial: Any  # KeyTally: the combinations of the subtrees of the first branches of a split
    longer: Any  # KeyTally: the same with the next branch


def empty_tallies(slots: int, counters: int) -> Tallies:
    """Tallies without entries."""
    tallies = Tallies(*[arrays_of(KeyTally, np.empty, slots=slots, counters=counters) for _ in Tallies._fields])
    for tally in tallies:
        tally.table.fill(-1)
    return tallies


@inlined
def cost_of(terms, key):
    """The cost of a tree by its key."""
    field = (np.int64(1) << terms.shift) - 1
    return (key >> (2 * terms.shift)) + terms.split * ((key >> terms.shift) & field) + terms.leaf * (key & field)


@inlined
def has_room(tally, entries, more):
    """Whether a tally can take so many more entries."""
    return entries + more <= len(tally.key)


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

    def with_room(self, more: int) -> Counts:
        """A copy with room for as many entries again, and so many more."""
        more += int(self.size[0])
        key = np.concatenate((self.key, np.empty(more, np.int64)))
        number = np.concatenate((self.number, np.empty((more, self.number.shape[1]), np.int64)))
        return self._replace(key=key, number=number)


@inner
def store(counts, state, tally, entries):
    """Move the entries of a tally to the counts, as those of a state; return whether the counts have room for them."""
    used = counts.size[0]
    if used + entries > len(counts.key):
        return False
    counts.begin[state], counts.end[state], counts.size[0] = used, used + entries, used + entries
    for i in range(entries):
        counts.key[used + i] = tally.key[i]
        for counter in range(counts.number.shape[1]):
            counts.number[used + i, counter] = tally.number[i, counter]
    clear(tally, entries)
    return True


@large
def count_by_key(search, graph, given, factor, primes, states, tallies, held, below):
    """Add to `below` the numbers of the subtrees of these states by key; return (states done, entries).

    If not all states are done, an array is too short. If `below` is, the result of the next state has so many entries:
    they are `held` in the next call. If the tallies are, entries is 0, and the next call needs longer, empty ones.

    given  : the rows with the weights of the instance, for counters of weights
    factor : (tests, counters) int64: for a counter with a prime, how many attributes make each test; for one without,
             1 for the tests whose rows are weighed (-1 to negate the weights), 0 for the others
    primes : (counters,) int64: below 2**31; 0 for a counter of weights
    states : indices of states; those below a state are already counted, or come before it
    """
    for done in range(len(states)):
        entries = held
        if held == 0 or done > 0:
            entries = _count_state(search, graph, given, factor, primes, states[done], tallies, below)
        if entries == NO_ROOM:
            return done, 0
        if not store(below, states[done], tallies.result, entries):
            return done, entries
    return len(states), 0


@inner
def _count_state(search, graph, given, factor, primes, state, tallies, below):
    """Write the numbers of the subtrees of a state to `tallies.result`; return how many entries it has, or NO_ROOM.

    The branches of a split are combined one after another; `rest` is the least cost of the branches that follow.
    """
    rows, tests, terms, scratch = search.rows, search.tests, search.terms, search.scratch
    weights, errors, words, ceiling = scratch.weights[0], scratch.errors[0], graph.words[state], graph.ceiling[state]
    result, partial, longer = tallies.result, tallies.partial, tallies.longer
    node_key, in_result, weight = np.int64(1) << terms.shift, 0, np.int64(0)
    class_weights(given, words, weights)
    for c in range(len(weights)):
        weight += weights[c]
    number = class_weights(rows, words, weights)
    leaf = (leaf_errors(weights) << (2 * terms.shift)) + 1
    if cost_of(terms, leaf) <= ceiling:
        in_result = entry_of(result, 0, leaf) + 1
        for counter in range(len(primes)):
            result.number[0, counter] = primes[counter] > 0
    if graph.depth[state] == 1:
        one_split(rows, tests, terms.least, words, number, weights, scratch.part_weights, errors)
        if not has_room(result, in_result, len(errors)):
            return NO_ROOM
        for q in range(len(errors)):
            if errors[q] < 0:
                continue
            split = (errors[q] << (2 * terms.shift)) + node_key + branches(tests, q, words)
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
            begin, end = below.begin[child], below.end[child]
            rest -= graph.least[child]
            into, entries = longer, 0
            if branch == last - 1:
                into, entries = result, in_result
            for i in range(in_partial):
                if not has_room(into, entries, end - begin):
                    return NO_ROOM
                for j in range(begin, end):
                    key = partial.key[i] + below.key[j]
                    if cost_of(terms, key) + rest <= ceiling:
                        entries = add_product(
                            into, entries, key, partial.number, i, below.number, j, factor, q, weight, primes
                        )
            clear(partial, in_partial)
            if branch == last - 1:
                in_result = entries
            else:
                partial, longer, in_partial = longer, partial, entries
    return in_result


@large
def log_numbers(multiplicity, graph, order, logs):
    """Write to `logs` (states,) the binary logarithm of an upper bound of the number of subtrees of each state.

    multiplicity : (tests,) how many attributes make each test
    order        : all states, those below a state before it
    """
    of_one_split = np.int64(0)
    for q in range(len(multiplicity)):
        of_one_split += multiplicity[q]
    for state in order:
        total = 0.0 if graph.depth[state] == 0 else np.log2(1.0 + of_one_split * (graph.depth[state] == 1))
        for choice in range(graph.begin[state], graph.end[state]):
            product = np.log2(multiplicity[graph.test[choice]])
            for branch in range(graph.first_branch[choice], graph.first_branch[choice + 1]):
                product += logs[graph.child[branch]]
            most = max(total, product)
            total = most + np.log2(2.0 ** (total - most) + 2.0 ** (product - most))
        logs[state] = total
