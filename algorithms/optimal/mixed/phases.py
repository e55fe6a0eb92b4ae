"""Depth-first branch and bound for the best tree over mixed attributes, which can be paused and resumed.

Each node passes through phases (`NodePhase`). All state is in arrays, so that the search can return after any phase and
continue later. The unit of work is one row in the sorted list of one attribute.
"""

from algorithms._numba.decorators import large, outer
from algorithms._numba.primitives import cells
from algorithms.optimal.mixed.children import (
    begin_round,
    enter_child,
    limit_child,
    split_rows,
    take_child,
    write_result,
)
from algorithms.optimal.mixed.code_pairs import solve_from_pairs
from algorithms.optimal.mixed.cut_bounds import bound_cuts
from algorithms.optimal.mixed.node_entry import enter, keep, leave
from algorithms.optimal.mixed.node_levels import (
    KNOWN_ROWS,
    LEVEL,
    MEMO_MAY_GROW,
    WANTED,
    WORK,
    Ended,
    NodePhase,
    width_of,
)
from algorithms.optimal.mixed.split_steps import (
    next_attribute,
    next_cut_of_node,
    next_partition,
    offer,
    offer_cut_of_known,
    pack_sides,
    push_intervals,
    take_stump,
    take_stumps,
)
from algorithms.optimal.mixed.stumps import best_stumps
from algorithms.optimal.mixed.sweeps import sweep_cuts


@outer
def words_of_node(rows, lists, width, classes):
    """The most words of the arena that a node with this many rows and lists writes, from its table of lists on."""
    table_and_queue_of_cuts = rows * (8 + 4 * width) + 8
    return 2 * lists + classes + table_and_queue_of_cuts + rows * (4 + 2 * width + lists)


@large
def search(
    rows,
    kind,
    branches,
    rule,
    arena,
    levels,
    memo,
    sides,
    packed,
    sweep,
    numbers,
    grains,
    fewest,
    pairs,
    scratch,
    until,
    look,
):
    """Continue the search of the node of level 0; return why it stopped, as an `Ended`.

    rows, rule    : `PackedRows`, `TreeRule`
    kind          : (attributes,) int64, see `packed_rows`; None if all attributes are CUTS
    branches      : True; None if all splits are cuts with two branches
    arena         : (words,) int64, the lists and tables of all nodes, see `node_levels.NODE`
    levels, memo  : `NodeLevels`, `CostBoundsMemo`
    sides, packed : buffers of `best_stumps`; `packed` is None if all nodes with two levels left are swept
    sweep         : `Sweep`; None if no node is swept
    numbers       : scratch of `list_sweeps`, of integers with `rule.sweep_bits` bits; None if no node is swept
    grains        : (rows,) `PackedRows.grains` for sweeps with 64 bits; None for other sweeps
    fewest        : (4, LANES) int64, a buffer of `list_sweeps`; None if no node is swept or leaves may have any size
    pairs         : `CodePairs`; None if no node is solved from counts of pairs
    scratch       : `NodeBuffers`
    until         : work at which to pause
    look          : whether to stop after the memo and the best stump of level 0, or its counts of pairs

    The code for an argument that is None is not compiled.
    """
    arena = cells(arena)
    level = scratch.state[LEVEL]
    while True:
        scratch.state[LEVEL] = level
        if scratch.state[WORK] >= until:
            return Ended.PAUSED
        node = levels.node[level]
        phase = node.phase
        if phase == NodePhase.ENTER:
            wanted = node.lists + words_of_node(node.rows, node.n_parent_lists, rule.width, rule.classes)
            if wanted > len(arena):
                scratch.state[WANTED] = wanted
                return Ended.ARENA
            node.phase = enter(rows, kind, rule, arena, levels, level, memo, pairs, scratch, look)
        elif pairs is None and (phase == NodePhase.STUMP or (packed is not None and phase == NodePhase.STUMPS)):
            pack_sides(rows, kind, rule, arena, levels, level, sides, packed, scratch, phase == NodePhase.STUMPS)
            best_stumps(rows, kind, branches, rule, arena, node.lists, node.n_lists, node.rows, sides, packed)
            if packed is not None and phase == NodePhase.STUMPS:
                take_stumps(rule, arena, levels, level, sides, scratch)
                node.phase = NodePhase.BOUND
            else:
                node.phase = take_stump(rule, levels, level, sides)
        elif pairs is not None and phase == NodePhase.PAIRS:
            node.phase = solve_from_pairs(rule, arena, levels, level, pairs, scratch)
        elif look:
            leave(levels, level, scratch)
            return Ended.DONE
        elif phase == NodePhase.NEXT_ATTRIBUTE:
            node.phase = next_attribute(rows, kind, branches, rule, arena, levels, level, memo, sweep, scratch)
        elif phase == NodePhase.NEXT_CUT:
            node.phase = next_cut_of_node(rule, arena, levels, level, scratch)
        elif sweep is not None and phase == NodePhase.SWEEP:
            node.phase = sweep_cuts(
                rows, kind, branches, rule, arena, levels, level, sweep, numbers, grains, fewest, scratch
            )
        elif branches is not None and phase == NodePhase.NEXT_PARTITION:
            node.phase = next_partition(rows, kind, rule, arena, levels, level, scratch)
        elif phase == NodePhase.SPLIT:
            if level + 1 == len(levels.node):
                return Ended.LEVELS
            may_be_better = split_rows(rows, kind, rule, arena, levels, level, pairs, scratch)
            node.phase = NodePhase.NEXT_CHILD if may_be_better else NodePhase.TRIED
        elif phase == NodePhase.NEXT_CHILD:
            node.phase = NodePhase.TRIED
            if limit_child(kind, rule, arena, levels, level, scratch):
                enter_child(kind, rule, arena, levels, level)
                node.phase = NodePhase.RETURNED
                level += 1
                levels.node[level].phase = NodePhase.ENTER
        elif phase == NodePhase.RETURNED:
            node.phase = NodePhase.NEXT_CHILD
            if kind is not None and node.split == KNOWN_ROWS and node.child == 1:
                offer_cut_of_known(levels, level)
                node.phase = NodePhase.TRIED
            elif take_child(rule, arena, levels, level, pairs, scratch):
                if node.relaxed:
                    node.relaxed = 0
                    begin_round(levels, level)
                else:
                    offer(levels, level, arena)
                    node.phase = NodePhase.TRIED
        elif phase == NodePhase.TRIED:
            if kind is None or node.by_cut > 0:
                write_result(rule, arena, levels, level, scratch)
            node.phase = NodePhase.BOUND
        elif phase == NodePhase.BOUND:
            node.phase = NodePhase.NEXT_PARTITION
            if kind is None or node.by_cut > 0:
                bound_cuts(arena, node, width_of(rule, node.depth - 1, node.rows), rule, scratch)
                push_intervals(arena, levels, level)
                node.phase = NodePhase.NEXT_CUT
        elif phase == NodePhase.KEEP:
            if scratch.state[MEMO_MAY_GROW] and 2 * memo.used[0] > len(memo.key):
                return Ended.MEMO
            leave(levels, level, scratch)
            keep(levels, level, memo, scratch)
            node.phase = NodePhase.LEAVE
        else:
            leave(levels, level, scratch)
            if level == 0:
                return Ended.DONE
            level -= 1
