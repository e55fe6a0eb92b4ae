"""What trees are compared with: other learners, with the settings that the papers used, on the same input."""
