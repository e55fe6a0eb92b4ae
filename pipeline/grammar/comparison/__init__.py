"""Builders that predict, compared on data sets by a protocol."""
