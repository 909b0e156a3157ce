"""Statistics of rooms and people: counts, ratings, rivals, and stories of hands and matches.

All functions are pure: they take finished hands as values, without a database, a page or the clock. Each game defines
its own highlights and how a hand ranks its players.
"""
