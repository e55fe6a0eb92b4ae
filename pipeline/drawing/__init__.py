"""Figures and trees as pictures."""
