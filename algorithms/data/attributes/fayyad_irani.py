"""Fayyad and Irani's discretisation: cuts of least class entropy that pass a test of description length.

U. M. Fayyad and K. B. Irani: On the handling of continuous-valued attributes in decision tree generation, Machine
Learning 8 (1992) 87-102; Multi-interval discretization of continuous-valued attributes for classification learning,
IJCAI 1993, 1022-1027.
"""

from __future__ import annotations

from math import log2

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algorithms.array_types import Numbers, unmasked
from algorithms.data.attributes.thresholds import Thresholds, finite_numbers
from algorithms.data.data_set import MISSING, is_missing
from algorithms.rounding import EQUAL_SHARE

__all__ = ["fayyad_irani"]

Counts = NDArray[np.int64]


def fayyad_irani(values: ArrayLike, decisions: ArrayLike) -> Thresholds:
    """Return the cut points that the criterion of Fayyad and Irani (1993) accepts.

    Each interval is cut in two, midway between two neighbouring distinct values. The cut with the least class entropy
    within the halves is taken, and the first such cut if there are several. Entropies count as equal if they differ by
    less than 10⁻⁹ times the entropy of the whole interval, so that rounding errors do not decide. The cut is accepted,
    and its halves are cut in turn, if

        Gain > log2(N - 1) / N + (log2(3^k - 2) - k Ent(S) + k1 Ent(S1) + k2 Ent(S2)) / N

    with Gain = Ent(S) - |S1| / N Ent(S1) - |S2| / N Ent(S2). Here S are the N values of the interval, which have k
    classes; S1 and S2 are its halves, with k1 and k2 classes. Entropies are in bits. This is the principle of minimum
    description length. If no cut is accepted there are no cut points.

    Parameters
    ----------
    values : array-like of shape (rows,)
        Numbers; NaN for a missing value.
    decisions : array-like of shape (rows,)
        Integer classes; -1, NaN or None for a missing class. Rows with a missing value or class are left out.

    Returns
    -------
    Thresholds

    Raises
    ------
    ValueError
        The values are not finite numbers of shape (rows,), or values and decisions differ in length.

    Examples
    --------
    >>> from orchard import fayyad_irani
    >>> fayyad_irani(range(10), [0] * 5 + [1] * 5).cuts
    (4.5,)
    """
    numbers, classes = finite_numbers(values), np.asarray(unmasked(decisions))
    if numbers.shape != classes.shape:
        shapes = f"`values` has shape {numbers.shape} and `decisions` has shape {classes.shape}"
        raise ValueError(f"{shapes}: expected one decision for each value")
    labelled = classes != MISSING
    if classes.dtype.kind in "fO":
        labelled = np.array([not is_missing(label) and label != MISSING for label in classes.tolist()], np.bool_)
    known = ~np.isnan(numbers) & labelled
    distinct, value = np.unique(numbers[known], return_inverse=True)
    present, decision = np.unique(classes[known], return_inverse=True)
    if not len(distinct):
        return Thresholds()
    cells = len(distinct) * len(present)
    counts = np.bincount(value * len(present) + decision, minlength=cells).reshape(len(distinct), len(present))
    cuts = _accepted_cuts(counts)
    return Thresholds.between(distinct[cuts - 1], distinct[cuts])


def _accepted_cuts(counts: Counts) -> Counts:
    """The accepted cuts, increasing, from the number of rows of each (value, class); cut i is before value i."""
    boundaries = _boundaries(counts)
    below = np.concatenate([np.zeros_like(counts[:1]), np.cumsum(counts, axis=0)])
    n_log_n = np.arange(below[-1].sum() + 1, dtype=np.float64)
    n_log_n[1:] *= np.log2(n_log_n[1:])
    accepted = []
    waiting = [(0, len(below) - 1)]
    while waiting:
        first, last = waiting.pop()
        start, stop = np.searchsorted(boundaries, (first + 1, last))
        candidates = boundaries[start:stop]
        if len(candidates):
            cut = _best_cut(below[candidates] - below[first], below[last] - below[first], n_log_n)
            if cut >= 0:
                position = int(candidates[cut])
                accepted.append(position)
                waiting += [(first, position), (position, last)]
    return np.array(sorted(accepted), np.int64)


def _boundaries(counts: Counts) -> Counts:
    """The cuts between values that are not both of one and the same class: only these can be best (1992)."""
    alone = np.where((counts > 0).sum(axis=1) == 1, counts.argmax(axis=1), -1)
    return 1 + np.flatnonzero((alone[1:] != alone[:-1]) | (alone[1:] < 0))


def _best_cut(lower: Counts, whole: Counts, n_log_n: Numbers) -> int:
    """The row of class counts below the best cut of an interval of `whole` counts; -1 if that cut is not accepted."""
    upper = whole - lower
    bits_lower, bits_upper = _bits(lower, n_log_n), _bits(upper, n_log_n)
    bits = float(_bits(whole, n_log_n))
    within = bits_lower + bits_upper
    best = int(np.argmax(within <= within.min() + EQUAL_SHARE * bits))
    n, n_lower, n_upper = int(whole.sum()), int(lower[best].sum()), int(upper[best].sum())
    k, k_lower, k_upper = (int(np.count_nonzero(counts)) for counts in (whole, lower[best], upper[best]))
    price = log2(n - 1) + log2(3**k - 2)
    price += k_lower * bits_lower[best] / n_lower + k_upper * bits_upper[best] / n_upper - k * bits / n
    return best if bits - within[best] > price else -1


def _bits(counts: Counts, n_log_n: Numbers) -> Numbers:
    """(...,): the class entropy of counts (..., classes), times their sum."""
    bits: Numbers = n_log_n[counts.sum(axis=-1)] - n_log_n[counts].sum(axis=-1)
    return bits
