"""`python -m pipeline.crate`: describe runs as RO-Crate and Croissant."""

if __name__ == "__main__":
    import sys

    from pipeline.command import main

    sys.exit(main(["crate", *sys.argv[1:]]))
