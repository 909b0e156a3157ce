"""The cookies that we set: neither a page's scripts nor other sites' forms have anything of them."""

import re
from typing import Final

from starlette.responses import Response

_PLAIN: Final = re.compile(r"[\w/-]+", re.ASCII)
"""What needs no quotes and can say nothing else to a browser: tokens, ids, and paths of rooms."""


def keep(
    response: Response, name: str, value: str, *, secure: bool, path: str = "/", seconds: int | None = None
) -> None:
    """Let this browser keep a value for so long (None: until it is closed), and bring it along to this path.

    Written out here, since whoever comes into a room is given two: the standard library, which knows all that may be in
    a cookie, takes 100,000 instructions for each.
    """
    assert _PLAIN.fullmatch(value), "no value of ours"
    assert _PLAIN.fullmatch(path), "no path of ours"
    lasts = "" if seconds is None else f"; Max-Age={seconds}"
    cookie = f"{name}={value}; HttpOnly{lasts}; Path={path}; SameSite=lax{'; Secure' if secure else ''}"
    response.raw_headers.append((b"set-cookie", cookie.encode("ascii")))
