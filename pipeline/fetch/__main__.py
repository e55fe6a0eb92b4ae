"""`python -m pipeline.fetch`: download data sets beforehand, for nodes that have no network."""

if __name__ == "__main__":
    import sys

    from pipeline.command import main

    sys.exit(main(["fetch", *sys.argv[1:]]))
