"""The statistics pages as data: people, rooms, settlements, and charts as SVG. Pure."""
