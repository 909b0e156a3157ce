"""A port that nobody uses just now."""

import socket


def free_port() -> int:
    """Ask the system for one."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
