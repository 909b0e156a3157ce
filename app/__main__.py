"""`python -m app` is the same as `pecking-order`."""

from app.cli import main

if __name__ == "__main__":
    main()
