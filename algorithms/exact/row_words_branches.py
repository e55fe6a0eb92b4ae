"""The branches of a subtable: their rows, their words, and those that the search visits.

`row_words_search` documents a CodedTable `table` and a Stack `stack`, and `coded` the fields of a word.
"""

import numpy as np

from algorithms._numba.decorators import inlined
from algorithms._numba.primitives import lowest, popcount

ZERO, ONE = np.uint64(0), np.uint64(1)
SIX, LAST_SIX_BITS = np.uint64(6), np.uint64(63)


@inlined
def field_mask(table, attribute):
    """The bits of the field of an attribute, code and complement, in its machine word."""
    return ((ONE << (table.bits[attribute] + table.bits[attribute])) - ONE) << table.shift[attribute]


@inlined
def varies(table, words, at, attribute):
    """Whether the rows of the subtable words[at] differ in an attribute; the last attribute is the decision."""
    field = words[at, table.in_word[attribute]] >> table.shift[attribute]
    bits = table.bits[attribute]
    return (field & (field >> bits) & ((ONE << bits) - ONE)) != ZERO


@inlined
def gather_boxes(table, stack, first, end, branch):
    """Write the boxes from `first` to `end` that have rows in a branch onto the stack, from `end` on.

    Returns (the end of these boxes, the summed weight of their rows in the branch).
    """
    attribute = table.attribute_of[branch]
    lowest_branch, first_joint = table.first_branch[attribute], table.first_joint[attribute]
    joint_branches = table.joint_branches[branch]
    top, size = end, 0
    if len(table.sizes) == 0:
        for i in range(first, end):
            box = stack.boxes[i]
            stack.boxes[top] = box
            top += np.int64(table.column[attribute, box] == branch)
        return top, top - end
    for i in range(first, end):
        box = stack.boxes[i]
        taken = np.int64(table.column[attribute, box])
        stack.boxes[top], stack.sizes[top] = box, stack.sizes[i]
        top += np.int64(
            (taken == branch) | (joint_branches >> (np.uint64(taken - lowest_branch) & LAST_SIX_BITS) & ONE != ZERO)
        )
    for i in range(end, top):
        taken = table.column[attribute, stack.boxes[i]]
        if taken >= first_joint:
            stack.sizes[i] //= np.int64(popcount(table.joined_codes[taken]))
        size += stack.sizes[i]
    return top, size


@inlined
def gather_words(table, stack, at, first, end, varying, varying_end):
    """Gather the word of every branch of the subtable child_word[at], whose boxes are those from `first` to `end`.

    For an attribute that does not vary, the code is that of the subtable, since a box may have other codes too. The
    attributes that vary are those in stack.varying from `varying` to `varying_end`.
    """
    for i in range(first, end):
        box = stack.boxes[i]
        for k in range(table.word.shape[1]):
            word = table.word[box, k] & stack.kept[k] | stack.child_word[at, k] & ~stack.kept[k]
            for j in range(varying, varying_end):
                stack.gathered[table.branch[box, stack.varying[j]], k] |= word


@inlined
def _spread_joint_words(table, stack, attribute):
    """Merge the words gathered for the joint branches of an attribute into the branches of their codes; clear them."""
    at, shift, bits = table.in_word[attribute], table.shift[attribute], table.bits[attribute]
    for joint in range(table.first_joint[attribute], table.first_branch[attribute + 1]):
        if stack.gathered[joint, 0] != ZERO:
            stack.gathered[joint, at] &= ~field_mask(table, attribute)
            codes = table.joined_codes[joint]
            while codes != ZERO:
                code = lowest(codes)
                codes &= codes - ONE
                branch = table.first_branch[attribute] + np.int64(code)
                for k in range(stack.gathered.shape[1]):
                    stack.gathered[branch, k] |= stack.gathered[joint, k]
                stack.gathered[branch, at] |= (code | (code ^ ((ONE << bits) - ONE)) << bits) << shift
            for k in range(stack.gathered.shape[1]):
                stack.gathered[joint, k] = ZERO


@inlined
def _write_child(stack, branch, child, leaves, keep_edges, bits):
    """Write a branch with rows to the stack, at `child`, and clear its gathered word: (end of the branches, leaves).

    If edges are not kept, a branch of one decision is not written but counted as a leaf.
    """
    word = stack.gathered[branch, 0]
    for k in range(stack.gathered.shape[1]):
        stack.child_word[child, k] = stack.gathered[branch, k]
        stack.gathered[branch, k] = ZERO
    stack.branch[child] = branch
    has_rows = word != ZERO
    written = has_rows & (keep_edges | (word & (word >> bits) & ((ONE << bits) - ONE) != ZERO))
    return child + np.int64(written), leaves + np.int64(has_rows) - np.int64(written)


@inlined
def write_children(table, stack, first, end, varying, varying_end, child, keep_edges):
    """Write the branches with rows to the stack, by attribute and code, from `child` on; return their end.

    The boxes of the subtable are those from `first` to `end`, its attributes those of `gather_words`.
    """
    bits = table.bits[len(table.bits) - 1]
    for j in range(varying, varying_end):
        leaves = 0
        attribute = stack.varying[j]
        _spread_joint_words(table, stack, attribute)
        lowest_branch, end_branch = table.first_branch[attribute], table.first_joint[attribute]
        if end_branch - lowest_branch <= 64 or end_branch - lowest_branch <= end - first:
            for branch in range(lowest_branch, end_branch):
                child, leaves = _write_child(stack, branch, child, leaves, keep_edges, bits)
        else:  # few rows of an attribute with many codes and no joint branches: visit only their codes
            for i in range(first, end):
                code = np.uint64(table.column[attribute, stack.boxes[i]] - lowest_branch)
                stack.seen[code >> SIX] |= ONE << (code & LAST_SIX_BITS)
            for i in range((end_branch - lowest_branch + 63) // 64):
                while stack.seen[i]:
                    branch = lowest_branch + 64 * i + np.int64(lowest(stack.seen[i]))
                    stack.seen[i] &= stack.seen[i] - ONE
                    child, leaves = _write_child(stack, branch, child, leaves, keep_edges, bits)
        stack.split_end[j], stack.leaves[j] = child, leaves
    return child
