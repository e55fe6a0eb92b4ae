"""Rows as words of several machine words: for each column a field of its codes and, beside it, their complements.

The OR of the words of some rows shows on which columns they differ, and which code they share on each other column: see
`algorithms.exact.row_words_search`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.integer[Any]]


def field_positions(bits: Sequence[int]) -> tuple[list[int], list[int]]:
    """(machine word, shift) of each field in order; a field is twice as wide as its number of bits.

    Fields are packed from the lowest bit up, in order; no field lies in two machine words.
    """
    in_word, shift, word, used = [], [], 0, 0
    for width in bits:
        if used + 2 * width > 64:
            word, used = word + 1, 0
        in_word.append(word)
        shift.append(used)
        used += 2 * width
    return in_word, shift


def write_fields(word: NDArray[np.uint64], fields: Sequence[tuple[int, Integers]]) -> None:
    """Write fields, each (bits, codes (rows,)), into words (rows, machine words) that are 0.

    The low half of a field is the code, the high half its complement. So exactly `bits` bits of a field are set in the
    word of a row; in the OR of several rows both halves share a bit if and only if the rows differ there. The first
    machine word is never 0, which `slots` reserves for empty slots: it begins with the decision, of at least one bit.
    """
    in_word, shift = field_positions([bits for bits, _ in fields])
    for (bits, codes), column, low in zip(fields, in_word, shift, strict=True):
        complement = codes ^ ((1 << bits) - 1)
        word[:, column] |= (codes.astype(np.uint64) | complement.astype(np.uint64) << np.uint64(bits)) << np.uint64(low)
