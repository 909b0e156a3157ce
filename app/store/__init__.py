"""What is kept, on SQLite or PostgreSQL: rooms' logs, people, the history of matches.

Implements `app/rooms/ports/storage.py`. Knows nothing of sockets and pages, and nothing of the rules: entries are JSON.
"""
