"""Finished matches: their positions, new rooms that continue or repeat them, and the check of their deals."""
