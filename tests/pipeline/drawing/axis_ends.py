"""How much of each axis of a figure is free at its ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.transforms import Bbox

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def free_shares(figure: Figure) -> dict[str, list[float]]:
    """The free share of each axis before and after all that is drawn in the panels that share it.

    Negative where something is cut off. The space between zero and the data is not free if the axis begins at zero.
    """
    figure.draw_without_rendering()
    panels = [panel for panel in figure.axes if panel.get_visible() and panel.axison and panel.has_data()]
    boxes = {own: (_drawn(own), own.get_window_extent()) for own in panels}
    free = {}
    for number, panel in enumerate(panels):
        for name, side, siblings in (
            ("x", 0, panel.get_shared_x_axes().get_siblings(panel)),
            ("y", 1, panel.get_shared_y_axes().get_siblings(panel)),
        ):
            ends = [_ends(*boxes[own], side) for own in panels if own in siblings]
            low, high = min(low for low, _ in ends), min(high for _, high in ends)
            begins, stops = panel.get_xlim() if name == "x" else panel.get_ylim()
            free[f"{number}{name}"] = [min(low, 0) if begins == 0 else low, min(high, 0) if stops == 0 else high]
    return free


def _drawn(panel: Axes) -> Bbox:
    """The box around all that is drawn in a panel, in pixels; lines and areas end where its frame cuts them off."""
    frame, boxes = panel.get_window_extent(), []
    for artist in (*panel.lines, *panel.collections, *panel.patches, *panel.texts):
        box: Bbox | None = artist.get_window_extent()
        if artist not in panel.texts and getattr(artist, "get_marker", str)() in ("", "None"):
            box = Bbox.intersection(box, frame)
        if artist.get_visible() and box is not None and box.width + box.height > 0:
            boxes.append(box)
    return Bbox.union(boxes) if boxes else frame


def _ends(drawn: Bbox, frame: Bbox, side: int) -> tuple[float, float]:
    """The free shares of a frame before and after what is drawn."""
    length = frame.max[side] - frame.min[side]
    return (drawn.min[side] - frame.min[side]) / length, (frame.max[side] - drawn.max[side]) / length
