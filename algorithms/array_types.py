"""Array types that most modules use, named by their content."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Words = NDArray[np.uint64]
"""Machine words used as sets of bits."""
