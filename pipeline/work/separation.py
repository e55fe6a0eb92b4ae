"""What can be had of an item that cannot be worked as it is: who is at fault is found out, and the others are asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from pipeline.grids.base import Grid, Separable
from pipeline.work.losses import Loss

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["NOT_ASKED", "Tables", "separated", "without"]

NOT_ASKED = Loss("skipped", "not asked, while it is found out who is at fault")

Tables = Mapping[str, "pa.Table"]


def separated(
    grid: Grid, attempt: Callable[[Mapping[int, Loss]], Tables | Loss], *, hung: bool = False
) -> Tables | Loss:
    """The tables of an item, of whose cells some may be lost; or what became of it where it cannot be worked at all.

    attempt : works the item, but that those of these places are not asked
    hung    : whether it may have taken too long before; then it is not tried as it is, for each try takes as long as
              the limit allows
    """
    if not isinstance(grid, Separable):
        return attempt({})
    whole = grid.cells_per_item == grid.asked  # then nothing is left of an item of which all that it asks is lost
    if not hung or (whole and grid.asked == 1):
        outcome = attempt({})
        if not isinstance(outcome, Loss) or outcome.status == "failed" or (whole and grid.asked == 1):
            return outcome
    places = range(grid.asked)
    nothing = attempt(dict.fromkeys(places, NOT_ASKED))
    if isinstance(nothing, Loss):
        return nothing
    alone = {place: attempt({other: NOT_ASKED for other in places if other != place}) for place in places}
    losses = {place: found for place, found in alone.items() if isinstance(found, Loss)}
    if whole and len(losses) == len(places) and len(set(losses.values())) == 1:
        return losses[0]
    return attempt(losses)


def without(grid: Grid, losses: Mapping[int, Loss]) -> Grid:
    """The grid, but that those of these places are not asked."""
    return grid.losing(losses) if losses and isinstance(grid, Separable) else grid
