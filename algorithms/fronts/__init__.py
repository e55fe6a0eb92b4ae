"""Fronts of two costs: what one draws, in a notebook and on axes of Matplotlib."""
