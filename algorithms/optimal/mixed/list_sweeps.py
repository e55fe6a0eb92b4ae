"""The best stumps of both sides of up to LANES cuts, by one attribute, in one pass over its sorted list.

The cuts are splits of a node by any attributes. A vector has an element for each cut. A vector of SIDES elements has
one for each side of each cut: first LANES elements for the first sides, with the rows before the cuts, then LANES for
the second sides.

A sweep sums the rows of the list by class, a batch at a time. It knows the weight of each class, on both sides of every
cut, in the rows so far and in the rest of the list. A stump that splits there classifies correctly the weight of one
class in the rows so far and of another class in the rest.

The weight of a class so far is greatest at the end of a batch, and its weight in the rest at the beginning. If the best
pair of these weights improves the stump of no side, no split inside the batch does, and the next batch is longer.
Otherwise a shorter batch is tried; the shortest is read again row by row. If values have many rows, a batch is the rows
of one value.

If leaves have a minimum weight, two stumps are sought on each side of each cut: the best whose leaves have that weight,
and the best relaxed stump, whose leaves may be lighter by a weight that differs from cut to cut.
"""

from algorithms._numba.decorators import inlined, inner
from algorithms._numba.primitives import LANES, any_flag, beside, choose, flags_of, greater, lesser, load, store, zeros
from algorithms.optimal.mixed.cut_windows import WEIGHT_SHIFT
from algorithms.optimal.mixed.packed_rows import CLASS_MASK, RANK_SHIFT, ROW_MASK

FEW_ROWS = 4
"""A batch is the rows of one value if values have more than this number of rows per class on average."""
SHORTEST, LONGEST = 32, 2048
"""The fewest and the most rows of other batches."""
ONE_BY_ONE = 128
"""Rows that are read one by one if the shortest batch may improve a stump."""

SIDES = 2 * LANES
"""Elements of a vector with one for each side of each cut."""


@inner
def sweep_list_of_two_classes(arena, begin, end, stop, mark, lacks, unit, total, fewest, most, scratch):
    """Widen the range of the *lead*, weight of the first class minus weight of the second, over the splits of a list.

    The best stump of a side has the greatest or the least lead in the rows so far: it classifies correctly the weight
    of the second class plus the greatest lead, or that of the first class minus the least lead.

    The rows from `end` to `stop`, if that is not None, lack the number. A split sends them to the better of its sides,
    or separates them from all others. With the rows so far, they add their own lead to the lead; with the rest, they
    add nothing. So the range of the lead of the other rows is widened by their lead. A branch of their own beside both
    sides is no better than the better side.

    arena        : int64 words of the sorted list, from `begin` to `end` (see `packed_rows`)
    mark         : (rows,) int64, see `cut_windows.WEIGHT_SHIFT`
    lacks        : (rows,) int64, flags as in a mark, for the cuts on neither side of which a row lies; None: no cuts
    unit         : (rows,) int64, factor of the weight in each mark; None if it is 1
    total        : (2, 2, LANES) int64, weight of each class on each side of each cut
    fewest       : (4, LANES) int64, least weight of a leaf on the first and on the second side of each cut; then the
                   same of relaxed stumps; None if leaves may have any weight
    most         : (4, LANES), or (8, LANES) with `fewest`, int64, two rows each, for the first and the second sides:
                   the greatest lead so far, at least 0 and the lead of the whole side; the least lead so far, at most
                   these two; then both of relaxed stumps. Updated
    scratch      : an array of the integer type to compute with, which must hold twice the weight of all rows
    """
    nothing, last = zeros(scratch), end - 1
    lead = weight_so_far = beside(nothing, nothing)
    greatest, least = load(most, 0, lead), load(most, SIDES, lead)
    apart = more = less = lead
    if stop is not None:
        for index in range(end, stop):
            marked, of_row = _read_row(arena[index], mark, unit)
            of_class = -of_row if _class_of(marked) else of_row
            apart = apart + _on_sides(marked, arena[index], lacks, of_class, nothing)
        more, less = greater(apart, lead), lesser(apart, lead)
        greatest, least = greatest - more, least - less
    if fewest is not None:
        everything = load(total, 0, lead) + load(total, SIDES, lead)
        heavy, relaxed = load(fewest, 0, lead), load(fewest, SIDES, lead)
        relaxed_greatest, relaxed_least = load(most, 2 * SIDES, lead), load(most, 3 * SIDES, lead)
    by_value, position, size = _have_many_rows_per_value(arena, begin, end, 2), begin, SHORTEST
    while position < last:
        before, before_of_second, weight, of_second = nothing, nothing, 0, 0
        after = after_of_second = nothing
        at, batch_end = position, last if by_value else min(position + size, last)
        while at < batch_end and not (by_value and _differ(arena[position], arena[at])):
            marked, of_row = _read_row(arena[at], mark, unit)
            of_row_in_second = of_row if _class_of(marked) else 0
            before = before + choose(flags_of(marked), of_row, nothing)
            before_of_second = before_of_second + choose(flags_of(marked), of_row_in_second, nothing)
            if lacks is not None:
                is_behind = flags_of(~(marked | lacks[arena[at] & ROW_MASK]))
                after = after + choose(is_behind, of_row, nothing)
                after_of_second = after_of_second + choose(is_behind, of_row_in_second, nothing)
            weight, of_second = weight + of_row, of_second + of_row_in_second
            at += 1
        if lacks is None:
            after, after_of_second = weight - before, of_second - before_of_second
        both, second = beside(before, after), beside(before_of_second, after_of_second)
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
                    weight_so_far = weight_so_far + _on_sides(marked, arena[index], lacks, of_row, nothing)
                of_class = -of_row if _class_of(marked) else of_row
                lead = lead + _on_sides(marked, arena[index], lacks, of_class, nothing)
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
def sweep_list(arena, begin, end, mark, lacks, unit, classes, total, fewest, right, scratch):
    """Raise the weight that the best stump of each side of each cut classifies correctly, by the splits of a list.

    arena, mark, lacks, unit, fewest : as in `sweep_list_of_two_classes`
    total   : (classes or more, 2, LANES) int64, weight of each class on each side of each cut
    right   : (2, LANES), or (4, LANES) with `fewest`, int64, weight that the best stumps of the first and the second
              sides classify correctly, initially at least that of a leaf; then those of relaxed stumps. Updated
    scratch : 6 * classes * LANES integers of the type to compute with. For each class a vector of SIDES elements: the
              weight so far; then, for each class, the weight with the current batch; then the weight of all rows
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
        at, batch_end = position, last if by_value else min(position + size, last)
        while at < batch_end and not (by_value and _differ(arena[position], arena[at])):
            marked, of_row = _read_row(arena[at], mark, unit)
            here = summed + _class_of(marked) * SIDES
            store(scratch, here, load(scratch, here, nothing) + choose(flags_of(marked), of_row, nothing))
            if lacks is None:
                scratch[here + LANES] += of_row
            else:
                is_behind = flags_of(~(marked | lacks[arena[at] & ROW_MASK]))
                after = load(scratch, here + LANES, nothing) + choose(is_behind, of_row, nothing)
                store(scratch, here + LANES, after)
            at += 1
        pair, with_batch = weight_so_far - weight_so_far, weight_so_far
        for here in range(0, summed, SIDES):
            before = load(scratch, summed + here, nothing)
            if lacks is None:
                moved = beside(before, scratch[summed + here + LANES] - before)
            else:
                moved = load(scratch, summed + here, weight_so_far)
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
                moved = _on_sides(marked, arena[index], lacks, of_row, nothing)
                here = _class_of(marked) * SIDES
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
            if any_flag(improved):  # `greatest` is of earlier rows, and never too small
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
    """Whether values have many rows on average, by the ranks of the first and the last row."""
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
def _on_sides(marked, word, lacks, weight, nothing):
    """A vector of SIDES elements: the weight of a row on the side of each cut where it lies, and 0 elsewhere."""
    before = flags_of(marked)
    if lacks is None:
        return beside(choose(before, weight, nothing), choose(before, nothing, weight))
    behind = flags_of(~(marked | lacks[word & ROW_MASK]))
    return beside(choose(before, weight, nothing), choose(behind, weight, nothing))


@inlined
def _greatest_of_rest(scratch, classes, like):
    """The weights of the heaviest and the second heaviest class in the rest of the list, on each side."""
    greatest = second = like - like
    for here in range(0, classes * SIDES, SIDES):
        rest = load(scratch, 2 * classes * SIDES + here, like) - load(scratch, here, like)
        second = greater(second, lesser(greatest, rest))
        greatest = greater(greatest, rest)
    return greatest, second
