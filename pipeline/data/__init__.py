"""Where data sets and tables come from, how they become decision tables, and which rows train and test."""
