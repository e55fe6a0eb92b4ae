"""Axes of a new figure of Matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Axes", "new_axes"]


def new_axes(size: tuple[float, float]) -> Axes:
    """Axes of a new figure of a size in inches, into which all labels fit.

    Raises ImportError if Matplotlib is not installed.
    """
    try:
        from matplotlib import pyplot as plt
    except ImportError as error:
        raise ImportError("`plot` needs the package matplotlib: run `pip install matplotlib`") from error
    return plt.subplots(figsize=size, layout="tight")[1]
