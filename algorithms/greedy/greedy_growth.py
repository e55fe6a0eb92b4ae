"""Growth of one greedy tree for a table of any size, whose subtables are runs of an array of row indices."""

import numpy as np

from algorithms._numba.copies import copy_into
from algorithms._numba.decorators import allocating, kernel
from algorithms.rounding import EQUAL_RATIO

ENT, GINI, ME = 0, 1, 2
MAX, SUM, WEIGHTED_MAX = 0, 1, 2
EXACT_SIZE = 2**17  # up to this weight, impurities by me and rt are exact: integers below 2**53


@allocating
def _uncertainty(counts, size, measure):
    """The uncertainty of a branch with these decision counts, which sum to `size`; ent, gini, me, rt are 0 to 3.

    The formulas subtract no large terms from each other: if one row outweighs all others, such a difference would be
    nothing but rounding error.
    """
    if measure == ME:
        return float(size - counts.max())
    terms = 0.0
    if measure == ENT:
        for count in counts:
            if count:
                terms += count * np.log1p((size - count) / count)  # log(size / count)
        return terms / np.log(2) / size
    for count in counts:
        terms += np.float64(count) * (size - count)
    return terms / 2 if measure != GINI else terms / (np.float64(size) * size)


@allocating
def _impurity(counts, impurity_type, measure):
    """Impurity of the partition with these decision counts (values, decisions); infinite if only one value occurs.

    Weighted impurities are not divided by the size of the subtable, which is the same for every attribute.
    """
    impurity = 0.0
    parts = 0
    for value in range(counts.shape[0]):
        size = counts[value].sum()
        if size == 0:
            continue
        parts += 1
        uncertainty = _uncertainty(counts[value], size, measure)
        if impurity_type >= WEIGHTED_MAX:
            uncertainty *= size
        if impurity_type in (MAX, WEIGHTED_MAX):
            impurity = max(impurity, uncertainty)
        else:
            impurity += uncertainty
    return impurity if parts > 1 else np.inf


@allocating
def _choose(columns, decisions, weights, rows, size, values, counts, impurity_type, measure):
    """The first attribute of least impurity on `rows`, whose weights sum to `size`; -1 if none splits them."""
    rounding = EQUAL_RATIO if measure in (ENT, GINI) or size > EXACT_SIZE else 1.0
    least, chosen = np.inf, -1
    for attribute in range(len(columns)):
        value_counts = counts[: values[attribute]]
        value_counts[:] = 0
        for row in rows:
            value_counts[columns[attribute, row], decisions[row]] += weights[row]
        impurity = _impurity(value_counts, impurity_type, measure)
        if impurity < least * rounding or (chosen < 0 and impurity < np.inf):
            least, chosen = impurity, attribute
    return chosen


@kernel
def grow(columns, decisions, weights, values, n_decisions, impurity_type, measure):
    """The greedy tree as (attribute, decision, parent, code, depth, size), each (nodes,), in depth-first order.

    It is the tree V_I(T) of Alkhalid et al. 2013. `attribute` is -1 at terminal nodes; `decision` is the most common
    decision; `code` is that of the edge from `parent`; `size` is the summed weight of the rows.

    columns (attributes, rows), decisions, weights (rows,) : the table
    values (attributes,) : how many codes an attribute has
    impurity_type, measure : the index of the impurity function's type, and of its uncertainty
    """
    n = columns.shape[1]
    limit = 2 * n  # every nonterminal node has at least two children
    attribute, decision, parent = np.full(limit, -1, np.int32), np.zeros(limit, np.int32), np.full(limit, -1, np.int32)
    code, depth, size = np.zeros(limit, np.int32), np.zeros(limit, np.int32), np.zeros(limit, np.int64)
    most_values = values.max() if len(values) else 1
    counts = np.zeros((most_values, n_decisions), np.int64)
    next_index = np.zeros(most_values + 1, np.int64)
    rows, scratch = np.arange(n), np.zeros(n, np.int64)
    stack = np.zeros((limit, 5), np.int64)  # first row, end of rows, parent, code, depth
    stack[0] = (0, n, -1, 0, 0)
    waiting, nodes = 1, 0
    while waiting:
        waiting -= 1
        first, end, above, edge, level = stack[waiting]
        node = nodes
        nodes += 1
        parent[node], code[node], depth[node] = above, edge, level
        part = rows[first:end]
        total = np.zeros(n_decisions, np.int64)
        for row in part:
            total[decisions[row]] += weights[row]
        decision[node], size[node] = total.argmax(), total.sum()
        if total.max() == size[node]:
            continue
        chosen = _choose(columns, decisions, weights, part, size[node], values, counts, impurity_type, measure)
        attribute[node] = chosen
        # a stable counting sort by code groups the rows of each child
        next_index[:] = 0
        for row in part:
            next_index[columns[chosen, row] + 1] += 1
        for value in range(values[chosen]):
            next_index[value + 1] += next_index[value]
        starts = next_index.copy()
        for row in part:
            value = columns[chosen, row]
            scratch[next_index[value]] = row
            next_index[value] += 1
        copy_into(scratch[: end - first], part)
        for value in range(values[chosen] - 1, -1, -1):
            if starts[value + 1] > starts[value]:
                stack[waiting] = (first + starts[value], first + starts[value + 1], node, value, level + 1)
                waiting += 1
    return attribute[:nodes], decision[:nodes], parent[:nodes], code[:nodes], depth[:nodes], size[:nodes]
