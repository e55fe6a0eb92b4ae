"""`python -m pipeline.note`: add notes and tags to a run, or remove them."""

if __name__ == "__main__":
    from pipeline.entry import tool_main

    tool_main(__package__)
