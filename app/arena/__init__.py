"""Measure bots against each other over the same deals, and let other programs play as bots."""
