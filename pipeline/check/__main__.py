"""`python -m pipeline.check`: find impossible figures in a printed table."""

if __name__ == "__main__":
    import sys

    from pipeline.command import main

    sys.exit(main(["check", *sys.argv[1:]]))
