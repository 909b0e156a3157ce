"""The book of a room and of a person: what hands that were played come to, counted and compared.

Pure: hands go in as values, numbers come out. Nothing here knows a database, a page or the clock; the games say for
themselves what is a moment and how a hand ranks its players.
"""
