"""The types of arrays that most modules have, by what the arrays hold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Words = NDArray[np.uint64]
"""Machine words, each bit of which stands for something."""
