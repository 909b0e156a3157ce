"""Long runs that look for errors: random hands, floods, and people who come and go. `python -m tools soak`."""
