"""Trees that evolve: populations in which the fittest have the most children (Jankowski & Jackowski 2014)."""
