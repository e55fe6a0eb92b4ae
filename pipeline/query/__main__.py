"""`python -m pipeline.query`: ask the rows of all runs a question."""

if __name__ == "__main__":
    import sys

    from pipeline.command import main

    sys.exit(main(["query", *sys.argv[1:]]))
