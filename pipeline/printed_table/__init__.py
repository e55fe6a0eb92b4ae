"""Printed tables: read as they are typed, and tested for figures that cannot be, before anything is computed."""
