"""Data of the stats pages: people, rooms, settlements, and charts as SVG. Pure functions."""
