"""A server that a tool starts on this machine: its process, what its clients see, its CPU time and memory."""
