"""The search of all separable subtables of a table, within a memory limit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from algorithms.data.table import DecisionTable
from algorithms.exact.coded import coded_table
from algorithms.exact.few_rows import MOST_ROWS, FewRows, rehash_minima
from algorithms.exact.memory import Array, Memory, NoMemoryLeftError
from algorithms.exact.row_words_search import (
    EDGES,
    LEVEL,
    NODES,
    SPLITS,
    CodedTable,
    GraphNodes,
    SearchOutcome,
    Stack,
    search,
)
from algorithms.exact.slots import Slots, rehash
from algorithms.kernel_arrays import arrays_of
from algorithms.options import Number, check_parameters, check_type

FIRST_LENGTH = 256
"""Nodes allocated at first."""
FIRST_SLOTS = 64
"""Length of the hash table of minima at the start of a search."""
FEW_SUBTABLES = 2**17
"""Tables with at most this many possible subtables have most of them: half are allocated at the start."""


class GraphTooLargeError(MemoryError):
    """A graph of subtables, or a search that stores subtables, would exceed its memory limit."""


def all_subtables(
    table: DecisionTable, limit: int, *, edges: bool, on_growth: Callable[[], None] | None = None
) -> GraphNodes:
    """All separable subtables of a table, the whole table last.

    Without `edges` only the minima are kept, which takes a fraction of the memory. There are none for terminal
    subtables. If rows are not merged in boxes, there are none below subtables of at most 64 rows. `on_growth` is called
    each time before an array grows; an exception that it raises ends the search. Raises GraphTooLargeError if arrays of
    more than `limit` bytes would be needed at one time, those of the search included.
    """
    check_type("table", table, DecisionTable, "decision_table(data_set_of(X, y))")
    check_parameters({"limit": (Number(0),)}, {"limit": limit})
    memory = Memory(limit)
    state = np.zeros(4, np.int64)
    try:
        coded = coded_table(table, memory, edges=edges)
        nodes, slots, stack = _empty(table, coded, memory, edges=edges)
        single = bool((coded.first_joint[:-1] == coded.first_branch[1:-1]).all())
        few = _empty_few(coded, memory, used=single and not edges)
        while (outcome := search(coded, nodes, slots, stack, few, state, edges)) != SearchOutcome.FINISHED:
            if on_growth is not None:
                on_growth()
            if outcome == SearchOutcome.MINIMA_FULL:
                few = few._replace(minima=_twice_the_minima(few.minima, memory))
            elif outcome == SearchOutcome.NODES_FULL and 3 * state[NODES] >= 2 * len(slots.number):
                slots = _twice_the_slots(slots, memory)
            else:
                _lengthen(outcome, nodes, stack, state, table.attributes, memory, edges=edges)
    except NoMemoryLeftError as error:
        raise GraphTooLargeError(
            f"the graph of the separable subtables of a table ({table.rows:,} rows, {table.attributes:,} attributes) "
            f"outgrew its limit of {limit:,} bytes: its {state[NODES]:,} nodes and {state[EDGES]:,} edges so far take "
            f"{memory.held:,} bytes. Raise the limit, or give fewer attributes or rows."
        ) from error
    for array, length in _lengths(nodes, state, edges=edges):
        memory.resize(array, length)
    return nodes


def _empty(table: DecisionTable, coded: CodedTable, memory: Memory, *, edges: bool) -> tuple[GraphNodes, Slots, Stack]:
    """Arrays for the first nodes, and a stack with only the whole table."""
    n, attributes = len(coded.word), table.attributes
    branches, width = int(coded.first_branch[-1]), coded.word.shape[1]
    # no tree's cost, and no sum of costs over a split, exceeds N * (attributes + 1)
    number = np.int32 if 2 * table.size * (attributes + 1) < 2**31 else np.int64
    index = np.int32 if memory.limit < 2**33 else np.int64  # an edge takes 4 bytes or more
    first = _first_length(table, coded, memory.limit)
    nodes = arrays_of(
        GraphNodes,
        memory.array,
        first=first,
        kept=first if edges else 0,
        few=FIRST_LENGTH if edges else 0,
        number=number,
        index=index,
        attribute=np.int16 if attributes < 2**15 else np.int32,
        code=coded.code.dtype,
    )
    n_slots = 2 ** (3 * first // 2).bit_length()
    slots = Slots(memory.array((n_slots, width), np.uint64), memory.array(n_slots, index))
    stack = arrays_of(
        Stack,
        memory.array,
        boxes=n,
        sized=len(coded.sizes),
        attributes=attributes,
        branches=branches,
        words=width,
        levels=min(table.rows, attributes) + 3,
        codes=-(-int(np.diff(coded.first_branch).max()) // 64),
        index=index,
    )
    stack.boxes[:n] = np.arange(n)
    stack.sizes[: len(coded.sizes)] = coded.sizes
    stack.varying[:attributes] = np.arange(attributes)
    stack.first_box[1], stack.first_varying[1], stack.first_child[1], stack.first_missing[1] = n, attributes, 1, 1
    stack.branch[0] = branches - 1
    stack.child_word[0] = np.bitwise_or.reduce(coded.word)
    return nodes, slots, stack


def _empty_few(coded: CodedTable, memory: Memory, *, used: bool) -> FewRows:
    """Arrays for subtables of few rows; of length 0 if they are not used."""
    n, width = coded.word.shape
    rows = min(n, MOST_ROWS) if used else 0
    attributes = int((coded.bits[:-1] > 0).sum())  # those of several codes
    codes = np.minimum(coded.first_joint[:-1] - coded.first_branch[:-2], rows)
    few = arrays_of(
        FewRows,
        memory.array,
        rows=rows,
        words=width,
        parts=int(codes.sum()),
        attributes=attributes,
        branches=int(coded.first_branch[-1]) if used else 0,
        bits=int(coded.sizes.max(initial=1) - 1).bit_length() if used else 0,
        levels=min(rows, attributes) + 1,
        slots=FIRST_SLOTS if used else 0,
    )
    fields = (numbers[:-1].tolist() for numbers in (coded.in_word, coded.shift, coded.bits))
    for column, shift, bits in zip(*fields, strict=True):
        field = (1 << bits) - 1
        few.tops[column] |= np.uint64((field ^ field >> 1) << shift)
        few.rests[column] |= np.uint64(field >> 1 << shift)
    return few


def _twice_the_minima(minima: Array, memory: Memory) -> Array:
    larger = memory.array((2 * len(minima), minima.shape[1]), np.uint64)
    rehash_minima(minima, larger)
    memory.release(minima)
    return larger


def _first_length(table: DecisionTable, coded: CodedTable, limit: int) -> int:
    """The number of nodes to allocate at first: the possible subtables, as far as memory allows."""
    codes = coded.first_joint[:-1] - coded.first_branch[:-2]
    most: int = min(math.prod((codes + 1).tolist()), table.rows << table.attributes)
    bytes_of_node = 64 + 32 * coded.word.shape[1]
    if most > FEW_SUBTABLES or most * bytes_of_node > limit // 4:
        return FIRST_LENGTH
    return max(FIRST_LENGTH, most // 2)


def _twice_the_slots(slots: Slots, memory: Memory) -> Slots:
    width = slots.word.shape[1]
    length = 2 * len(slots.number)
    larger = Slots(memory.array((length, width), np.uint64), memory.array(length, slots.number.dtype))
    rehash(slots, larger)
    memory.release(*slots)
    return larger


def _lengthen(
    outcome: int, nodes: GraphNodes, stack: Stack, state: Array, attributes: int, memory: Memory, *, edges: bool
) -> None:
    """Lengthen in place the arrays that the search has found full."""
    level = int(state[LEVEL])
    branches = len(stack.gathered)
    if outcome == SearchOutcome.NODES_FULL:
        kept = [nodes.size, nodes.decision] if edges else []
        memory.grow([nodes.minima, *kept], len(nodes.minima) + 1)
        if edges:
            memory.resize(nodes.splits, len(nodes.minima) + 1)
    elif outcome == SearchOutcome.EDGES_FULL:
        children = int(stack.first_child[level + 1] - stack.first_child[level])
        if state[EDGES] + children > len(nodes.edge_to):
            memory.grow([nodes.edge_to, nodes.edge_code], int(state[EDGES]) + children)
        if state[SPLITS] + attributes > len(nodes.split_attribute):
            memory.grow([nodes.split_attribute], int(state[SPLITS]) + attributes)
            memory.resize(nodes.split_edges, len(nodes.split_attribute) + 1)
    elif outcome == SearchOutcome.ROWS_FULL:
        first, end = stack.first_box[level : level + 2].tolist()
        memory.grow([stack.boxes, *([stack.sizes] if len(stack.sizes) else [])], 2 * end - first)
        memory.grow([stack.varying, stack.split_end, stack.leaves], int(stack.first_varying[level + 1]) + attributes)
    else:
        memory.grow(
            [stack.branch, stack.child, stack.child_word, stack.missing],
            int(stack.first_child[level + 1]) + branches + 1,
        )


def _lengths(nodes: GraphNodes, state: Array, *, edges: bool) -> Iterator[tuple[Array, int]]:
    """Each kept array and its final length."""
    count, n_edges, n_splits = (int(state[index]) for index in (NODES, EDGES, SPLITS))
    yield nodes.minima, count
    if edges:
        yield from ((array, count) for array in (nodes.size, nodes.decision))
        yield from ((nodes.splits, count + 1), (nodes.split_edges, n_splits + 1))
        yield from ((nodes.split_attribute, n_splits), (nodes.edge_to, n_edges), (nodes.edge_code, n_edges))
