"""The colours of all pictures."""

from __future__ import annotations

BLUE = "#0072B2"
VERMILLION = "#D55E00"
GREEN = "#009E73"
PURPLE = "#CC79A7"
ORANGE = "#E69F00"
SKY = "#56B4E9"
INDIGO = "#332288"
WINE = "#882255"
INK = "#222222"
GREY = "#6B6B6B"
LIGHT = "#DDDDDD"
"""The palette: Okabe and Ito's hues, two darker ones of Tol's, and greys. Colour-blind readers can distinguish them."""
