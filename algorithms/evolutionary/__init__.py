"""Trees that evolve: populations of them, whose fittest have the most children (`003_…`)."""
