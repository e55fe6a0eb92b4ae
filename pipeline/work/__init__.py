"""A worker's tasks: computing and publishing the rows of a chunk, and handling faults."""
