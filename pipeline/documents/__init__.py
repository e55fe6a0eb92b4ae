"""All documents: one command that runs their grids, and the proof of what of their print is reproduced."""
