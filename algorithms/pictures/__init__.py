"""What all pictures share: colours, axes, and fronts of two costs."""
