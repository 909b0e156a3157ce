"""Combinations of cards: reading them, comparing them, and suggesting alternatives."""
