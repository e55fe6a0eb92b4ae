"""The published proof: a folder of every printed figure beside ours, with tables, rows and what made them."""
