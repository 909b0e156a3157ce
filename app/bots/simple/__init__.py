"""Bots without search, their levels, and the safe action for a time-out."""
