"""What a match is played for: the stake, the balance of a session, and who pays whom. Pure arithmetic."""
