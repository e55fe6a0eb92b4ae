"""Best trees of one and of two levels."""
