"""Start a server on this machine for a tool, read it as a client, and measure its CPU time and memory."""
