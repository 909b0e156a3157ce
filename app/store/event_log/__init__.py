"""The event logs of all rooms, and the history and statistics rows written in the same transactions."""
