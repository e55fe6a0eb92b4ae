"""Decision trees: what leaves them, in other languages and formats."""
