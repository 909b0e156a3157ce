"""Assignment of seats: seats of the next deal, bots that play for absent people, and links to seats. Pure."""
