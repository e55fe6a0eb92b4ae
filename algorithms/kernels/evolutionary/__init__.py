"""Compiled loops of EVO-Tree: draws, trees of a population, and how many rows they get right."""
