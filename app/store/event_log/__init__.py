"""The event logs of all rooms, and the rows of history and statistics that are written with their events."""
