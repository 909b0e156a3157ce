"""What pages and endpoints have in common: rooms, rules as forms and links, lessons, personal data, cleanup."""
