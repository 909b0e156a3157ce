"""Pecking Order: climbing card games in the browser."""

__version__ = "0.2.0"
"""Declared here, so that a checkout, a container and an installed wheel all know it; pyproject.toml reads it too."""
