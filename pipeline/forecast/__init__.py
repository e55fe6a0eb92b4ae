"""What a run would take, from a sample of it, before it is begun."""
