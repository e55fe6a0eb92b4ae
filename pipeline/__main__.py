"""`python -m pipeline`: nothing is imported here that a worker would then import too."""

if __name__ == "__main__":
    import sys

    from pipeline.command import main

    sys.exit(main())
