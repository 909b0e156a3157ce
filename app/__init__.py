"""Pecking Order: climbing card games in the browser."""

__version__ = "0.4.0.dev0"
"""Defined here, so that a checkout, a container and an installed wheel can read it. pyproject.toml reads it too."""
