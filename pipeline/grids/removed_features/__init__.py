"""The grid `removed_features`."""
