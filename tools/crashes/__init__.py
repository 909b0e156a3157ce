"""Test runs that kill servers or cut the power during play, and check that nothing acknowledged is lost."""
