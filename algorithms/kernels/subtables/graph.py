"""The separable subtables of a table of any shape, each found once, with its minima of the five costs.

Depth first: a subtable's branches are finished before it is, so that its number is greater than theirs.

Every row is a word (of several machine words where need be) in which each attribute, and the decision, has a field of
its own: the code and beside it the code's complement. The OR of the words of some rows tells on which attributes they
differ, those in whose field both halves have a bit in common, and which code they share on each of the others. A
separable subtable is all rows that share those codes: so its word tells it apart from every other, exactly, and one
pass over the rows of a subtable makes the words of all its branches.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from algorithms.kernels.bits import lowest
from algorithms.kernels.subtables.slots import find_slot, first_slot, is_empty, put, same

__all__ = ["Nodes", "Outcome", "Stack", "State", "Table", "search"]

ZERO, ONE = np.uint64(0), np.uint64(1)
SIX, LAST_SIX_BITS = np.uint64(6), np.uint64(63)
NO_DECISION = -1  # of a subtable whose rows have several


class Outcome(IntEnum):
    """Why a search came back: it is finished, or has no room left in some of its arrays."""

    FINISHED = 0
    NODES_FULL = 1
    EDGES_FULL = 2
    ROWS_FULL = 3
    CHILDREN_FULL = 4


class State(IntEnum):
    """Where a search is, as entries of an array: its level, the numbers of nodes, edges and splits so far."""

    LEVEL = 0
    NODES = 1
    EDGES = 2
    SPLITS = 3


class Table(NamedTuple):
    """What the search reads. Beside the attributes stands one more of which all rows have the same code.

    word         (rows, machine words) uint64: every row as a word
    branch       (rows, attributes + 1): the branch that a row takes at each attribute, numbered through all of them
    column       (attributes + 1, rows): the same
    first_branch (attributes + 2,): the first branch of each attribute
    attribute_of (branches + 1,): the attribute of each branch
    in_word, shift, bits (attributes + 1,) uint64: where the field of each attribute is, and last that of the decision;
                 half the width of the field
    decisions    (rows,)
    weights      (rows,), or (0,) where all are 1
    """

    word: Any
    branch: Any
    column: Any
    first_branch: Any
    attribute_of: Any
    in_word: Any
    shift: Any
    bits: Any
    decisions: Any
    weights: Any


class Nodes(NamedTuple):
    """The subtables found and, where they are kept, the edges; as the fields of SubtableGraph."""

    size: Any
    decision: Any
    row: Any
    minima: Any
    splits: Any
    split_attribute: Any
    split_edges: Any
    edge_to: Any


class Stack(NamedTuple):
    """The subtables that are being worked, one on top of the other; a level's part ends where the next begins.

    Level 0 is no subtable: its one branch is the whole table.

    rows               : their rows
    varying, split_end : the attributes on which their rows differ, and where the branches of each end in `child`
    child, child_word  : their branches: the number of the branch and, once that is known, of the node; its word
    missing            : places in `child` of the branches whose node was not known when the level began
    first_row, first_varying, first_child, first_missing (levels + 1,): where each level begins
    next_missing, size (levels,): the first of `missing` that is still so; sum of row weights
    gathered           : (branches, machine words), all 0: room for the word of each branch
    seen               : (most codes of an attribute / 64 + 1,) uint64, all 0: room for the codes that there are
    """

    rows: Any
    varying: Any
    split_end: Any
    child: Any
    child_word: Any
    missing: Any
    first_row: Any
    first_varying: Any
    first_child: Any
    first_missing: Any
    next_missing: Any
    size: Any
    gathered: Any
    seen: Any


@njit(forceinline=True)
def _varies(table, words, at, attribute):
    """Whether the rows that words[at] stands for differ in an attribute, or in decision."""
    field = words[at, table.in_word[attribute]] >> table.shift[attribute]
    bits = table.bits[attribute]
    return (field & (field >> bits) & ((ONE << bits) - ONE)) != ZERO


@njit(forceinline=True)
def _gather_rows(table, stack, first, end, branch):
    """Lay those of the rows from `first` to `end` that take a branch above them: (where they end, N of them)."""
    attribute = table.attribute_of[branch]
    top, size = end, 0
    for i in range(first, end):
        row = stack.rows[i]
        stack.rows[top] = row
        top += np.int64(table.column[attribute, row] == branch)
    if len(table.weights) == 0:
        return top, top - end
    for i in range(end, top):
        size += table.weights[stack.rows[i]]
    return top, size


@njit(forceinline=True)
def _gather_words(table, stack, first, end, varying, varying_end):
    """Gather the word of every branch of the rows from `first` to `end`."""
    width = table.word.shape[1]
    if width == 1:
        for i in range(first, end):
            row = stack.rows[i]
            word = table.word[row, 0]
            for j in range(varying, varying_end):
                stack.gathered[table.branch[row, stack.varying[j]], 0] |= word
    elif width == 2:
        for i in range(first, end):
            row = stack.rows[i]
            word, other = table.word[row, 0], table.word[row, 1]
            for j in range(varying, varying_end):
                branch = table.branch[row, stack.varying[j]]
                stack.gathered[branch, 0] |= word
                stack.gathered[branch, 1] |= other
    else:
        for i in range(first, end):
            row = stack.rows[i]
            for j in range(varying, varying_end):
                branch = table.branch[row, stack.varying[j]]
                for k in range(width):
                    stack.gathered[branch, k] |= table.word[row, k]


@njit(forceinline=True)
def _lay_child(stack, branch, child):
    """Lay a branch if it has rows, and leave `gathered` empty; where the branches end."""
    for k in range(stack.gathered.shape[1]):
        stack.child_word[child, k] = stack.gathered[branch, k]
        stack.gathered[branch, k] = ZERO
    stack.child[child] = branch
    return child + np.int64(stack.child_word[child, 0] != ZERO)


@njit(forceinline=True)
def _lay_children(table, stack, first, end, varying, varying_end, child):
    """Lay the branches that the rows from `first` to `end` take, in order; where they end."""
    for j in range(varying, varying_end):
        attribute = stack.varying[j]
        lowest_branch, end_branch = table.first_branch[attribute], table.first_branch[attribute + 1]
        if end_branch - lowest_branch <= 64 or end_branch - lowest_branch <= end - first:
            for branch in range(lowest_branch, end_branch):
                child = _lay_child(stack, branch, child)
        else:  # few rows of an attribute of many codes: do not look at all of these
            for i in range(first, end):
                code = np.uint64(table.column[attribute, stack.rows[i]] - lowest_branch)
                stack.seen[code >> SIX] |= ONE << (code & LAST_SIX_BITS)
            for i in range((end_branch - lowest_branch + 63) // 64):
                while stack.seen[i]:
                    branch = lowest_branch + 64 * i + np.int64(lowest(stack.seen[i]))
                    stack.seen[i] &= stack.seen[i] - ONE
                    child = _lay_child(stack, branch, child)
        stack.split_end[j] = child
    return child


@njit(forceinline=True)
def _find_children(slots, stack, child, child_end, missing):
    """Number the branches whose words stand where they are first looked for, list the others; where the list ends.

    Most are found here, without a branch for the processor to guess wrong.
    """
    for i in range(child, child_end):
        slot = first_slot(slots, stack.child_word, i)
        found = same(slots, slot, stack.child_word, i)
        number = slots.number[slot]
        stack.child[i] = number if found else stack.child[i]
        stack.missing[missing] = i
        missing += np.int64(not found)
    return missing


@njit(forceinline=True)
def _write_minima(nodes, stack, node, split, split_end, child, size):
    """The least costs of a nonterminal node over the attributes that split it."""
    least_depth = least_length = least_nodes = least_nonterminal = least_terminal = np.iinfo(np.int64).max
    for j in range(split, split_end):
        depth = length = all_nodes = nonterminal = terminal = np.int64(0)
        while child < stack.split_end[j]:
            to = stack.child[child]
            depth = max(depth, nodes.minima[to, 0])
            length += nodes.minima[to, 1]
            all_nodes += nodes.minima[to, 2]
            nonterminal += nodes.minima[to, 3]
            terminal += nodes.minima[to, 4]
            child += 1
        least_depth, least_length = min(least_depth, depth), min(least_length, length)
        least_nodes, least_nonterminal = min(least_nodes, all_nodes), min(least_nonterminal, nonterminal)
        least_terminal = min(least_terminal, terminal)
    nodes.minima[node, 0] = least_depth + 1
    nodes.minima[node, 1] = least_length + size
    nodes.minima[node, 2] = least_nodes + 1
    nodes.minima[node, 3] = least_nonterminal + 1
    nodes.minima[node, 4] = least_terminal


@njit(forceinline=True)
def _write_edges(nodes, stack, split, split_end, child, child_end, n_splits, n_edges):
    for j in range(split, split_end):
        nodes.split_attribute[n_splits] = stack.varying[j]
        nodes.split_edges[n_splits + 1] = n_edges + stack.split_end[j] - child
        n_splits += 1
    for i in range(child, child_end):
        nodes.edge_to[n_edges] = stack.child[i]
        n_edges += 1


@njit(nogil=True, cache=True)
def search(table, nodes, slots, stack, state, keep_edges):
    """Go on until all subtables are found or there is no room for one more: an Outcome.

    Given more room, the search goes on where it was. Slots must be fewer than two in three full.
    """
    attributes = len(table.in_word) - 1
    level, count, n_edges = state[State.LEVEL], state[State.NODES], state[State.EDGES]
    n_splits = state[State.SPLITS]
    outcome = Outcome.FINISHED
    while level > 0 or stack.next_missing[0] == 0:
        first, end = stack.first_row[level], stack.first_row[level + 1]
        missing, missing_end = stack.next_missing[level], stack.first_missing[level + 1]
        child_end = stack.first_child[level + 1]
        # the branches whose nodes have become known
        slot, at = ZERO, 0
        while missing < missing_end:
            at = np.int64(stack.missing[missing])
            slot = find_slot(slots, stack.child_word, at)
            if is_empty(slots, slot):
                break
            stack.child[at] = slots.number[slot]
            missing += 1
        stack.next_missing[level] = missing
        if count == len(nodes.size) or 3 * count >= 2 * len(slots.number):
            outcome = Outcome.NODES_FULL
            break
        if missing < missing_end:
            # a new subtable
            split, split_end = stack.first_varying[level], stack.first_varying[level + 1]
            if end + end - first > len(stack.rows) or split_end + attributes > len(stack.varying):
                outcome = Outcome.ROWS_FULL
                break
            top, size = _gather_rows(table, stack, first, end, stack.child[at])
            if not _varies(table, stack.child_word, at, attributes):
                row = stack.rows[end]
                nodes.size[count], nodes.decision[count], nodes.row[count] = size, table.decisions[row], row
                for cost in range(5):
                    nodes.minima[count, cost] = 0
                nodes.minima[count, 2] = nodes.minima[count, 4] = 1
                if keep_edges:
                    nodes.splits[count + 1] = n_splits
                put(slots, slot, stack.child_word, at, count)
                stack.child[at] = count
                stack.next_missing[level] = missing + 1
                count += 1
                continue
            last, room = split_end, child_end + 1
            for j in range(split, split_end):
                attribute = stack.varying[j]
                if _varies(table, stack.child_word, at, attribute):
                    stack.varying[last] = attribute
                    last += 1
                    room += min(table.first_branch[attribute + 1] - table.first_branch[attribute], top - end)
            if room > len(stack.child):
                outcome = Outcome.CHILDREN_FULL
                break
            level += 1
            stack.first_row[level + 1], stack.first_varying[level + 1], stack.size[level] = top, last, size
            _gather_words(table, stack, end, top, split_end, last)
            child = child_end
            child_end = _lay_children(table, stack, end, top, split_end, last, child)
            stack.first_child[level + 1], stack.next_missing[level] = child_end, missing_end
            stack.first_missing[level + 1] = _find_children(slots, stack, child, child_end, missing_end)
            continue
        # all branches have nodes
        child, split, split_end = stack.first_child[level], stack.first_varying[level], stack.first_varying[level + 1]
        if keep_edges:
            if n_edges + child_end - child > len(nodes.edge_to) or n_splits + split_end - split > len(
                nodes.split_attribute
            ):
                outcome = Outcome.EDGES_FULL
                break
            _write_edges(nodes, stack, split, split_end, child, child_end, n_splits, n_edges)
            nodes.splits[count + 1] = n_splits + split_end - split
        n_edges += child_end - child
        n_splits += split_end - split
        nodes.size[count], nodes.decision[count], nodes.row[count] = stack.size[level], NO_DECISION, stack.rows[first]
        _write_minima(nodes, stack, count, split, split_end, child, stack.size[level])
        level -= 1
        at = np.int64(stack.missing[stack.next_missing[level]])
        put(slots, find_slot(slots, stack.child_word, at), stack.child_word, at, count)
        stack.child[at] = count
        stack.next_missing[level] += 1
        count += 1
    state[State.LEVEL], state[State.NODES], state[State.EDGES] = level, count, n_edges
    state[State.SPLITS] = n_splits
    return outcome
