"""If-then rules: read from a tree, simplified, or found one at a time."""
