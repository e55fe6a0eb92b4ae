"""`python -m pipeline.query`: query the rows of all runs."""

if __name__ == "__main__":
    from pipeline.entry import tool_main

    tool_main(__package__)
