"""The interface of a game, hands and matches, views of them, and records."""
