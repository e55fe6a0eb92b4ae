"""`python -m pipeline.show`: rebuild a row of a run, its table and its tree."""

if __name__ == "__main__":
    from pipeline.entry import tool_main

    tool_main(__package__)
