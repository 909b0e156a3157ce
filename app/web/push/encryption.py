"""Web Push encryption: messages that only one browser can read (RFC 8291), and signed authorization (RFC 8292).

Pure functions: keys, salt and time are arguments. Keys are base64url without padding, as in browsers. Public keys are
uncompressed points of P-256.
"""

import base64
import json
from binascii import Error as NotBase64
from dataclasses import dataclass
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey as PublicKey,
    derive_private_key,
    generate_private_key,
)
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

MAX_MESSAGE_BYTES: Final = 3000
"""Limit for the bytes of a message: push services accept 4096 after encryption."""
SALT: Final = 16
"""Bytes of a salt. A salt must never be used twice."""
TOKEN_SECONDS: Final = 12 * 3600
"""Validity of an authorization in seconds; push services accept at most a day."""

_RECORD: Final = 4096
_LAST: Final = b"\x02"
"""Padding delimiter that ends the last record."""


class InvalidKeys(ValueError):
    """Raised for malformed encryption keys that a browser sent with its push subscription."""


@dataclass(frozen=True, slots=True)
class BrowserKeys:
    """The public key and secret (`auth`) with which push messages for one browser are encrypted.

    The browser made them for its push subscription, so only this browser can read the messages.
    """

    public: PublicKey
    auth: bytes

    @classmethod
    def parse(cls, public: str, auth: str) -> "BrowserKeys":
        """Parse the keys `p256dh` and `auth` of a browser's push subscription; raise `InvalidKeys` if malformed.

        `public` is the value of `p256dh`. Both keys are base64url texts.
        """
        try:
            keys = cls(PublicKey.from_encoded_point(SECP256R1(), decode_base64url(public)), decode_base64url(auth))
        except ValueError:
            raise InvalidKeys from None
        if len(keys.auth) != SALT:
            raise InvalidKeys
        return keys


def new_private_key() -> EllipticCurvePrivateKey:
    """Return a new random private key (P-256): the server's for Web Push, or for one single message."""
    return generate_private_key(SECP256R1())


def encode_private_key(key: EllipticCurvePrivateKey) -> str:
    """Encode a private key as base64url text, so that it can be stored; `decode_private_key` reads it."""
    return encode_base64url(key.private_numbers().private_value.to_bytes(32, "big"))


def decode_private_key(text: str) -> EllipticCurvePrivateKey:
    """Decode a private key from the text of `encode_private_key`."""
    return derive_private_key(int.from_bytes(decode_base64url(text), "big"), SECP256R1())


def encode_public_key(key: EllipticCurvePrivateKey) -> str:
    """Encode the public half of a key as base64url text, as browsers and push services expect it."""
    return encode_base64url(_public_key_bytes(key.public_key()))


def encrypt_message(message: bytes, keys: BrowserKeys, key: EllipticCurvePrivateKey, salt: bytes) -> bytes:
    """Encrypt a push message of at most `MAX_MESSAGE_BYTES` so that only the browser with `keys` can read it.

    `key` and `salt` must be new for each message. Returns the body of the request to the push service.
    """
    assert len(message) <= MAX_MESSAGE_BYTES
    assert len(salt) == SALT
    ours = _public_key_bytes(key.public_key())
    shared = _hmac(keys.auth, key.exchange(ECDH(), keys.public))
    secret = _hmac(salt, _hmac(shared, b"WebPush: info\0" + _public_key_bytes(keys.public) + ours + b"\x01"))
    content_key = _hmac(secret, b"Content-Encoding: aes128gcm\0\x01")[:16]
    nonce = _hmac(secret, b"Content-Encoding: nonce\0\x01")[:12]
    head = salt + _RECORD.to_bytes(4, "big") + bytes([len(ours)]) + ours
    return head + AESGCM(content_key).encrypt(nonce, message + _LAST, None)


def vapid_authorization(origin: str, contact: str, key: EllipticCurvePrivateKey, now: float) -> str:
    """Return the Authorization header that identifies this server to a push service (VAPID).

    `origin` is the origin of the service, such as https://push.example.org. `contact` is a mailto: or https: address
    for complaints. `key` is the key with which browsers subscribed. `now` is in seconds since 1970.
    """
    claims = {"aud": origin, "exp": int(now) + TOKEN_SECONDS, "sub": contact}
    said = f"{_encode_json_base64url({'typ': 'JWT', 'alg': 'ES256'})}.{_encode_json_base64url(claims)}"
    r, s = decode_dss_signature(key.sign(said.encode(), ECDSA(SHA256())))
    signature = encode_base64url(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={said}.{signature}, k={encode_public_key(key)}"


def encode_base64url(data: bytes) -> str:
    """Encode bytes as base64url without padding.

    >>> encode_base64url(b"hen")
    'aGVu'
    """
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode_base64url(text: str) -> bytes:
    """Decode base64url text without padding to bytes. Raises `ValueError` if it is malformed.

    >>> decode_base64url("aGVu")
    b'hen'
    """
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except NotBase64 as error:
        raise ValueError(str(error)) from None


def _encode_json_base64url(value: dict[str, object]) -> str:
    return encode_base64url(json.dumps(value, separators=(",", ":")).encode())


def _public_key_bytes(key: PublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _hmac(key: bytes, data: bytes) -> bytes:
    mac = HMAC(key, SHA256())
    mac.update(data)
    return mac.finalize()
