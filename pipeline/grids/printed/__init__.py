"""A printed table of any paper: its figures beside ours, and those that cannot be."""
