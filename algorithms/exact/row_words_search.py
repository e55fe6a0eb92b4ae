"""Find the separable subtables of a table of any shape, each once, and the minima of their five costs.

The search is depth-first: a subtable is finished after its branches, so its number is greater than theirs. If edges are
not kept, terminal subtables are not stored but only counted, since their costs are known.

Every row is a word (several machine words if necessary), packed by `coded`, with a field for each attribute and for
the decision. The OR of the words of some rows shows on which attributes they differ, and which code they share on each
other attribute. A separable subtable consists of all rows that share those codes. So its word identifies it exactly,
and one pass over the rows of a subtable computes the words of all its branches.

If edges are not kept, `few_rows` computes the minima of subtables of few rows by branch and bound.

Rows may be merged into boxes (`boxes`). The search needs only the OR of the words of the rows of a box; and the rows of
a box that are in a subtable form a box themselves.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inlined, outer
from algorithms.exact.few_rows import MOST_ROWS, load_few, minima_of_few
from algorithms.exact.packed_cost import MOST_PATH_LENGTH, unpack
from algorithms.exact.row_words_branches import field_mask, gather_boxes, gather_words, varies, write_children
from algorithms.exact.slots import find_slot, first_slot, is_empty, put, same
from algorithms.kernel_arrays import array

ZERO, ONE = np.uint64(0), np.uint64(1)
NO_DECISION = -1  # in place of the decision of a subtable whose rows have several

LEVEL, NODES, EDGES, SPLITS = range(4)
"""Indices of the array `state`: the level of a search, and the numbers of nodes, edges and splits so far.

They are plain integers, since numba 0.67 and older do not compile a member of an IntEnum as an index.
"""


class SearchOutcome(IntEnum):
    """Why a search returned: it is finished, or the named arrays are full."""

    FINISHED = 0
    NODES_FULL = 1
    EDGES_FULL = 2
    ROWS_FULL = 3
    CHILDREN_FULL = 4
    MINIMA_FULL = 5


class CodedTable(NamedTuple):
    """The arrays that the search reads.

    The branches of all attributes are numbered together: first one for each code of attribute 0, then its joint
    branches, then those of attribute 1, and so on. A box with a set of codes of an attribute takes the joint branch of
    this set, which stands for the branches of its codes. The last branch belongs to an artificial last attribute, of
    which all rows have the same code: it leads to the whole table.
    """

    word: Any  # (boxes, machine words) uint64: the OR of the words of the rows of each box
    branch: Any  # (boxes, attributes + 1): the branch that a box takes at each attribute
    column: Any  # (attributes + 1, boxes): the transpose of `branch`
    first_branch: Any  # (attributes + 2,): the first branch of each attribute, and the end
    first_joint: Any  # (attributes + 1,): the first joint branch of each attribute, after those of its codes
    attribute_of: Any  # (branches,): the attribute of each branch
    joined_codes: Any  # (branches,) uint64: bit c is set if a joint branch stands for that of code c
    joint_branches: Any  # (branches,) uint64: bit b is set if joint branch first_branch + b stands for this branch
    in_word: Any  # (attributes + 1,) uint64: the machine word with the field of each attribute, last of the decision
    shift: Any  # (attributes + 1,) uint64: the lowest bit of the field
    bits: Any  # (attributes + 1,) uint64: the bits of a code, half the width of the field
    code: Any  # (branches,): the code of each branch, as in the table; or (0,), if edges are not kept
    sizes: Any  # (boxes,): summed weight of the rows of each box; or (0,), if all are 1


class GraphNodes(NamedTuple):
    """The subtables found, in the fields of SubtableGraph. Without edges, only the minima are kept."""

    size: Any = array("kept", "number")
    decision: Any = array("kept", np.int32)
    minima: Any = array("first 5", "number")
    splits: Any = array("kept+1", "index")
    split_attribute: Any = array("few", "attribute")
    split_edges: Any = array("few+1", "index")
    edge_to: Any = array("few", "index")
    edge_code: Any = array("few", "code")


class Stack(NamedTuple):
    """The subtables in progress, a level for each; the part of a level in an array ends where the next begins.

    Level 0 is not a subtable: its only branch leads to the whole table.
    """

    boxes: Any = array("2*boxes", np.uint32)  # the boxes with rows in the subtable
    sizes: Any = array("2*sized")  # summed weight of the rows of each box that are in the subtable
    varying: Any = array("2*attributes", np.uint32)  # the attributes on which the rows differ
    split_end: Any = array("2*attributes", "index")  # where the branches of each of these end in `branch`
    leaves: Any = array("2*attributes", "index")  # how many of its branches are terminal and not in `branch`
    branch: Any = array("branches+1", np.uint32)  # the branches of the subtable
    child: Any = array("branches+1", "index")  # the node that each branch leads to, once it is known
    child_word: Any = array("branches+1 words", np.uint64)  # the word of this node
    missing: Any = array("branches+1", np.uint32)  # indices in `child` whose node was not known when the level began
    first_box: Any = array("levels", np.uint32)  # where each level begins in `boxes` and `sizes`
    first_varying: Any = array("levels", np.uint32)  # ... in `varying`, `split_end` and `leaves`
    first_child: Any = array("levels", np.uint32)  # ... in `branch`, `child` and `child_word`
    first_missing: Any = array("levels", np.uint32)  # ... in `missing`
    next_missing: Any = array("levels", np.uint32)  # the first entry of `missing` whose node is not known yet
    size: Any = array("levels")  # summed weight of the rows
    kept: Any = array("words", np.uint64)  # the bits of the fields of the attributes that vary, and of the decision
    gathered: Any = array("branches words", np.uint64)  # all 0: scratch for the word of each branch
    seen: Any = array("codes", np.uint64)  # all 0: scratch for a bit for each code of an attribute


@inlined
def _find_children(slots, stack, child, child_end, missing):
    """Write the node of each branch whose word is in its first slot; list the other branches in `missing`.

    Returns the end of this list. Most branches are found here, without an unpredictable jump.
    """
    for i in range(child, child_end):
        slot = first_slot(slots, stack.child_word, i)
        is_same = same(slots, slot, stack.child_word, i)
        stack.child[i] = slots.number[slot]
        stack.missing[missing] = i
        missing += np.int64(not is_same)
    return missing


@inlined
def _write_minima(nodes, stack, node, split, split_end, child, size):
    """Write the minima of a nonterminal node over the attributes that split it.

    Returns how many branches of these attributes are terminal and not in `branch`.
    """
    all_leaves = 0
    least_depth = least_length = least_nodes = least_nonterminal = least_terminal = np.iinfo(np.int64).max
    for j in range(split, split_end):
        depth = length = nonterminal = np.int64(0)
        all_nodes = terminal = np.int64(stack.leaves[j])
        all_leaves += terminal
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
    return all_leaves


@inlined
def _write_edges(table, nodes, stack, split, split_end, child, child_end, n_splits, n_edges):
    for j in range(split, split_end):
        nodes.split_attribute[n_splits] = stack.varying[j]
        nodes.split_edges[n_splits + 1] = n_edges + stack.split_end[j] - child
        n_splits += 1
    for i in range(child, child_end):
        nodes.edge_to[n_edges], nodes.edge_code[n_edges] = stack.child[i], table.code[stack.branch[i]]
        n_edges += 1


@outer
def search(table, nodes, slots, stack, few, state, keep_edges):
    """Search until all subtables are found or an array is full; return a `SearchOutcome`.

    Called again with larger arrays, the search continues where it stopped. It fills at most two thirds of the slots. If
    `few` has arrays, because edges are not kept and each box is a row, `few_rows` computes the minima of subtables of
    few rows, and the subtables below these are not found.
    """
    attributes = len(table.in_word) - 1
    level, count, n_edges = state[LEVEL], state[NODES], state[EDGES]
    n_splits = state[SPLITS]
    outcome = SearchOutcome.FINISHED
    while level > 0 or stack.next_missing[0] == 0:
        first, end = np.int64(stack.first_box[level]), np.int64(stack.first_box[level + 1])
        missing, missing_end = np.int64(stack.next_missing[level]), np.int64(stack.first_missing[level + 1])
        child_end = np.int64(stack.first_child[level + 1])
        # branches whose nodes have been found since the level began
        slot, at = ZERO, 0
        while missing < missing_end:
            at = np.int64(stack.missing[missing])
            slot = find_slot(slots, stack.child_word, at)
            if is_empty(slots, slot):
                break
            stack.child[at] = slots.number[slot]
            missing += 1
        stack.next_missing[level] = missing
        if count == len(nodes.minima) or 3 * count >= 2 * len(slots.number):
            outcome = SearchOutcome.NODES_FULL
            break
        if missing < missing_end:
            # a new subtable
            split, split_end = np.int64(stack.first_varying[level]), np.int64(stack.first_varying[level + 1])
            if end + end - first > len(stack.boxes) or split_end + attributes > len(stack.varying):
                outcome = SearchOutcome.ROWS_FULL
                break
            top, size = gather_boxes(table, stack, first, end, stack.branch[at])
            if not varies(table, stack.child_word, at, attributes):
                for cost in range(5):
                    nodes.minima[count, cost] = 0
                nodes.minima[count, 2] = nodes.minima[count, 4] = 1
                if keep_edges:
                    nodes.size[count] = size
                    nodes.decision[count] = stack.child_word[at, 0] & ((ONE << table.bits[attributes]) - ONE)
                    nodes.splits[count + 1] = n_splits
                put(slots, slot, stack.child_word, at, count)
                stack.child[at] = count
                stack.next_missing[level] = missing + 1
                count += 1
                continue
            if top - end <= MOST_ROWS and len(few.word) and size * min(top - end, attributes) < MOST_PATH_LENGTH:
                varying, rows = load_few(table, few, stack, end, top)
                sums, depth, fits = minima_of_few(few, varying, rows)
                if not fits:
                    outcome = SearchOutcome.MINIMA_FULL
                    break
                unpack(sums, depth, nodes.minima[count], False)
                put(slots, slot, stack.child_word, at, count)
                stack.child[at] = count
                stack.next_missing[level] = missing + 1
                count += 1
                continue
            last, needed = split_end, child_end + 1
            for k in range(len(stack.kept)):
                stack.kept[k] = ZERO
            stack.kept[0] = field_mask(table, attributes)
            for j in range(split, split_end):
                attribute = stack.varying[j]
                if varies(table, stack.child_word, at, attribute):
                    stack.varying[last] = attribute
                    last += 1
                    stack.kept[table.in_word[attribute]] |= field_mask(table, attribute)
                    needed += min(table.first_joint[attribute] - table.first_branch[attribute], size)
            if needed > len(stack.child):
                outcome = SearchOutcome.CHILDREN_FULL
                break
            level += 1
            stack.first_box[level + 1], stack.first_varying[level + 1], stack.size[level] = top, last, size
            gather_words(table, stack, at, end, top, split_end, last)
            child = child_end
            child_end = write_children(table, stack, end, top, split_end, last, child, keep_edges)
            stack.first_child[level + 1], stack.next_missing[level] = child_end, missing_end
            stack.first_missing[level + 1] = _find_children(slots, stack, child, child_end, missing_end)
            continue
        # all branches have nodes
        child = np.int64(stack.first_child[level])
        split, split_end = np.int64(stack.first_varying[level]), np.int64(stack.first_varying[level + 1])
        if keep_edges:
            if n_edges + child_end - child > len(nodes.edge_to) or n_splits + split_end - split > len(
                nodes.split_attribute
            ):
                outcome = SearchOutcome.EDGES_FULL
                break
            _write_edges(table, nodes, stack, split, split_end, child, child_end, n_splits, n_edges)
            nodes.splits[count + 1] = n_splits + split_end - split
            nodes.size[count], nodes.decision[count] = stack.size[level], NO_DECISION
        n_edges += child_end - child + _write_minima(nodes, stack, count, split, split_end, child, stack.size[level])
        n_splits += split_end - split
        level -= 1
        at = np.int64(stack.missing[stack.next_missing[level]])
        put(slots, find_slot(slots, stack.child_word, at), stack.child_word, at, count)
        stack.child[at] = count
        stack.next_missing[level] += 1
        count += 1
    state[LEVEL], state[NODES], state[EDGES] = level, count, n_edges
    state[SPLITS] = n_splits
    return outcome
