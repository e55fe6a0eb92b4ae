"""The report: a page of HTML for each run and an index over all of them, each a file that needs no other."""
