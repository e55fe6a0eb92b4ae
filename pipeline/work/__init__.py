"""What a worker does: the rows of a chunk, published; and what it does where one goes wrong."""
