"""Delete unused rooms and people, and remove a deleted person's names from all stored data."""
