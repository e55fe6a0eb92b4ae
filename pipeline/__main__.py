"""`python -m pipeline`. Nothing is imported here, because workers would import it, too."""

if __name__ == "__main__":
    import sys

    from pipeline.entry import main

    sys.exit(main())
