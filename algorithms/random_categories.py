"""Random words as codes."""

from __future__ import annotations

import numpy as np

from algorithms._numba.decorators import kernel

__all__ = ["categories"]


@kernel
def categories(words, thresholds, codes):
    """Write into `codes`, for each 64-bit word, the number of the increasing thresholds that it reaches; both 2-d."""
    for i in range(words.shape[0]):
        for j in range(words.shape[1]):
            code = 0
            for threshold in thresholds:
                code += np.int64(words[i, j] >= threshold)
            codes[i, j] = code
