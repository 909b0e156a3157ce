"""How bots behave in a room: their delay before a play, their reactions, and the decrees they make."""
