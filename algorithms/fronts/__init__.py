"""Fronts of two costs, drawn in a notebook and on axes of Matplotlib."""
