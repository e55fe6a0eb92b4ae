"""What runs were made with, and which there are."""
