"""The decision tree: its arrays, walks, costs, texts and exports."""
