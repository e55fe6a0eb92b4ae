"""If-then rules: read from a tree, simplified, or learned one at a time."""
