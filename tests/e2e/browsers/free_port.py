"""Find a free port."""

import socket


def free_port() -> int:
    """Return a port that the system reports as free."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
