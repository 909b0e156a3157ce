"""What people are called and look like, and what they say: names, avatars, chat and reactions. Pure."""
