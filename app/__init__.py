"""Pecking Order: climbing card games in the browser."""
