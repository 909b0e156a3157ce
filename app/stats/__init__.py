"""Statistics of rooms and people: hands are counted, compared and told as stories.

Pure: hands go in as values, numbers come out. Nothing here knows a database, a page or the clock; the games say for
themselves what is a moment and how a hand ranks its players.
"""
