"""`python -m pipeline.status`: report the progress of runs."""

if __name__ == "__main__":
    import sys

    from pipeline.command import main

    sys.exit(main(["status", *sys.argv[1:]]))
