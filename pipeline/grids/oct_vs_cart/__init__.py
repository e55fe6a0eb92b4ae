"""The grid `oct_vs_cart`."""
