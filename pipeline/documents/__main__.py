"""`python -m pipeline.documents`: run the grids of every document, then write the proof."""

if __name__ == "__main__":
    import sys

    from pipeline.command import main

    sys.exit(main(["documents", *sys.argv[1:]]))
