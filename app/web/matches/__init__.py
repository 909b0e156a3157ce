"""Matches that are over: search, replay frames, story, analysis, import of files, new rooms from old positions."""
