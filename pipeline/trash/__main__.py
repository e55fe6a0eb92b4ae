"""`python -m pipeline.trash`: move runs to the trash, restore them, or delete them."""

if __name__ == "__main__":
    import sys

    from pipeline.command import main

    sys.exit(main(["trash", *sys.argv[1:]]))
