"""What each client may see of a room, and the updates that tell it what has changed. Pure."""
