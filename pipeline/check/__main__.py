"""`python -m pipeline.check`: find impossible figures in a printed table."""

if __name__ == "__main__":
    from pipeline.entry import tool_main

    tool_main(__package__)
