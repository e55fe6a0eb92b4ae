"""The examples that the documents work by hand, worked here step by step."""
