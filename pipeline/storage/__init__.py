"""Storage of results: complete files or none, part files identified by name, on a file system or in an object store."""
