"""`python -m pipeline.show`: rebuild a row of a run, its table and its tree."""

if __name__ == "__main__":
    import sys

    from pipeline.command import main

    sys.exit(main(["show", *sys.argv[1:]]))
