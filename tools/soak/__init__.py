"""Long test runs, `python -m tools soak`: random hands, floods, and memory use while players come and go."""
