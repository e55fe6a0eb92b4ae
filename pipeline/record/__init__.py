"""Records of runs: what they were made with, and which runs exist."""
