"""Where results are: whole files or none, parts known by their names, on a file system or in an object store."""
