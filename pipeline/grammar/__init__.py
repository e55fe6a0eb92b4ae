"""What grids are written in."""
