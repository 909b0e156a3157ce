"""Behaviour of bots in a room: their delay before a play, their reactions, and their decrees."""
