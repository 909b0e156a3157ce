"""Break the code in small ways and find out which breaks no test notices: see `python -m tests.mutate --help`."""
