"""The search of all separable subtables of a table, in no more memory than is allowed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.kernels.subtables.graph import Nodes, Outcome, Stack, State, Table, search
from algorithms.kernels.subtables.slots import Slots, rehash
from algorithms.row_words import field_places, write_fields
from algorithms.table import DecisionTable

__all__ = ["GraphTooLargeError", "found_subtables"]

FIRST_LENGTH = 256
DOUBLED_BELOW = 2**20
"""Arrays of fewer bytes grow to twice their length, larger ones by an eighth: no more is wasted at the end."""

Array = NDArray[Any]


class GraphTooLargeError(MemoryError):
    """The graph of separable subtables outgrew the memory that it was allowed."""


def found_subtables(table: DecisionTable, limit: int, *, edges: bool) -> tuple[Nodes, int]:
    """All separable subtables of a table, the whole table last, and how many edges their graph has.

    Without `edges` only size, decision, row and minima are kept, which takes a fraction of the memory.

    Raises
    ------
    GraphTooLargeError
        Arrays of more than `limit` bytes would be needed at one time, those of the search included.
    """
    memory = _Memory(limit)
    state = np.zeros(len(State), np.int64)
    try:
        coded = _coded(table, memory)
        nodes, slots, stack = _empty(table, coded, memory, edges=edges)
        while (outcome := search(coded, nodes, slots, stack, state, edges)) != Outcome.FINISHED:
            if outcome == Outcome.NODES_FULL and 3 * state[State.NODES] >= 2 * len(slots.number):
                slots = _twice(slots, memory)
            else:
                _make_room(outcome, nodes, stack, state, table.attributes, memory, edges=edges)
    except _NoMemoryLeft as error:
        msg = (
            f"the graph of separable subtables of a table of {table.rows:,} rows and {table.attributes:,} attributes "
            f"outgrew its limit of {limit:,} bytes: it has {state[State.NODES]:,} nodes and {state[State.EDGES]:,} "
            f"edges so far, in {memory.held:,} bytes. Raise the limit, or take fewer attributes or rows."
        )
        raise GraphTooLargeError(msg) from error
    for array, length in _lengths(nodes, state, edges=edges):
        memory.resize(array, length)
    return nodes, int(state[State.EDGES])


class _NoMemoryLeft(Exception):  # noqa: N818 - never leaves this module
    """More bytes were asked for than the limit leaves."""


class _Memory:
    """The bytes held by the arrays of a search, never more than a limit."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.held = 0

    def array(self, shape: int | tuple[int, ...], dtype: Any) -> Array:
        """A new array of zeros."""
        self.hold(int(np.prod(shape, dtype=object)) * np.dtype(dtype).itemsize)
        return np.zeros(shape, dtype)

    def hold(self, size: int) -> None:
        """Count so many bytes as held."""
        if self.held + size > self.limit:
            raise _NoMemoryLeft
        self.held += size

    def resize(self, array: Array, length: int) -> None:
        """Give an array that none but the search refers to another length, in its place."""
        self.hold((length - len(array)) * array.strides[0])
        array.resize((length, *array.shape[1:]), refcheck=False)

    def grow(self, arrays: list[Array], needed: int) -> None:
        """Make arrays of one length longer: at least as long as is needed, and by a good part of what they are."""
        size = sum(array.strides[0] for array in arrays)
        length = len(arrays[0])
        wanted = max(needed, 2 * length if length * size < DOUBLED_BELOW else length + length // 8)
        left = length + (self.limit - self.held) // size
        for array in arrays:
            self.resize(array, max(needed, min(wanted, left)))


def _coded(table: DecisionTable, memory: _Memory) -> Table:
    """The table as the search reads it: codes without gaps, decisions first in the words, so that no word is 0."""
    n, attributes = table.codes.shape
    dense = memory.array((attributes, n), np.int32)
    n_codes = [_without_gaps(column, place) for column, place in zip(table.codes.T, dense, strict=True)]
    fields = [(max(1, int(table.decisions.max()).bit_length()), table.decisions)]
    fields += [((codes - 1).bit_length(), column) for codes, column in zip(n_codes, dense, strict=True)]
    in_word, shift = field_places([bits for bits, _ in fields])
    word = memory.array((n, in_word[-1] + 1), np.uint64)
    write_fields(word, fields)
    first_branch = np.cumsum([0, *n_codes, 1])
    kind = np.min_scalar_type(first_branch[-1])
    column = memory.array((attributes + 1, n), kind)
    column[:attributes] = dense + first_branch[:attributes, None]
    column[attributes] = first_branch[attributes]
    branch = memory.array((n, attributes + 1), kind)
    branch[:] = column.T
    memory.held -= dense.nbytes
    return Table(
        word,
        branch,
        column,
        first_branch,
        np.repeat(np.arange(attributes + 1), np.diff(first_branch)),
        _decision_last(in_word),
        _decision_last(shift),
        _decision_last([bits for bits, _ in fields]),
        table.decisions,
        table.weights if (table.weights != 1).any() else table.weights[:0],
    )


def _decision_last(numbers: list[int]) -> Array:
    return np.array(numbers[1:] + numbers[:1], np.uint64)


def _without_gaps(codes: Array, into: Array) -> int:
    """Write the codes of a column, numbered by increasing code with none left out; how many there are."""
    there = np.zeros(int(codes.max()) + 1, bool)
    there[codes] = True
    into[:] = (np.cumsum(there, dtype=np.int32) - 1)[codes]
    return int(there.sum())


def _empty(table: DecisionTable, coded: Table, memory: _Memory, *, edges: bool) -> tuple[Nodes, Slots, Stack]:
    """Room for the first nodes, and a stack on which only the whole table lies."""
    n, attributes = table.codes.shape
    branches, width = int(coded.first_branch[-1]), coded.word.shape[1]
    # no cost of a tree, and no sum of them over a split, exceeds N times the attributes and one more
    number = np.int32 if 2 * table.size * (attributes + 1) < 2**31 else np.int64
    index = np.int32 if memory.limit < 2**33 else np.int64  # an edge takes 4 bytes or more
    kept = FIRST_LENGTH if edges else 0
    array = memory.array
    nodes = Nodes(
        size=array(FIRST_LENGTH, number),
        decision=array(FIRST_LENGTH, np.int32),
        row=array(FIRST_LENGTH, np.int32),
        minima=array((FIRST_LENGTH, 5), number),
        splits=array(kept + 1, index),
        split_attribute=array(kept, np.int16 if attributes < 2**15 else np.int32),
        split_edges=array(kept + 1, index),
        edge_to=array(kept, index),
    )
    slots = Slots(array((2 * FIRST_LENGTH, width), np.uint64), array(2 * FIRST_LENGTH, index))
    levels = min(n, attributes) + 3
    stack = Stack(
        rows=array(2 * n, np.uint32),
        varying=array(2 * attributes, np.uint32),
        split_end=array(2 * attributes, index),
        child=array(branches + 1, index),
        child_word=array((branches + 1, width), np.uint64),
        missing=array(branches + 1, index),
        first_row=array(levels, np.int64),
        first_varying=array(levels, np.int64),
        first_child=array(levels, np.int64),
        first_missing=array(levels, np.int64),
        next_missing=array(levels, np.int64),
        size=array(levels, np.int64),
        gathered=array((branches, width), np.uint64),
        seen=array(-(-int(np.diff(coded.first_branch).max()) // 64), np.uint64),
    )
    stack.rows[:n] = np.arange(n)
    stack.varying[:attributes] = np.arange(attributes)
    stack.first_row[1], stack.first_varying[1], stack.first_child[1], stack.first_missing[1] = n, attributes, 1, 1
    stack.child[0] = branches - 1
    stack.child_word[0] = np.bitwise_or.reduce(coded.word)
    return nodes, slots, stack


def _twice(slots: Slots, memory: _Memory) -> Slots:
    width = slots.word.shape[1]
    length = 2 * len(slots.number)
    larger = Slots(memory.array((length, width), np.uint64), memory.array(length, slots.number.dtype))
    rehash(slots, larger)
    memory.held -= slots.word.nbytes + slots.number.nbytes
    return larger


def _make_room(
    outcome: int, nodes: Nodes, stack: Stack, state: Array, attributes: int, memory: _Memory, *, edges: bool
) -> None:
    level = int(state[State.LEVEL])
    branches = len(stack.gathered)
    if outcome == Outcome.NODES_FULL:
        memory.grow([nodes.size, nodes.decision, nodes.row, nodes.minima], len(nodes.size) + 1)
        if edges:
            memory.resize(nodes.splits, len(nodes.size) + 1)
    elif outcome == Outcome.EDGES_FULL:
        children = int(stack.first_child[level + 1] - stack.first_child[level])
        if state[State.EDGES] + children > len(nodes.edge_to):
            memory.grow([nodes.edge_to], int(state[State.EDGES]) + children)
        if state[State.SPLITS] + attributes > len(nodes.split_attribute):
            memory.grow([nodes.split_attribute], int(state[State.SPLITS]) + attributes)
            memory.resize(nodes.split_edges, len(nodes.split_attribute) + 1)
    elif outcome == Outcome.ROWS_FULL:
        first, end = stack.first_row[level : level + 2].tolist()
        memory.grow([stack.rows], 2 * end - first)
        memory.grow([stack.varying, stack.split_end], int(stack.first_varying[level + 1]) + attributes)
    else:
        memory.grow([stack.child, stack.child_word, stack.missing], int(stack.first_child[level + 1]) + branches + 1)


def _lengths(nodes: Nodes, state: Array, *, edges: bool) -> Iterator[tuple[Array, int]]:
    """Each array that was kept, and the length that it has at the end."""
    count, n_edges, n_splits = (int(state[place]) for place in (State.NODES, State.EDGES, State.SPLITS))
    yield from ((array, count) for array in (nodes.size, nodes.decision, nodes.row, nodes.minima))
    if edges:
        yield from ((nodes.splits, count + 1), (nodes.split_edges, n_splits + 1))
        yield from ((nodes.split_attribute, n_splits), (nodes.edge_to, n_edges))
