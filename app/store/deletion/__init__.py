"""Deletes and renames: unused rooms, people who delete their data, and their names in everything that is stored."""
