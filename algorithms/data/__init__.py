"""What trees are grown from: data sets and decision tables, read from rows of any form, generated and recoded."""
