"""Code shared by pages and API: rooms, rules as forms and links, lessons, personal data, cleanup."""
