"""Tools for developers; not part of an installed server."""
