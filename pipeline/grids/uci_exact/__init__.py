"""The grid `uci_exact`."""
