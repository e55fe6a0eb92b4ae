"""Trees of an optimal upper part over greedy lower parts (SPLIT, LicketySPLIT: Babbar et al. 2025)."""
