"""Data sets downloaded beforehand."""
