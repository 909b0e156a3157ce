"""Read queries for the history of matches and the statistics of rooms and people."""
