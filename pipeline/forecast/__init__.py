"""Forecasts the cost of a run from a sample."""
