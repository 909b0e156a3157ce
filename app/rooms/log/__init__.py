"""The event log of a room: reducer, snapshots, deadlines, and facts for the match history."""
