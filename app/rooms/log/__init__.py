"""The event log of a room: the reducer that folds events into state, snapshots, deadlines, and history facts."""
