"""House rules of society: dealing, trading, called runs, and penalties for faults. One file each."""
