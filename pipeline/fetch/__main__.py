"""`python -m pipeline.fetch`: download data sets beforehand, for nodes that have no network."""

if __name__ == "__main__":
    from pipeline.entry import tool_main

    tool_main(__package__)
