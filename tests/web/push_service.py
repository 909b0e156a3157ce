"""A push service for tests, as a real https server, and a browser that decrypts its messages."""

import datetime
import ipaddress
import json
import queue
import secrets
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
)
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from app.web.push.encryption import decode_base64url, encode_base64url, encode_public_key, new_private_key

PATIENCE = 20
"""Seconds to wait. A slow machine must not fail a test."""


def opened(sealed: bytes, key: EllipticCurvePrivateKey, auth: bytes) -> bytes:
    """Decrypt a message with a browser's keys (RFC 8188 and 8291)."""
    salt, length = sealed[:16], sealed[20]
    theirs, text = sealed[21 : 21 + length], sealed[21 + length :]
    ours = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    shared = key.exchange(ECDH(), EllipticCurvePublicKey.from_encoded_point(SECP256R1(), theirs))

    def derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
        return HKDF(SHA256(), length, salt, info).derive(secret)

    secret = derived(shared, auth, b"WebPush: info\0" + ours + theirs, 32)
    content_key = derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    plain = AESGCM(content_key).decrypt(nonce, text, None)
    message, end = plain[:-1], plain[-1:]
    assert end == b"\x02"
    return message


def claims(authorization: str) -> tuple[dict[str, Any], str]:
    """Check a server's signature and return its claims and key (RFC 8292)."""
    scheme, _, rest = authorization.partition(" ")
    token, _, key = rest.partition(", k=")
    assert (scheme, token[:2]) == ("vapid", "t=")
    head, told, signature = token[2:].split(".")
    assert json.loads(decode_base64url(head)) == {"typ": "JWT", "alg": "ES256"}
    raw = decode_base64url(signature)
    assert len(raw) == 64
    signed = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), decode_base64url(key))
    public.verify(signed, f"{head}.{told}".encode(), ECDSA(SHA256()))
    found: dict[str, Any] = json.loads(decode_base64url(told))
    return found, key


@dataclass
class Posted:
    """A received message."""

    path: str
    headers: Mapping[str, str]
    body: bytes


class Browser:
    """A browser's secret keys."""

    def __init__(self) -> None:
        self._key, self._auth = new_private_key(), secrets.token_bytes(16)

    def subscription(self, endpoint: str) -> dict[str, str]:
        """Return the subscription that the browser's page sends."""
        return {"endpoint": endpoint, "p256dh": encode_public_key(self._key), "auth": encode_base64url(self._auth)}

    def read(self, posted: Posted) -> dict[str, Any]:
        """Decrypt a message."""
        told: dict[str, Any] = json.loads(opened(posted.body, self._key, self._auth))
        return told


class PushService:
    """Accepts messages, and answers by the first part of their path: `/410/ana` with 410, `/never/…` not at all.

    429 and 503 are answered once, with a wait of one second or as in `/429/ana?after=60`. Then the message is accepted.
    """

    def __init__(self, folder: Path) -> None:
        """The certificates of the service and of its authority are written to `folder`."""
        self.posted: queue.Queue[Posted] = queue.Queue()
        self.over = Event()
        self.turned_away: set[str] = set()
        self.authority = _certificates(folder)
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.posted.put(Posted(self.path, dict(self.headers), body))
                kind = self.path.split("/")[1]
                if kind == "never":
                    service.over.wait(PATIENCE)
                    return
                busy = kind in ("429", "503") and self.path not in service.turned_away
                self.send_response(int(kind) if busy or kind not in ("429", "503") else 201)
                if busy:
                    service.turned_away.add(self.path)
                    self.send_header("Retry-After", self.path.partition("?after=")[2] or "1")
                self.send_header("Location", f"{service.origin}/201/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Suppress the log."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(folder / "service.pem")
        self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.origin = f"https://127.0.0.1:{self._server.server_port}"
        self._thread = Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def endpoint(self, name: str, kind: str = "201") -> str:
        """Return an endpoint for a person."""
        return f"{self.origin}/{kind}/{name}"

    def next(self) -> Posted:
        """Wait for the next message and return it."""
        return self.posted.get(timeout=PATIENCE)

    def close(self) -> None:
        """Stop the server."""
        self.over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(PATIENCE)


@contextmanager
def push_service(folder: Path) -> Iterator[PushService]:
    """Run a push service."""
    service = PushService(folder)
    try:
        yield service
    finally:
        service.close()


def _certificates(folder: Path) -> Path:
    """Make a certificate for this machine, signed by a new authority, and return the authority's file."""
    now = datetime.datetime.now(datetime.UTC)
    until = now + datetime.timedelta(days=1)

    def made(name: str, key: EllipticCurvePrivateKey, issuer: str) -> x509.CertificateBuilder:
        subject, by = [x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, each)]) for each in (name, issuer)]
        built = x509.CertificateBuilder(by, subject, key.public_key(), x509.random_serial_number(), now, until)
        return built.add_extension(x509.BasicConstraints(ca=name == issuer, path_length=None), critical=True)

    signer, key = new_private_key(), new_private_key()
    authority = made("authority", signer, "authority")
    usage = dict.fromkeys(
        ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
         "encipher_only", "decipher_only"), False)  # fmt: skip
    authority = authority.add_extension(x509.KeyUsage(**usage, key_cert_sign=True, crl_sign=True), critical=True)
    ski = x509.SubjectKeyIdentifier.from_public_key(signer.public_key())
    signed = authority.add_extension(ski, critical=False).sign(signer, SHA256())
    here = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    whose = x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key())
    service = made("service", key, "authority").add_extension(here, critical=False)
    own = service.add_extension(whose, critical=False).sign(signer, SHA256())
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "service.pem").write_bytes(secret + own.public_bytes(Encoding.PEM))
    file = folder / "authority.pem"
    file.write_bytes(signed.public_bytes(Encoding.PEM))
    return file
