"""The best single split on both sides of many cuts, in one pass over a sorted list of rows.

A vector has a number for each cut, or two vectors beside each other have one for each side of each cut: the first side,
where the rows before the cut are, then the second. The cuts may be of any attributes. A sweep first sums rows by class,
a batch at a time: the weight of each class on both sides of every cut, so far and in the rest of the list. A split
there classifies correctly the weight of one class so far and of another in the rest.

The weight of a class so far is greatest at the end of a batch, its weight in the rest at the beginning. If the best
pair of these improves no cut, no split inside the batch does, and the next batch is longer. Otherwise the next is
shorter, and a short batch is counted again row by row. If a value has many rows, a batch is a value.

Leaves may have a least weight. Then two splits are sought on each side of each cut: the best whose leaves have that
weight, and the best relaxed one, whose leaves may be lighter by a weight that differs from cut to cut.
"""

from algorithms._numba.decorators import inlined, inner
from algorithms._numba.primitives import (
    LANES,
    any_flag,
    beside,
    choose,
    flags_of,
    greater,
    lesser,
    load,
    store,
    zeros,
)
from algorithms.optimal.mixed.cut_windows import WEIGHT_SHIFT
from algorithms.optimal.mixed.packed_rows import CLASS_MASK, RANK_SHIFT, ROW_MASK

FEW_ROWS = 4
"""Rows per value and class, on average, up to which a batch is not the rows of a value."""
SHORTEST, LONGEST = 32, 2048
"""Rows of a batch."""
ONE_BY_ONE = 128
"""Rows that are taken one by one if the shortest batch may improve a split."""

SIDES = 2 * LANES


@inner
def sweep_list_of_two_classes(arena, begin, end, stop, mark, unit, total, fewest, most, scratch):
    """Widen the range of weight(first class) - weight(second class) by a list's words from `begin` to `end`.

    The rows from `end` to `stop`, unless that is None, lack the number. They are on the better side of each cut, or
    apart from all others. On the first side they add their own difference to that of the rows before a cut, on the
    other side nothing. So the range of the other rows is widened by it.

    mark (rows,) int64        : of each row, a bit for each cut that it lies before; from bit LANES on, its class; from
                                bit WEIGHT_SHIFT on, its weight
    unit (rows,) int64        : of each row, the factor of its weight; None if it is 1
    total (2, 2, LANES)       : the weight of each class on each side
    fewest (4, LANES)         : the least weight of a leaf on the first side of each cut, and on the second; then those
                                of the relaxed splits. None: any
    most (4 or 8, LANES)      : the greatest difference on each side of each cut, at least that of all rows, and the
                                least one; then those of the relaxed splits
    scratch                   : its numbers have the type to compute with, which must hold twice the weight of all rows
    """
    nothing, last = zeros(scratch), end - 1
    lead = weight_so_far = beside(nothing, nothing)
    greatest, least = load(most, 0, lead), load(most, SIDES, lead)
    apart = more = less = lead
    if stop is not None:
        for index in range(end, stop):
            marked, of_row = _read_row(arena[index], mark, unit)
            apart = apart + _on_sides(marked, -of_row if _class_of(marked) else of_row, nothing)
        more, less = greater(apart, lead), lesser(apart, lead)
        greatest, least = greatest - more, least - less
    if fewest is not None:
        everything = load(total, 0, lead) + load(total, SIDES, lead)
        heavy, relaxed = load(fewest, 0, lead), load(fewest, SIDES, lead)
        relaxed_greatest, relaxed_least = load(most, 2 * SIDES, lead), load(most, 3 * SIDES, lead)
    by_value, position, size = _have_many_rows_per_value(arena, begin, end, 2), begin, SHORTEST
    while position < last:
        before, before_of_second, weight, of_second = nothing, nothing, 0, 0
        at, stop = position, last if by_value else min(position + size, last)
        while at < stop and not (by_value and _differ(arena[position], arena[at])):
            marked, of_row = _read_row(arena[at], mark, unit)
            of_row_in_second = of_row if _class_of(marked) else 0
            before = before + choose(flags_of(marked), of_row, nothing)
            before_of_second = before_of_second + choose(flags_of(marked), of_row_in_second, nothing)
            weight, of_second = weight + of_row, of_second + of_row_in_second
            at += 1
        both, second = beside(before, weight - before), beside(before_of_second, of_second - before_of_second)
        highest, lowest, summed = (lead + both) - second, lead - second, weight_so_far + both
        wider = (highest > greatest) | (lowest < least)
        if fewest is not None:
            wider = wider & (summed >= relaxed) & (everything - weight_so_far >= relaxed)
        if not any_flag(wider):
            lead, weight_so_far = highest - second, summed
            position, size = at, min(2 * size, LONGEST)
            continue
        if not by_value and size > SHORTEST:
            size //= 4
            continue
        first = position
        if by_value:
            lead, weight_so_far, first = highest - second, summed, at - 1
        else:
            at = min(position + ONE_BY_ONE, last)
        for index in range(first, at):
            if not by_value:
                marked, of_row = _read_row(arena[index], mark, unit)
                if fewest is not None:
                    weight_so_far = weight_so_far + _on_sides(marked, of_row, nothing)
                lead = lead + _on_sides(marked, -of_row if _class_of(marked) else of_row, nothing)
            if not _differ(arena[index], arena[index + 1]):
                continue
            if fewest is None:
                greatest, least = greater(greatest, lead), lesser(least, lead)
                continue
            rest, above, below = everything - weight_so_far, lead > greatest, lead < least
            light = (weight_so_far >= relaxed) & (rest >= relaxed)
            if any_flag((above | below) & light):
                allowed = (weight_so_far >= heavy) & (rest >= heavy)
                greatest, least = choose(above & allowed, lead, greatest), choose(below & allowed, lead, least)
                relaxed_greatest = choose((lead > relaxed_greatest) & light, lead, relaxed_greatest)
                relaxed_least = choose((lead < relaxed_least) & light, lead, relaxed_least)
        position = at
    if stop is not None:
        greatest, least = greater(greatest + more, apart), lesser(least + less, apart)
    store(most, 0, greatest)
    store(most, SIDES, least)
    if fewest is not None:
        store(most, 2 * SIDES, relaxed_greatest)
        store(most, 3 * SIDES, relaxed_least)


@inner
def sweep_list(arena, begin, end, mark, unit, classes, total, fewest, right, scratch):
    """Raise the correct weight of the best split on each side of each cut, by a list's words from `begin` to `end`.

    mark, unit (rows,), fewest   : as above
    total (classes or more, 2, LANES) : the weight of each class on each side
    right (2 or 4, LANES)        : by side; at least the correct weight of a leaf. Then that of the relaxed splits
    scratch                      : as above, and for 6 * classes * LANES numbers: the weight of each class on each side
                                   so far, and with a batch, and in all
    """
    nothing, last = zeros(scratch), end - 1
    summed, totals = classes * SIDES, 2 * classes * SIDES
    weight_so_far = beside(nothing, nothing)
    best = load(right, 0, weight_so_far)
    for at in range(0, summed, SIDES):
        store(scratch, at, weight_so_far)
        store(scratch, totals + at, load(total, at, weight_so_far))
    if fewest is not None:
        everything, heavy = weight_so_far, load(fewest, 0, weight_so_far)
        for at in range(0, summed, SIDES):
            everything = everything + load(total, at, everything)
        relaxed, relaxed_best = load(fewest, SIDES, heavy), load(right, SIDES, heavy)
    by_value, position, size = _have_many_rows_per_value(arena, begin, end, classes), begin, SHORTEST
    while position < last:
        greatest, second = _greatest_of_rest(scratch, classes, weight_so_far)
        for at in range(summed, totals, LANES):
            store(scratch, at, nothing)
        at, stop = position, last if by_value else min(position + size, last)
        while at < stop and not (by_value and _differ(arena[position], arena[at])):
            marked, of_row = _read_row(arena[at], mark, unit)
            here = summed + _class_of(marked) * SIDES
            store(scratch, here, load(scratch, here, nothing) + choose(flags_of(marked), of_row, nothing))
            scratch[here + LANES] += of_row
            at += 1
        pair, with_batch = weight_so_far - weight_so_far, weight_so_far
        for here in range(0, summed, SIDES):
            before = load(scratch, summed + here, nothing)
            moved = beside(before, scratch[summed + here + LANES] - before)
            was = load(scratch, here, moved)
            store(scratch, summed + here, was + moved)
            with_batch = with_batch + moved
            own = load(scratch, totals + here, moved) - was == greatest
            pair = greater(pair, was + moved + choose(own, second, greatest))
        improved = pair > best
        if fewest is not None:
            improved = improved & (with_batch >= relaxed) & (everything - weight_so_far >= relaxed)
        improves = any_flag(improved)
        if improves and not by_value and size > SHORTEST:
            size //= 4
            continue
        if by_value or not improves:
            weight_so_far = with_batch
            for here in range(0, summed, LANES):
                store(scratch, here, load(scratch, summed + here, nothing))
        if not improves:
            position, size = at, min(2 * size, LONGEST)
            continue
        first = at - 1
        if not by_value:
            first, at = position, min(position + ONE_BY_ONE, last)
        most = weight_so_far - weight_so_far
        for here in range(0, summed, SIDES):
            most = greater(most, load(scratch, here, most))
        for index in range(first, at):
            if not by_value:
                marked, of_row = _read_row(arena[index], mark, unit)
                moved, here = _on_sides(marked, of_row, nothing), _class_of(marked) * SIDES
                if fewest is not None:
                    weight_so_far = weight_so_far + moved
                of_class = load(scratch, here, most) + moved
                store(scratch, here, of_class)
                most = greater(most, of_class)
            if not _differ(arena[index], arena[index + 1]):
                continue
            improved = most + greatest > best
            if fewest is not None:
                rest = everything - weight_so_far
                light = (weight_so_far >= relaxed) & (rest >= relaxed)
                improved = improved & light
            if any_flag(improved):  # the greatest class of the rest is never heavier than the last one found
                greatest, _ = _greatest_of_rest(scratch, classes, most)
                correct = most + greatest
                if fewest is None:
                    best = greater(best, correct)
                else:
                    allowed = (correct > best) & (weight_so_far >= heavy) & (rest >= heavy)
                    best = choose(allowed, correct, best)
                    relaxed_best = choose((correct > relaxed_best) & light, correct, relaxed_best)
        position = at
    store(right, 0, best)
    if fewest is not None:
        store(right, SIDES, relaxed_best)


@inlined
def _have_many_rows_per_value(arena, begin, end, classes):
    """Whether values have many rows, by the ranks of the first and the last row."""
    values = (arena[end - 1] >> RANK_SHIFT) - (arena[begin] >> RANK_SHIFT) + 1
    return end - begin > values * classes * FEW_ROWS


@inlined
def _differ(word, other):
    """Whether two rows have different values."""
    return (word ^ other) >> RANK_SHIFT != 0


@inlined
def _read_row(word, mark, unit):
    """The (mark, weight) of a row."""
    row = word & ROW_MASK
    weight = mark[row] >> WEIGHT_SHIFT
    if unit is not None:
        weight *= unit[row]
    return mark[row], weight


@inlined
def _class_of(marked):
    return marked >> LANES & CLASS_MASK


@inlined
def _on_sides(marked, weight, nothing):
    """The weight at each cut that the row lies before, else 0; and at each cut that it lies behind."""
    before = flags_of(marked)
    return beside(choose(before, weight, nothing), choose(before, nothing, weight))


@inlined
def _greatest_of_rest(scratch, classes, like):
    """The greatest and the second class of the rest on each side."""
    greatest = second = like - like
    for here in range(0, classes * SIDES, SIDES):
        rest = load(scratch, 2 * classes * SIDES + here, like) - load(scratch, here, like)
        second = greater(second, lesser(greatest, rest))
        greatest = greater(greatest, rest)
    return greatest, second
