"""`python -m pipeline.warm`: compile the kernels of builders beforehand, on all cores."""

if __name__ == "__main__":
    import sys

    from pipeline.command import main

    sys.exit(main(["warm", *sys.argv[1:]]))
