"""Training of the bots' networks, and measurements of how far bots should trust them."""
