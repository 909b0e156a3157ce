"""Test the encryption of push messages (RFC 8291) and the server's identification (RFC 8292)."""

import json

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from app.web.push import encryption
from app.web.push.encryption import BrowserKeys, InvalidKeys, decode_base64url
from tests.web.push_service import opened

# RFC 8291, 5 and appendix A.
BROWSERS = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
PUBLIC = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
OURS = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
MESSAGE = b"When I grow up, I want to be a watermelon"
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
    "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_encryption_reproduces_the_example_of_rfc_8291() -> None:
    keys = BrowserKeys.parse(PUBLIC, AUTH)
    made = encryption.encrypt_message(MESSAGE, keys, encryption.decode_private_key(OURS), decode_base64url(SALT))
    assert encryption.encode_base64url(made) == SEALED
    assert opened(made, encryption.decode_private_key(BROWSERS), decode_base64url(AUTH)) == MESSAGE


def test_a_private_key_survives_being_saved_and_read() -> None:
    key = encryption.new_private_key()
    again = encryption.decode_private_key(encryption.encode_private_key(key))
    assert encryption.encode_public_key(again) == encryption.encode_public_key(key)


@pytest.mark.parametrize(
    ("public", "auth"),
    [
        ("", AUTH),
        (PUBLIC, ""),
        (PUBLIC, AUTH + "AA"),
        (PUBLIC[:-4], AUTH),
        ("A" * 87, AUTH),
        ("B" + "C" * 86, AUTH),
        (PUBLIC + "é", AUTH),
    ],
)
def test_invalid_subscription_keys_are_refused(public: str, auth: str) -> None:
    with pytest.raises(InvalidKeys):
        BrowserKeys.parse(public, auth)


def test_a_vapid_token_is_valid_for_one_service_and_twelve_hours() -> None:
    key = encryption.new_private_key()
    said = encryption.vapid_authorization("https://push.example.org", "mailto:ana@example.org", key, 1_000_000.5)
    scheme, _, rest = said.partition(" ")
    token, _, ours = rest.partition(", k=")
    assert (scheme, ours, token[:2]) == ("vapid", encryption.encode_public_key(key), "t=")
    head, claims, signature = token[2:].split(".")
    assert json.loads(decode_base64url(head)) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(decode_base64url(claims)) == {
        "aud": "https://push.example.org",
        "exp": 1_000_000 + 12 * 3600,
        "sub": "mailto:ana@example.org",
    }
    raw = decode_base64url(signature)
    assert len(raw) == 64
    signed = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key.public_key().verify(signed, f"{head}.{claims}".encode(), ECDSA(SHA256()))
    with pytest.raises(InvalidSignature):
        key.public_key().verify(signed, f"{head}.{claims}x".encode(), ECDSA(SHA256()))
