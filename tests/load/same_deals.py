"""Serve an app whose random numbers come from a fixed seed, for `instructions.py`.

The same requests lead to the same deals, so two versions of the code can be measured on the same actions. Never use
this for real games: all cards can be predicted.
"""

import random
import socket
import sys
from typing import Final

from app.main import run_server
from app.settings import load_settings
from app.store.db import write_health
from app.web.transport import websocket

SWITCH_SECONDS = 0.25
"""Seconds before Python switches threads.

Valgrind is about 50 times slower than the processor, so Python's 5 ms would interrupt threads 50 times more often.
"""

TIME_LIMITS: Final = (
    (websocket, "ASK_SECONDS"),
    (websocket, "PONG_TIMEOUT_SECONDS"),
    (websocket, "SILENT_SECONDS"),
    (write_health, "SLOW_SECONDS"),
)
"""Time limits that would expire under Valgrind. Their effects are not part of the measurement."""


def main() -> None:
    """Serve on a free port of this machine, after printing `port 1234`."""
    sys.setswitchinterval(SWITCH_SECONDS)
    for module, name in TIME_LIMITS:
        assert hasattr(module, name), name
        setattr(module, name, 3600.0)
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    listener.setblocking(False)
    run_server(
        load_settings(), listener, lambda port: print("port", port, flush=True), random_bytes=random.Random(7).randbytes
    )


if __name__ == "__main__":
    main()
