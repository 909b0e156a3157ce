"""House rules that limit which plays are legal, such as locks. One file each."""
