"""`python -m pipeline.query`: ask the rows of all runs a question."""

if __name__ == "__main__":
    from pipeline.command import tool_main

    tool_main(__package__)
