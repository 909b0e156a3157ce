"""JSON that is the same for all readers of one language: built and compressed once, and answered with 304 if known."""

import gzip
import hashlib
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.responses import Response

from app.web.client_address import Scope

_BY = "Accept-Encoding, Accept-Language, Cookie"
"""The Vary header: request headers that the response depends on."""


@dataclass(frozen=True, slots=True)
class CachedJson:
    """A prepared JSON response body, plain and compressed, with its ETag."""

    body: bytes
    gzipped: bytes
    etag: str


def build_cached_json(body: bytes) -> CachedJson:
    """Prepare a JSON body for many responses: compress it, and compute its ETag from its hash."""
    return CachedJson(body, gzip.compress(body, mtime=0), etag_of(body))


def etag_of(body: bytes) -> str:
    """Return the ETag of a response body, made of its hash."""
    return f'"{hashlib.sha256(body).hexdigest()[:16]}"'


def cached_json_response(scope: Scope, cached: CachedJson) -> Response:
    """Return a prepared JSON body as a response, compressed if the client accepts that.

    A client that has it already (same ETag) gets 304 without a body.
    """
    request_headers = Headers(scope=scope)
    headers = {"ETag": cached.etag, "Cache-Control": "private, no-cache", "Vary": _BY}
    if is_known(scope, cached.etag):
        return Response(status_code=304, headers=headers)
    if "gzip" not in request_headers.get("accept-encoding", ""):
        return Response(cached.body, media_type="application/json", headers=headers)
    return Response(cached.gzipped, media_type="application/json", headers=headers | {"Content-Encoding": "gzip"})


def is_known(scope: Scope, etag: str) -> bool:
    """Return whether the client has the response with this ETag already, so that 304 is enough."""
    # A proxy that compresses may turn the tag into a weak one (`W/`).
    known = Headers(scope=scope).get("if-none-match", "").split(",")
    return etag in {tag.strip().removeprefix("W/") for tag in known}
