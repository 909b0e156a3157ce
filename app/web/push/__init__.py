"""Web Push: encryption, the safe HTTP client, and the sender."""
