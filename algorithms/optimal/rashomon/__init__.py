"""All good trees of an instance: those whose objective is near the least, as a graph of the nodes that they share."""
