"""What developers use and users do not."""
