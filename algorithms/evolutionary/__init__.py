"""Trees that evolve: populations of them, whose fittest have the most children (Jankowski & Jackowski 2014)."""
