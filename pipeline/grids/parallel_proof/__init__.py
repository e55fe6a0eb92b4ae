"""The grid `parallel_proof`."""
