"""The command that runs the grids of all documents, and ends with the proof of what the documents print."""
