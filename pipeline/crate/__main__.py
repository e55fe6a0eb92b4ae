"""`python -m pipeline.crate`: describe runs as RO-Crate and Croissant."""

if __name__ == "__main__":
    from pipeline.entry import tool_main

    tool_main(__package__)
