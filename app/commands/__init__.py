"""The commands of the command line, one module each, imported only when called (see `app/cli.py`)."""
