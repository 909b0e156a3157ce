"""Matches played so far: search, replay frames, story, analysis, file import, new rooms from old positions."""
