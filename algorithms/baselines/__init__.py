"""Learners that trees are compared with, on the same input, with the settings that the papers used."""
