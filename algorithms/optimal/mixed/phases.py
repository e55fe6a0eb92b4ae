"""Depth-first search with bounds for the best tree over mixed attributes, which can be stopped and gone on with.

Each node goes through phases (`Phase`), and all that is known is in arrays, so that the search may return between any
two of them. The unit of work is a row looked at in the list of one attribute.
"""

from __future__ import annotations

from algorithms._numba.decorators import inner, outer
from algorithms._numba.primitives import by_reference, cells
from algorithms.optimal.mixed.children import begin_round, enter_child, limit_child, part_rows, take_child, write_found
from algorithms.optimal.mixed.cut_bounds import bound_cuts, words_of_cuts
from algorithms.optimal.mixed.node_entry import enter, keep, leave
from algorithms.optimal.mixed.node_levels import LEVEL, MAY_KEEP, WANTED, WORK, Ended, Phase, width_of
from algorithms.optimal.mixed.packed_rows import CUTS
from algorithms.optimal.mixed.split_steps import (
    lay_sides,
    next_attribute,
    next_cut_of_node,
    next_parting,
    offer,
    push_runs,
    take_stump,
    take_stumps,
)
from algorithms.optimal.mixed.stumps import best_stumps
from algorithms.optimal.mixed.sweeps import sweep_cuts

__all__ = ["search"]


@inner
def _words_below(node, width, classes):
    """How far into the arena a node may write."""
    n_rows, n_lists = node.rows, node.n_laid
    return node.lists + 2 * n_lists + classes + words_of_cuts(n_rows, width) + n_rows * (4 + 2 * width + n_lists)


@outer
def search(rows, kind, rule, arena, levels, found, sides, packed, sweep, fewest, room, until, look):
    """Search on below level 0 until all is done, or the work is `until`: why it returns.

    kind   : of each attribute; None where all are CUTS
    packed : room for weights of the rows of two sides, see `best_stumps`; None where each node of two levels is swept
    sweep  : room for cuts that are swept; None where none are
    fewest : room for fewest rows of leaves, see `list_sweeps`; None where they may have any size
    look   : only look at the node of level 0: what was found of it, and its best single split

    What is None is not compiled.
    """
    rows, rule, levels, found = by_reference(rows), by_reference(rule), by_reference(levels), by_reference(found)
    sides, room = by_reference(sides), by_reference(room)
    sweep_place, arena = by_reference(sweep), cells(arena)
    level = room.state[LEVEL]
    while True:
        room.state[LEVEL] = level
        if room.state[WORK] >= until:
            return Ended.PAUSED
        node = levels.node[level]
        phase = node.phase
        if phase == Phase.ENTER:
            wanted = _words_below(node, rule.width, rule.classes)
            if wanted > len(arena):
                room.state[WANTED] = wanted
                return Ended.ARENA
            node.phase = enter(rows, kind, rule, arena, levels, level, found, room, look)
        elif phase == Phase.STUMP or (packed is not None and phase == Phase.STUMPS):
            lay_sides(rows, kind, rule, arena, levels, level, sides, packed, room, phase == Phase.STUMPS)
            best_stumps(rows, kind, rule, arena, node.lists, node.n_lists, node.rows, sides, packed)
            if packed is not None and phase == Phase.STUMPS:
                take_stumps(rule, arena, levels, level, sides, room)
                node.phase = Phase.BOUND
            else:
                node.phase = take_stump(rule, levels, level, sides)
        elif look:
            leave(levels, level, room)
            return Ended.DONE
        elif phase == Phase.NEXT_ATTRIBUTE:
            node.phase = next_attribute(rows, kind, rule, arena, levels, level, sweep_place, room)
        elif phase == Phase.NEXT_CUT:
            node.phase = next_cut_of_node(rule, arena, levels, level, room)
        elif sweep is not None and phase == Phase.SWEEP:
            node.phase = sweep_cuts(rows, rule, arena, levels, level, sweep_place, fewest, room)
        elif kind is not None and phase == Phase.NEXT_PARTING:
            node.phase = next_parting(rows, rule, arena, levels, level, room)
        elif phase == Phase.PART:
            if level + 1 == len(levels.node):
                return Ended.LEVELS
            node.phase = Phase.NEXT_CHILD if part_rows(rows, kind, rule, arena, levels, level, room) else Phase.PARTED
        elif phase == Phase.NEXT_CHILD:
            node.phase = Phase.PARTED
            if limit_child(kind, rule, arena, levels, level, room):
                enter_child(rule, arena, levels, level)
                node.phase = Phase.RETURNED
                level += 1
                levels.node[level].phase = Phase.ENTER
        elif phase == Phase.RETURNED:
            node.phase = Phase.NEXT_CHILD
            if take_child(rule, arena, levels, level, room):
                if node.loose:
                    node.loose = 0
                    begin_round(levels, level)
                else:
                    offer(levels, level, arena)
                    node.phase = Phase.PARTED
        elif phase == Phase.PARTED:
            if kind is None or kind[arena[node.lists + 2 * node.place]] == CUTS:
                write_found(rule, arena, levels, level, room)
            node.phase = Phase.BOUND
        elif phase == Phase.BOUND:
            node.phase = Phase.NEXT_PARTING
            if kind is None or kind[arena[node.lists + 2 * node.place]] == CUTS:
                bound_cuts(arena, node, width_of(rule, node.depth - 1, node.rows), rule, room.cost)
                push_runs(arena, levels, level)
                node.phase = Phase.NEXT_CUT
        elif phase == Phase.KEEP:
            if room.state[MAY_KEEP] and 2 * found.used[0] > len(found.key):
                return Ended.FOUND
            leave(levels, level, room)
            keep(levels, level, found, room)
            node.phase = Phase.LEAVE
        else:
            leave(levels, level, room)
            if level == 0:
                return Ended.DONE
            level -= 1
