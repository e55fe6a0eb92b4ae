"""`python -m pipeline.status`: report the progress of runs."""

if __name__ == "__main__":
    from pipeline.entry import tool_main

    tool_main(__package__)
