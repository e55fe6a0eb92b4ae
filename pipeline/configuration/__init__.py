"""Configurations: their shape, composition and check."""
