"""What is asked: the shape of configurations, what composes them, and their check."""
