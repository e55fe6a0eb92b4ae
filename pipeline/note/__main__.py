"""`python -m pipeline.note`: add notes and tags to a run, or remove them."""

if __name__ == "__main__":
    import sys

    from pipeline.command import main

    sys.exit(main(["note", *sys.argv[1:]]))
