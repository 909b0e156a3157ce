"""What requests share: the site object, sessions, metrics, chat, and watch parties."""
