"""Test the settings: accepted, refused and masked values, and the addresses of clients behind proxies."""

import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from app.settings import ENV_FILE, FORMER_NAMES, PREFIX, BadSettings, Settings, known_variable_names, load_settings
from app.store.db.engines import parse_url
from app.store.db.errors import BadUrl
from app.web.client_address import client_key, is_allowed_origin, is_private, is_secure, with_forwarded_client
from app.web.http.rate_limit import RateLimiter
from tests.for_each import for_each


def test_settings_are_read_from_the_environment_with_passwords_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "81")
    monkeypatch.setenv("DATABASE_URL", "postgresql://ann:s3cret@db/cards")
    monkeypatch.setenv("PECKING_ORDER_PUBLIC_URL", "https://Cards.example.org/")
    monkeypatch.setenv("PECKING_ORDER_TRUSTED_PROXIES", "10.0.0.0/8, 127.0.0.1")
    monkeypatch.setenv("PECKING_ORDER_LIMITS__ROOMS_PER_HOUR", "7")
    settings = Settings()
    assert (settings.port, settings.limits.rooms_per_hour) == (81, 7)
    assert settings.public_url == "https://cards.example.org"
    assert [str(each) for each in settings.trusted_proxies] == ["10.0.0.0/8", "127.0.0.1/32"]
    assert "s3cret" not in str(settings.masked_values())
    assert settings.masked_values()["database_url"] == "postgresql://ann:***@db/cards"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "high"),
        ("PECKING_ORDER_PUBLIC_URL", "cards.example.org"),
        ("PECKING_ORDER_PUBLIC_URL", "https://example.org/cards"),
        ("PECKING_ORDER_TRUSTED_PROXIES", "everybody"),
        ("PECKING_ORDER_LOG_LEVEL", "loud"),
        ("PECKING_ORDER_OPERATOR_CONTACT", "javascript:alert(1)"),
        ("PECKING_ORDER_OPERATOR_CONTACT", "javascript:a@b"),
        ("PECKING_ORDER_PRIVACY_URL", "ana@example.org"),
    ],
)
def test_invalid_settings_are_refused(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ValidationError):
        Settings()


def test_a_settings_file_counts_only_if_it_is_named_and_the_environment_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "cards.env"
    file.write_text("# At home\nPORT=81\nPECKING_ORDER_LOG_LEVEL='debug'\nPOSTGRES_PASSWORD=x\n", "utf-8")
    monkeypatch.setenv(ENV_FILE, str(file))
    monkeypatch.setenv("PECKING_ORDER_LOG_LEVEL", "error")
    assert (load_settings().port, load_settings().log_level) == (81, "error")
    (tmp_path / ".env").write_text("PORT=82\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(ENV_FILE, "")
    assert load_settings().port == 8000, "the file of a working folder does not count"


def test_the_file_of_a_checkout_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ENV_FILE)
    monkeypatch.setattr("app.settings.__file__", str(tmp_path / "app" / "settings.py"))
    (tmp_path / ".env").write_text("PORT=82\n", "utf-8")
    assert load_settings().port == 8000, "an installed program"
    (tmp_path / "pyproject.toml").touch()
    assert load_settings().port == 82


@for_each(
    ("text", "sentence"),
    [
        ("PECKING_ORDER_PROT=81\n", "There is no setting PECKING_ORDER_PROT: did you mean PORT?"),
        ("PORT=high\n", "PORT is “high”, but should be a whole number."),
        ("DATABASE_URL=a\nDATABASE_URL_FILE=b\n", "DATABASE_URL and DATABASE_URL_FILE are both set: remove one."),
        ("DATABASE_URL_FILE=/none/x\n", "DATABASE_URL_FILE names /none/x, which can’t be read: No such file"),
        (None, "PECKING_ORDER_ENV_FILE names /none/cards.env, which can’t be read: No such file"),
    ],
)
def test_a_wrong_settings_file_is_refused_with_a_sentence(text: str | None, sentence: str, tmp_path: Path) -> None:
    file = Path("/none/cards.env") if text is None else tmp_path / "cards.env"
    if text is not None:
        file.write_text(text, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(ENV_FILE, str(file))
        with pytest.raises(BadSettings, match=re.escape(sentence)):
            load_settings()


def test_a_secret_can_be_the_content_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "url").write_text("postgresql://ann:s3cret@db/cards\n", "utf-8")
    monkeypatch.setenv("PECKING_ORDER_DATABASE_URL_FILE", str(tmp_path / "url"))
    assert load_settings().database_url == "postgresql://ann:s3cret@db/cards"
    assert load_settings(database_url="sqlite:///x").database_url == "sqlite:///x"


def test_a_direct_address_of_the_database_is_a_secret_that_belongs_to_the_database_of_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    direct, name = "postgresql://ann:s3cret@db/cards", "PECKING_ORDER_DATABASE_DIRECT_URL"
    monkeypatch.setenv("DATABASE_URL", "postgresql://pool/cards")
    assert load_settings().unpooled_database_url == "postgresql://pool/cards"
    (tmp_path / "url").write_text(direct, "utf-8")
    monkeypatch.setenv(f"{name}_FILE", str(tmp_path / "url"))
    assert load_settings().unpooled_database_url == direct
    assert load_settings().masked_values()["database_direct_url"] == "postgresql://ann:***@db/cards"
    assert load_settings(database_url="sqlite:///x").unpooled_database_url == "sqlite:///x"
    monkeypatch.setenv("DATABASE_URL", "sqlite:///x")
    with pytest.raises(BadSettings, match=f"{name}: this address and DATABASE_URL should both look like postgresql://"):
        load_settings()


def scope(peer: str = "10.0.0.1", scheme: str = "http", **headers: str) -> dict[str, object]:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "client": (peer, 5), "scheme": scheme, "headers": raw}


TRUSTED = Settings(trusted_proxies="10.0.0.0/8").trusted_proxies  # type: ignore[arg-type]


@for_each(
    ("peer", "forwarded", "client"),
    [
        ("192.0.2.9", "203.0.113.5", "192.0.2.9"),  # from an untrusted address
        ("10.0.0.1", "203.0.113.5", "203.0.113.5"),
        ("10.0.0.1", "1.2.3.4, 203.0.113.5, 10.0.0.7", "203.0.113.5"),  # addresses further left may be forged
        ("10.0.0.1", "nonsense", "unknown"),  # not the address of the proxy
        ("10.0.0.1", "203.0.113.5:4711", "203.0.113.5"),
        ("10.0.0.1", "[2001:db8:1:2:3::4]:4711", "2001:db8:1:2::"),
        ("::ffff:10.0.0.1", "203.0.113.5", "203.0.113.5"),
        ("10.0.0.1", "10.0.0.2", "10.0.0.2"),
    ],
)
def test_forwarded_client_addresses_are_used_only_from_trusted_proxies(peer: str, forwarded: str, client: str) -> None:
    assert client_key(with_forwarded_client(scope(peer, x_forwarded_for=forwarded), TRUSTED)) == client


def test_the_forwarded_scheme_is_used_only_from_trusted_proxies() -> None:
    assert is_secure(with_forwarded_client(scope(x_forwarded_proto="https"), TRUSTED))
    assert not is_secure(with_forwarded_client(scope("192.0.2.9", x_forwarded_proto="https"), TRUSTED))
    assert not is_secure(with_forwarded_client(scope(x_forwarded_proto="gopher"), TRUSTED))
    assert is_private(scope("192.168.1.7"))
    assert not is_private(scope("8.8.8.8"))


@for_each(
    ("origin", "host", "scheme", "own"),
    [
        ("http://cards.lan:8000", "cards.lan:8000", "http", True),
        ("http://CARDS.lan:8000", "cards.lan:8000", "http", True),
        ("http://cards.lan", "cards.lan:8000", "http", False),
        ("http://evil.example", "cards.lan", "http", False),
        ("https://cards.lan", "cards.lan", "http", True),  # the proxy ended the encryption
        ("http://cards.lan", "cards.lan", "https", False),
        ("ftp://cards.lan", "cards.lan", "http", False),
        ("null", "cards.lan", "http", False),
        ("", "", "http", False),
        ("https://public.example", "inside:8000", "http", True),
        ("https://friends.example", "inside:8000", "http", True),
    ],
)
def test_only_own_and_allowed_origins_are_accepted(origin: str, host: str, scheme: str, own: bool) -> None:
    here = scope(scheme=scheme, host=host)
    assert is_allowed_origin(origin, here, "https://public.example", ("https://friends.example",)) is own


def test_a_rate_limiter_forgets_idle_keys_and_stays_within_its_maximum() -> None:
    now = 0.0
    pace = RateLimiter(1, 1, most_keys=10, clock=lambda: now)
    for n in range(100):
        assert pace.seconds_until_allowed(f"k{n}") == 0
    assert len(pace._idle_at) <= 10
    assert pace.seconds_until_allowed("k99") > 0
    now = 10.0
    assert pace.seconds_until_allowed("k99") == 0


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("PECKING_ORDER_HEARTBEAT_SECONDS", "inf", "finite"),
        ("PECKING_ORDER_KEEP_ROOMS_DAYS", "99999999999", "at most 36500"),
        ("PECKING_ORDER_PUBLIC_URL", "https://cards.example.org:abc", "a port between 0 and 65535"),
        ("PECKING_ORDER_TRUSTED_PROXIES", "caddy", "Separate addresses by commas; names can’t be used"),
        ("PECKING_ORDER_TRUSTED_PROXIES", "10.0.0.1 10.0.0.2", "Separate addresses by commas"),
    ],
)
def test_a_setting_out_of_bounds_is_refused_with_the_valid_range(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(BadSettings, match=said):
        load_settings()


def test_an_error_about_an_unescaped_at_sign_does_not_reveal_the_password() -> None:
    with pytest.raises(BadUrl, match="write it as %40") as refused:
        parse_url("postgresql://pecking:Geh@im1@db/cards")
    assert "im1" not in str(refused.value)


def test_each_former_setting_stands_for_a_setting_of_today() -> None:
    known = {name.removeprefix(PREFIX) for name in known_variable_names()}
    assert FORMER_NAMES.keys().isdisjoint(known)
    assert {*FORMER_NAMES.values()} <= known
