"""How mixed the decisions of rows are, and what a split tells about them."""
