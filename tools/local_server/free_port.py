"""Find a free port for a process that is about to start."""

import secrets
import socket
from contextlib import suppress
from typing import Final

_PORTS: Final = range(10_000, 32_768)
"""Below the ports that systems give to outgoing connections, so that none of those takes a chosen port."""


def free_port() -> int:
    """Return a port of 127.0.0.1 that is free now. A random one, so that no two processes choose the same."""
    while True:
        port = secrets.choice(_PORTS)
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
