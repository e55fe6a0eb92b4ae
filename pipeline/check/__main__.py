"""`python -m pipeline.check`: compile the kernels of builders beforehand, on all cores."""

if __name__ == "__main__":
    import sys

    from pipeline.command import main

    sys.exit(main(["check", *sys.argv[1:]]))
