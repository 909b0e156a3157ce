"""Stakes: the price of a point, the balances of a session, and the payments at its end. Pure arithmetic."""
