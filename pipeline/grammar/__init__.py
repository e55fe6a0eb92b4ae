"""The classes with which grids are declared."""
