"""Search for an optimal tree over attributes of two values, rows as bits of words."""
