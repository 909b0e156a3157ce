"""What push services carry: sealed as RFC 8291 has it, and vouched for as RFC 8292 does."""

import json

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from app.web.push import encryption
from app.web.push.encryption import BadKeys, Keys, unbase64
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


def test_the_example_of_the_standard() -> None:
    keys = Keys.read(PUBLIC, AUTH)
    made = encryption.sealed(MESSAGE, keys, encryption.private_key(OURS), unbase64(SALT))
    assert encryption.base64url(made) == SEALED
    assert opened(made, encryption.private_key(BROWSERS), unbase64(AUTH)) == MESSAGE


def test_a_key_that_is_written_down_is_the_same_when_it_is_read() -> None:
    key = encryption.new_key()
    again = encryption.private_key(encryption.private_text(key))
    assert encryption.public_text(again) == encryption.public_text(key)


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
def test_what_is_no_key_is_said_to_be_none(public: str, auth: str) -> None:
    with pytest.raises(BadKeys):
        Keys.read(public, auth)


def test_our_word_is_for_one_service_and_half_a_day() -> None:
    key = encryption.new_key()
    said = encryption.vouched("https://push.example.org", "mailto:ana@example.org", key, 1_000_000.5)
    scheme, _, rest = said.partition(" ")
    token, _, ours = rest.partition(", k=")
    assert (scheme, ours, token[:2]) == ("vapid", encryption.public_text(key), "t=")
    head, claims, signature = token[2:].split(".")
    assert json.loads(unbase64(head)) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(unbase64(claims)) == {
        "aud": "https://push.example.org",
        "exp": 1_000_000 + 12 * 3600,
        "sub": "mailto:ana@example.org",
    }
    raw = unbase64(signature)
    assert len(raw) == 64
    signed = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key.public_key().verify(signed, f"{head}.{claims}".encode(), ECDSA(SHA256()))
    with pytest.raises(InvalidSignature):
        key.public_key().verify(signed, f"{head}.{claims}x".encode(), ECDSA(SHA256()))
