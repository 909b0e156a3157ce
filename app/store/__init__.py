"""Storage on SQLite or PostgreSQL: event logs of rooms, people, history of matches, statistics.

Implements `app/rooms/ports/storage.py`. Does not depend on sockets, pages or rules: log entries are plain JSON here.
"""
