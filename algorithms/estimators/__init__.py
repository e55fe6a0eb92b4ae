"""What all estimators share: reading rows, checking parameters, classes, pickles, and the surface of a fitted tree."""
