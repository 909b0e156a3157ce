"""JSON that is the same for all who read one language: made and packed once, and not sent to who has it already."""

import gzip
import hashlib
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.responses import Response

from app.web.client_address import Scope

_BY = "Accept-Encoding, Accept-Language, Cookie"
"""What an answer depends on besides its address."""


@dataclass(frozen=True, slots=True)
class Made:
    """An answer that was made ahead."""

    body: bytes
    packed: bytes
    tag: str


def made(body: bytes) -> Made:
    """Pack an answer, and give it a tag by which browsers know it again."""
    return Made(body, gzip.compress(body, mtime=0), f'"{hashlib.sha256(body).hexdigest()[:16]}"')


def answer(scope: Scope, this: Made) -> Response:
    """Answer with it: packed for who can unpack it, and without a body for who has the same already."""
    asked = Headers(scope=scope)
    headers = {"ETag": this.tag, "Cache-Control": "private, no-cache", "Vary": _BY}
    # What is packed on the way may carry the tag as a weak one.
    known = {tag.strip().removeprefix("W/") for tag in asked.get("if-none-match", "").split(",")}
    if this.tag in known:
        return Response(status_code=304, headers=headers)
    if "gzip" not in asked.get("accept-encoding", ""):
        return Response(this.body, media_type="application/json", headers=headers)
    return Response(this.packed, media_type="application/json", headers=headers | {"Content-Encoding": "gzip"})
