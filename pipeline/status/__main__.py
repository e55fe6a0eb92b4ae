"""`python -m pipeline.status`: report how far runs are."""

if __name__ == "__main__":
    import sys

    from pipeline.command import main

    sys.exit(main(["status", *sys.argv[1:]]))
