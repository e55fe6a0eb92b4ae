"""Printed tables: read as they are typed, and tested for impossible figures, before anything is computed."""
