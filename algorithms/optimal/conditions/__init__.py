"""Optimal trees under conditions: which attributes a tree may or must test, where, at what cost, and its classes."""
