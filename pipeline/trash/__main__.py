"""`python -m pipeline.trash`: move runs to the trash, restore them, or delete them."""

if __name__ == "__main__":
    from pipeline.entry import tool_main

    tool_main(__package__)
