"""Names, avatars, chat and reactions of people in a room. Pure."""
