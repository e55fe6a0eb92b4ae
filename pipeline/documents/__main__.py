"""`python -m pipeline.documents`: run the grids of every document, then write the proof."""

if __name__ == "__main__":
    from pipeline.entry import tool_main

    tool_main(__package__)
