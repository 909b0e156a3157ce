"""What a push service carries and cannot read: a message for one browser, sealed (RFC 8291), and the word that it is
from us (RFC 8292).

Pure: keys, salt and time are handed in. Keys are as browsers write them, base64url without padding; public ones are
points of P-256, uncompressed.
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
    derive_private_key,
    generate_private_key,
)
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey as PublicKey
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

MOST: Final = 3000
"""Bytes of a message: push services take 4096 when it is sealed."""
SALT: Final = 16
"""Bytes, never the same twice."""
VOUCHED: Final = 12 * 3600
"""Seconds that our word is good for; push services believe no more than a day."""

_RECORD: Final = 4096
_LAST: Final = b"\x02"
"""Ends the only record."""


class BadKeys(ValueError):
    """What is said to be a browser's keys is none."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Those of a browser: nobody else can read what is sealed with them."""

    public: PublicKey
    auth: bytes

    @classmethod
    def read(cls, public: str, auth: str) -> "Keys":
        """Take them as a browser tells them (`p256dh`, `auth`); `BadKeys` if they are none."""
        try:
            keys = cls(PublicKey.from_encoded_point(SECP256R1(), unbase64(public)), unbase64(auth))
        except ValueError:
            raise BadKeys from None
        if len(keys.auth) != SALT:
            raise BadKeys
        return keys


def new_key() -> EllipticCurvePrivateKey:
    """Draw a private key."""
    return generate_private_key(SECP256R1())


def private_text(key: EllipticCurvePrivateKey) -> str:
    """Write a private key down."""
    return base64url(key.private_numbers().private_value.to_bytes(32, "big"))


def private_key(text: str) -> EllipticCurvePrivateKey:
    """Read what `private_text` wrote."""
    return derive_private_key(int.from_bytes(unbase64(text), "big"), SECP256R1())


def public_text(key: EllipticCurvePrivateKey) -> str:
    """Write the public part of a key, as browsers want to have it."""
    return base64url(_point(key.public_key()))


def sealed(message: bytes, keys: Keys, key: EllipticCurvePrivateKey, salt: bytes) -> bytes:
    """Seal a message of at most `MOST` bytes; `key` and `salt` are drawn for this message alone."""
    assert len(message) <= MOST
    assert len(salt) == SALT
    ours = _point(key.public_key())
    shared = _hmac(keys.auth, key.exchange(ECDH(), keys.public))
    secret = _hmac(salt, _hmac(shared, b"WebPush: info\0" + _point(keys.public) + ours + b"\x01"))
    content_key = _hmac(secret, b"Content-Encoding: aes128gcm\0\x01")[:16]
    nonce = _hmac(secret, b"Content-Encoding: nonce\0\x01")[:12]
    head = salt + _RECORD.to_bytes(4, "big") + bytes([len(ours)]) + ours
    return head + AESGCM(content_key).encrypt(nonce, message + _LAST, None)


def vouched(origin: str, contact: str, key: EllipticCurvePrivateKey, now: float) -> str:
    """Give the Authorization by which a push service knows us again.

    `origin` is the service's, as in https://push.example.org; `contact` a mailto: or https: address where it can
    complain; `key` the one with which browsers have subscribed; `now` in seconds since 1970.
    """
    claims = {"aud": origin, "exp": int(now) + VOUCHED, "sub": contact}
    said = f"{_json({'typ': 'JWT', 'alg': 'ES256'})}.{_json(claims)}"
    r, s = decode_dss_signature(key.sign(said.encode(), ECDSA(SHA256())))
    signature = base64url(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={said}.{signature}, k={public_text(key)}"


def base64url(data: bytes) -> str:
    """Write bytes without padding.

    >>> base64url(b"hen")
    'aGVu'
    """
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unbase64(text: str) -> bytes:
    """Read what `base64url` wrote; `ValueError` if it is something else.

    >>> unbase64("aGVu")
    b'hen'
    """
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except NotBase64 as error:
        raise ValueError(str(error)) from None


def _json(value: dict[str, object]) -> str:
    return base64url(json.dumps(value, separators=(",", ":")).encode())


def _point(key: PublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _hmac(key: bytes, data: bytes) -> bytes:
    made = HMAC(key, SHA256())
    made.update(data)
    return made.finalize()
