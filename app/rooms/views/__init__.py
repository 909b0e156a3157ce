"""Views of a room for each client, and the updates with their changes. Pure."""
