"""`python -m pipeline.report`: write the pages of the runs of an output folder."""

if __name__ == "__main__":
    from pipeline.entry import tool_main

    tool_main(__package__)
