"""`python -m pipeline.warm`: compile the kernels of builders beforehand, on all cores."""

if __name__ == "__main__":
    from pipeline.entry import tool_main

    tool_main(__package__)
