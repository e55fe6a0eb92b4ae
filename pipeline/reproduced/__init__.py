"""The published proof: a folder with every printed figure beside ours, the tables, the rows and their provenance."""
