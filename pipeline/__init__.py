"""How experiments on decision trees are run: configuration, plan, cluster, Parquet parts, summaries."""
