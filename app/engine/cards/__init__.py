"""Cards: notation, shuffling, the order of a deal, and the actions of players."""
