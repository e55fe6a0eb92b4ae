"""The grid `worked_examples`."""
