"""A printed table of any paper: its figures beside ours, and the impossible ones."""
