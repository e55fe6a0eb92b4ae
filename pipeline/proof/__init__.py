"""The printed values of the documents, and which of them the tables of runs confirm."""
