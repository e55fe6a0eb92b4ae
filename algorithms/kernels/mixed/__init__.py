"""Search for an optimal tree over nominal and numeric attributes."""
