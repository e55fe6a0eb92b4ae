"""A lower bound on the average depth of every correct tree for a table, from the certificates of its rows.

A certificate of a row is a set of attributes on which no row of another decision agrees with it. The attributes on the
path to a row's leaf are a certificate. So the depth of the row is at least the size of its smallest certificate.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algorithms.data.table import DecisionTable
from algorithms.options import check_type, check_whole
from tests.oracles.certificate_search import NONE, ONE, minimal_differences, smallest, useful

__all__ = ["MOST_ATTRIBUTES", "average_depth_bound"]

MOST_ATTRIBUTES = 64
"""Sets of attributes are the bits of a word."""


class _Rows(NamedTuple):
    """Rows that agree on the attributes tested so far."""

    rows: NDArray[np.int64]  # their indices in the table
    least: NDArray[np.int64]  # (rows,) how many attributes the smallest certificate has besides those tested
    useful: NDArray[np.uint64]  # (rows,) the attributes whose test lowers `least` by one, as bits


def average_depth_bound(table: DecisionTable, *, ahead: int = 1, enough: float = math.inf) -> float:
    """Return a lower bound on the average depth of every correct tree for a table.

    Parameters
    ----------
    table : DecisionTable
        Rows with weights, of 64 attributes or fewer.
    ahead : int, default=1
        The number of levels, from the root, at which the same attribute is tested on all rows that agree so far. With 0
        the bound is the mean size of the smallest certificates; with as many levels as attributes it is the minimum.
        Each level improves the bound and multiplies the time by up to the number of attributes.
    enough : float, default=inf
        A bound, in edges, that is good enough: the search stops there, which saves most of the time.

    Returns
    -------
    float
        In edges.

    Raises
    ------
    ValueError
        The table has more than 64 attributes, or two equal rows with different decisions.

    Notes
    -----
    Certificate complexity bounds the depth of decision trees from below (Buhrman and de Wolf 2002, section 3). Here
    this holds for each row. The rows share the first attribute, and those with the same answer the next, which makes
    the bound better: let f(T, S) be the least sum of depths below a node that rows T reach when the attributes S have
    been tested. If T has several decisions, then f(T, S) is |T| and the least, over the attributes a, of the sum of
    f(T_v, S + a) over the answers v. At the last level, f(T, S) is at least the sum, over the rows, of how many
    attributes the smallest certificate has besides S.

    Examples
    --------
    >>> from algorithms.data.table import DecisionTable
    >>> parity = DecisionTable.from_codes([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> average_depth_bound(parity)
    2.0
    """
    check_type("table", table, DecisionTable, "decision_table(data_set_of(X, y))")
    check_whole("ahead", ahead, 0)
    if table.attributes > MOST_ATTRIBUTES:
        raise ValueError(f"the table has {table.attributes} attributes: expected at most {MOST_ATTRIBUTES}")
    starts, sets = minimal_differences(_planes(table), table.decisions)
    if (sets == NONE).any():
        raise ValueError("two equal rows have different decisions, so no tree is correct: merge them")
    rows = np.arange(table.rows)
    least = smallest(starts, sets)
    root = _Rows(rows, least, useful(starts, sets, rows, NONE, least))
    return float(_least_sum(table, (starts, sets), root, NONE, ahead, enough * table.size) / table.size)


def _planes(table: DecisionTable) -> NDArray[np.uint64]:
    """(planes, rows): bit a of word p is bit p of the code of attribute a, so that words differ where codes do."""
    bits = max(int(table.codes.max(initial=0)).bit_length(), 1)
    shifted = table.codes[None].astype(np.uint64) >> np.arange(bits, dtype=np.uint64)[:, None, None]
    attributes = np.arange(table.attributes, dtype=np.uint64)
    words: NDArray[np.uint64] = ((shifted & ONE) << attributes).sum(axis=2, dtype=np.uint64)
    return words


def _least_sum(
    table: DecisionTable, differences: Any, group: _Rows, tested: np.uint64, ahead: int, enough: float
) -> Any:
    """A lower bound on the sum of the depths of rows below a node; `enough` if the bound is known to be more."""
    weights = table.weights[group.rows]
    if not group.least.any():
        return 0
    below, size = int(weights @ group.least), int(weights.sum())
    if ahead == 0:
        return below
    untested = [attribute for attribute in range(table.attributes) if not tested >> np.uint64(attribute) & ONE]
    saved = {attribute: int(weights @ _has(group.useful, attribute)) for attribute in untested}
    least = size + below - max(saved.values())
    if ahead == 1 or least >= enough:
        return least
    for attribute in sorted(untested, key=saved.__getitem__, reverse=True):
        if size + below - saved[attribute] < enough:
            enough = min(enough, size + _after(table, differences, group, tested, attribute, ahead - 1, enough - size))
    return enough


def _after(
    table: DecisionTable, differences: Any, group: _Rows, tested: np.uint64, attribute: int, ahead: int, enough: float
) -> Any:
    """A lower bound on the sum of the depths below a test of an attribute; `enough` or more stops the search."""
    codes, least = table.codes[group.rows, attribute], group.least - _has(group.useful, attribute)
    tested_now, parts = tested | ONE << np.uint64(attribute), []
    for code in np.unique(codes):
        answered = codes == code
        rows, kept = group.rows[answered], least[answered]
        parts.append(_Rows(rows, kept, useful(*differences, rows, tested_now, kept)))
    sums = [0] * len(parts)
    for levels in range(ahead + 1):  # stop as soon as a few levels suffice
        for number, part in enumerate(parts):
            rest = sum(sums) - sums[number]
            if rest + sums[number] >= enough:
                return rest + sums[number]
            sums[number] = max(sums[number], _least_sum(table, differences, part, tested_now, levels, enough - rest))
    return sum(sums)


def _has(useful: NDArray[np.uint64], attribute: int) -> NDArray[np.int64]:
    return (useful >> np.uint64(attribute) & ONE).astype(np.int64)
