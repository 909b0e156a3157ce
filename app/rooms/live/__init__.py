"""Loaded rooms with their connections, timers and notifications. Only this package uses asyncio."""
