"""Where bots are measured against each other, and learn."""
