"""House rules that limit what may be played, such as locks. One file each."""
