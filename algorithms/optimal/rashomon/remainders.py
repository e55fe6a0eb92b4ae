"""Whole numbers of any size by their remainders by primes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import islice

import numpy as np


def whole_number(remainders: Sequence[int], primes: Sequence[int]) -> int:
    """The least number from 0 that leaves these remainders, by Garner's algorithm (Chinese remainder theorem)."""
    number, modulus = 0, 1
    for remainder, prime in zip(remainders, primes, strict=True):
        number += modulus * ((remainder - number) * pow(modulus, -1, prime) % prime)
        modulus *= prime
    return number


@cache
def primes_below(end: int, number: int) -> tuple[int, ...]:
    """The greatest primes below `end`, by division."""
    divisors = np.arange(3, math.isqrt(end) + 1, 2)
    odd = (candidate for candidate in range(end - 1 - end % 2, 2, -2) if (candidate % divisors).all())
    return tuple(islice(odd, number))
