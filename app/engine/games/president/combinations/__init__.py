"""Cards that are played together: what they are, what beats what, and what can be suggested instead."""
