"""Row orders of Weka: shuffled with `java.util.Random`, and stratified."""

from __future__ import annotations

from algorithms._numba.decorators import allocating, kernel

MULTIPLIER = 0x5DEECE66D
MASK = (1 << 48) - 1


def random_state(seed: int) -> int:
    """The state of a new java.util.Random(seed)."""
    return (seed ^ MULTIPLIER) & MASK


@allocating
def _next_31_bits(state):
    """(next state, 31 random bits) of a state of 48 bits. The product wraps at 64 bits; the low 48 are kept."""
    state = (state * MULTIPLIER + 0xB) & MASK
    return state, state >> 17


@kernel
def shuffle(order, state):
    """Shuffle `order` (rows,) in place as Weka's Instances.randomize does; return the new state of the generator."""
    for j in range(len(order) - 1, 0, -1):
        bound = j + 1
        state, bits = _next_31_bits(state)
        if bound & (bound - 1) == 0:
            chosen = (bound * bits) >> 31
        else:
            chosen = bits % bound
            while bits - chosen + bound - 1 >= 1 << 31:
                state, bits = _next_31_bits(state)
                chosen = bits % bound
        order[j], order[chosen] = order[chosen], order[j]
    return state


@kernel
def stratify(order, decisions):
    """Group the rows of `order` (rows,) by class, in place, as Weka's Instances.stratify does before it deals them."""
    i, rows = 1, len(order)
    while i < rows:
        for j in range(i, rows):
            if decisions[order[j]] == decisions[order[i - 1]]:
                order[i], order[j] = order[j], order[i]
                i += 1
        i += 1
