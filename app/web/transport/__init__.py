"""Connections: the server, limits of HTTP connections, WebSockets, and fair turns between them."""
