"""The costs of all greedy algorithms and the exact minima for many tables at once (`table_costs`).

A table is packed in words (`word_table`). `word_costs` computes its costs: greedy trees by `word_greedy`, minima by
`word_minima`. Both hold costs in two words (`packed_cost`) and take few rows from `small_subtables`.
"""

from algorithms.batch.table_costs import BatchCosts, costs_of_tables

__all__ = ["BatchCosts", "costs_of_tables"]
