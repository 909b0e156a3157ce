"""House rules of society: who deals, trades, orders or pays for mistakes. One file each."""
