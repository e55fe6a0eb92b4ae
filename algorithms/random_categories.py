"""Random words to codes."""

from __future__ import annotations

import numpy as np

from algorithms._numba.decorators import kernel

__all__ = ["categories"]


@kernel
def categories(words, thresholds, codes):
    """Write, for each 64-bit word, how many of the increasing thresholds it reaches into `codes`; both 2-d."""
    for i in range(words.shape[0]):
        for j in range(words.shape[1]):
            code = 0
            for threshold in thresholds:
                code += np.int64(words[i, j] >= threshold)
            codes[i, j] = code
