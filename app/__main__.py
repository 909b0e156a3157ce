"""Run the command line by `python -m app`, the same as `pecking-order`."""

from app.cli import main

if __name__ == "__main__":
    main()
