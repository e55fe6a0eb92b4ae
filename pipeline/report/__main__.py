"""`python -m pipeline.report`: write the pages of the runs of an output folder."""

if __name__ == "__main__":
    import sys

    from pipeline.command import main

    sys.exit(main(["report", *sys.argv[1:]]))
