"""Runs that kill servers or cut the power while people play, and check that nothing acknowledged is lost."""
