"""Read the environment, and a file beside it, once into a frozen `Settings`. No other module reads `os.environ`.

The file is the one that `PECKING_ORDER_ENV_FILE` names, or `.env` of a checkout; the environment wins. A secret can
also be the content of a file: `PECKING_ORDER_DATABASE_URL_FILE=/run/secrets/database`. Every name begins with
`PECKING_ORDER_`, as in `PECKING_ORDER_PORT=8080`. `DATABASE_URL` and `PORT` also work without the prefix, because
hosting services set those. Limits are nested: `PECKING_ORDER_LIMITS__ROOMS_PER_HOUR=60`.
"""

import os
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from io import StringIO
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from dotenv import dotenv_values
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict, SettingsError

Network = IPv4Network | IPv6Network

PREFIX = "PECKING_ORDER_"
ENV_FILE = f"{PREFIX}ENV_FILE"
"""Names the file with settings. Empty: there is none."""
SECRETS = ("database_url", "database_direct_url")
"""Fields with a password or key, which can also be in a file."""

COOKIE_DAYS = 2 * 365
"""Lifetime of a browser's cookie in days."""
PUSH_SERVICES = ("fcm.googleapis.com", "push.services.mozilla.com", "push.apple.com", "notify.windows.com")
"""Push services of Chrome and most other browsers, of Firefox, of Safari, and of Edge."""
ANY_HOST = "any"
FORMER_NAMES = {
    "LIMITS__LINES_AT_ONCE": "LIMITS__CHAT_MESSAGES_AT_ONCE",
    "LIMITS__LINES_PER_MINUTE": "LIMITS__CHAT_MESSAGES_PER_MINUTE",
    "LIMITS__QUESTIONS_PER_MINUTE": "LIMITS__HINDSIGHT_PER_MINUTE",
    "PUSH_TRIAL": "TEST_PUSH_SERVICE",
}
"""Names of settings today, by former name, without the prefix. A former name is refused."""
MAX_DAYS = 100 * 365
"""Largest number of days in a setting, so that dates stay within the range of Python and the databases."""


class Limits(BaseModel):
    """Settings that limit what one address, person, room or message may use, against abuse.

    A whole school may share one address, so be generous.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    message_bytes: int = Field(8 * 1024, ge=1024, description="Bytes of a message on a socket.")
    body_bytes: int = Field(64 * 1024, ge=1024, description="Bytes of the body of a request.")
    messages_per_second: float = Field(10, gt=0, description="Messages of a person in a room, long-term rate.")
    messages_at_once: int = Field(40, ge=1, description="Messages of a person in a room, in a burst.")
    sockets: int = Field(10_000, ge=1, description="Open sockets on this node.")
    sockets_per_address: int = Field(200, ge=1, description="Open sockets from an address.")
    sockets_per_person: int = Field(8, ge=1, description="Open sockets of a person in a room.")
    handshakes_per_minute: int = Field(300, ge=1, description="Handshakes of sockets from an address.")
    requests_per_minute: int = Field(1200, ge=1, description="Requests from an address, without static files.")
    changes_per_minute: int = Field(120, ge=1, description="Requests from an address that change data.")
    settings_changes_per_minute: int = Field(30, ge=1, description="Changes of the settings of a room.")
    log_bytes_per_hour: int = Field(
        20 * 1024 * 1024,
        ge=0,
        description="Bytes that an address adds to the logs of rooms, before only plays are accepted. 0: no limit.",
    )
    rooms_per_hour: int = Field(60, ge=1, description="Rooms created from an address.")
    people_per_hour: int = Field(600, ge=1, description="People created from an address.")
    import_bytes: int = Field(8 * 1024 * 1024, ge=1024, description="Bytes of an imported file of records.")
    import_hands: int = Field(6000, ge=1, description="Hands in an imported file, over all its matches.")
    import_seconds: float = Field(30, gt=0, description="CPU seconds to replay an imported file.")
    imports_per_person: int = Field(500, ge=1, description="Imported matches that a person can save.")
    import_bytes_per_person: int = Field(
        64 * 1024 * 1024, ge=1024, description="Bytes in the database of all imported matches of a person."
    )
    import_bytes_per_day: int = Field(
        128 * 1024 * 1024, ge=1024, description="Bytes in the database of matches imported from an address in a day."
    )
    house_rules_per_person: int = Field(50, ge=1, description="Sets of house rules that a person can save.")
    reactions_per_minute: float = Field(20, gt=0, description="Reactions of a person in a room, long-term rate.")
    reactions_at_once: int = Field(5, ge=1, description="Reactions of a person in a room, in a burst.")
    chat_messages_per_minute: float = Field(
        20, gt=0, description="Chat messages of a person in a room, long-term rate."
    )
    chat_messages_at_once: int = Field(5, ge=1, description="Chat messages of a person in a room, in a burst.")
    hindsight_per_minute: int = Field(
        20, ge=1, description="Questions of a person about what a hard bot would have done."
    )
    pictures_per_minute: int = Field(60, ge=1, description="Pictures of matches and moments requested from an address.")
    seat_requests_per_hour: int = Field(12, ge=1, description="Requests from an address to get a seat back.")
    guesses_per_minute: int = Field(30, ge=1, description="Unknown codes, links and tokens from an address.")


class Settings(BaseSettings):
    """All settings of the server, with their defaults.

    They are read from environment variables and a file; see `load_settings`.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="__", env_ignore_empty=True, frozen=True, extra="ignore"
    )

    host: str = Field("0.0.0.0", validation_alias=AliasChoices(f"{PREFIX}HOST", "host"))  # noqa: S104
    port: int = Field(8000, ge=0, le=65535, validation_alias=AliasChoices(f"{PREFIX}PORT", "PORT", "port"))
    database_url: str = Field(
        "sqlite:///pecking-order.sqlite3",
        validation_alias=AliasChoices(f"{PREFIX}DATABASE_URL", "DATABASE_URL", "database_url"),
        description="The database: sqlite:///file or postgresql://user:password@host/name.",
    )
    database_direct_url: str | None = Field(
        None,
        description="The same PostgreSQL without a connection pooler, if DATABASE_URL leads through one in transaction "
        "mode. For locks, messages between nodes, and commands.",
    )
    public_url: str | None = Field(
        None,
        description="The address that people use, such as https://cards.example.org, if the server has a name outside "
        "its own network.",
    )
    operator_name: str | None = Field(
        None,
        max_length=80,
        description="Who runs this server, shown at the foot of all pages, with a link to /privacy.",
    )
    operator_contact: str | None = Field(
        None, max_length=200, description="How to reach them: an e-mail address, or a page such as https://example.org."
    )
    privacy_url: str | None = Field(
        None, max_length=200, description="Your own page about privacy, in place of /privacy."
    )
    trusted_proxies: Annotated[tuple[Network, ...], NoDecode] = Field(
        (), description="Proxies whose X-Forwarded-For and -Proto are used: addresses or networks, separated by commas."
    )
    allowed_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="Other names of this server, and other sites whose pages can use it, separated by commas."
    )
    metrics: Literal["off", "private", "public"] = Field(
        "private", description="Access to /metrics: nobody, private addresses, or everybody."
    )
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["auto", "console", "json"] = Field(
        "auto", description="auto: console on a terminal, json elsewhere."
    )
    log_refused_addresses: bool = Field(
        False, description="Write each refused request with its address to the log, for fail2ban."
    )
    drain_seconds: float = Field(
        10,
        ge=0,
        le=3600,
        allow_inf_nan=False,
        description="Maximum seconds that a stopping server waits for open requests.",
    )
    retry_ms: int = Field(
        1000,
        ge=0,
        le=3_600_000,
        description="Milliseconds until clients reconnect after a restart; each waits up to twice this time.",
    )
    heartbeat_seconds: float = Field(
        5,
        gt=0,
        le=3600,
        allow_inf_nan=False,
        description="Seconds between two heartbeats of a node, with PostgreSQL.",
    )
    keep_rooms_days: int | None = Field(
        None,
        ge=1,
        le=MAX_DAYS,
        description="Delete rooms after this many days without a visit. Default: never.",
    )
    keep_people_days: int | None = Field(
        None,
        ge=1,
        le=MAX_DAYS,
        description="Delete people without a room after this many days without a visit. Default: never.",
    )
    idle_days: int = Field(
        COOKIE_DAYS,
        ge=1,
        le=MAX_DAYS,
        description="Sign out a device after this many days without a visit. Default: the lifetime of the cookie.",
    )
    push: bool = Field(
        True, description="Whether players can have notifications when it is their turn and their page is closed."
    )
    push_services: Annotated[tuple[str, ...], NoDecode] = Field(
        PUSH_SERVICES,
        description="Push services for notifications: hosts, with their subdomains, separated by commas. any: every "
        "public host.",
    )
    test_push_service: str | None = Field(
        None, description="For tests: a push service that is not public, such as https://localhost:9443."
    )
    hard_workers: int | None = Field(
        None,
        ge=0,
        le=256,
        description="Worker processes for hard bots. 0: no hard bots. Default: all cores but one, and at least one.",
    )
    watch_files: bool = Field(
        False, description="Reload changed templates and static files on every page (for development)."
    )
    limits: Limits = Limits()

    @field_validator("database_direct_url")
    @classmethod
    def _check_direct_url(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is not None and not all(url.startswith("postgres") for url in (value, info.data["database_url"])):
            raise ValueError("this address and DATABASE_URL should both look like postgresql://user:password@host/name")
        return value

    @field_validator("public_url", "test_push_service")
    @classmethod
    def _normalize_origin(cls, value: str | None) -> str | None:
        return None if value is None else normalize_origin(value)

    @field_validator("operator_contact", "privacy_url")
    @classmethod
    def _check_link(cls, value: str | None, info: ValidationInfo) -> str | None:
        is_mail = info.field_name == "operator_contact" and re.fullmatch(r"[^@\s:/?]+@[^@\s:/?]+", value or "")
        if value is not None and not is_mail and not re.match(r"https?://[^\s/]+", value):
            raise ValueError(f"“{value}” is not an address such as https://example.org")
        return value

    @field_validator("allowed_origins", mode="before")
    @classmethod
    def _parse_origins(cls, value: Any) -> Any:
        return tuple(normalize_origin(each) for each in _split_list(value))

    @field_validator("push_services", mode="before")
    @classmethod
    def _parse_hosts(cls, value: Any) -> Any:
        words = _split_list(value)
        return (ANY_HOST,) if words == [ANY_HOST] else tuple(_check_host(each) for each in words)

    @field_validator("trusted_proxies", mode="before")
    @classmethod
    def _parse_networks(cls, value: Any) -> Any:
        return tuple(_parse_network(each) for each in _split_list(value))

    @property
    def unpooled_database_url(self) -> str:
        """The address of the database without a connection pooler: commands use it for everything."""
        return self.database_direct_url or self.database_url

    def masked_values(self) -> dict[str, Any]:
        """Return all settings as JSON data, with the database passwords masked, to show them to the operator."""
        values = self.model_dump(mode="json")
        return values | {field: mask_password(values[field]) for field in SECRETS if values[field] is not None}


class BadSettings(ValueError):
    """Raised for unknown or invalid settings; the message has a sentence for each, with the expected value."""


def load_settings(**given: Any) -> Settings:
    """Load the settings from the environment and the settings file; `given` values take precedence.

    A given `database_url` also replaces the direct address, which belongs to the database of the settings.
    Raises `BadSettings`, with all problems at once, for unknown or invalid ones, and for files that can't be read.
    """
    if "database_url" in given:
        given.setdefault("database_direct_url", None)
    file = _settings_file()
    variables = {**_read_settings_file(file), **os.environ}
    unknown = sorted(
        name for name in variables if name.upper().startswith(PREFIX) and name.upper() not in known_variable_names()
    )
    problems = [_unknown_setting_message(name) for name in unknown]
    secrets = {field: secret for field in SECRETS if (secret := _secret_of_file(field, variables)) is not None}
    try:
        settings = Settings(_env_file=file, **{**secrets, **given})
    except SettingsError:  # PECKING_ORDER_LIMITS was set as a whole, with invalid JSON
        raise BadSettings(f"Limits are set one by one, as in {PREFIX}LIMITS__ROOMS_PER_HOUR=60.") from None
    except ValidationError as error:
        # Unknown names of limits are already in `problems`.
        problems += [
            _setting_error_message(each, variables) for each in error.errors() if each["type"] != "extra_forbidden"
        ]
    else:
        if not problems:
            return settings
    raise BadSettings("\n".join(problems))


def _settings_file() -> Path | None:
    """Return the file with settings, or None. Only a checkout has one without being told."""
    named = os.environ.get(ENV_FILE)
    if named is not None:
        return Path(named) if named else None
    checkout = Path(__file__).parents[1]
    file = checkout / ".env"
    return file if (checkout / "pyproject.toml").is_file() and file.is_file() else None


def _read_settings_file(file: Path | None) -> dict[str, str]:
    """Return the variables of a settings file; raise `BadSettings` if it can't be read."""
    if file is None:
        return {}
    return {name: value or "" for name, value in dotenv_values(stream=StringIO(_read_file(file, ENV_FILE))).items()}


def _secret_of_file(field: str, variables: Mapping[str, str]) -> str | None:
    """Return the content of the file that a variable such as `DATABASE_URL_FILE` names, or None.

    Raises `BadSettings` if the file can't be read, or the variable without `_FILE` is set, too.
    """
    names = list(_variable_names(field))
    name = next((each for each in names if variables.get(f"{each}_FILE")), None)
    if name is None:
        return None
    other = next((each for each in names if variables.get(each)), None)
    if other is not None:
        raise BadSettings(f"{other} and {name}_FILE are both set: remove one.")
    return _read_file(Path(variables[f"{name}_FILE"]), f"{name}_FILE").strip()


def _read_file(file: Path, named_by: str) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise BadSettings(f"{named_by} names {file}, which can’t be read: {reason}.") from None


def known_variable_names() -> frozenset[str]:
    """Return the names of all environment variables that are settings; others with the prefix are refused.

    >>> {"PORT", "PECKING_ORDER_PORT", "PECKING_ORDER_LIMITS__SOCKETS"} <= known_variable_names()
    True
    """
    names = {name for field in Settings.model_fields for name in _variable_names(field)}
    files = {f"{name}_FILE" for field in SECRETS for name in _variable_names(field)}
    return frozenset({*names, *files, *(f"{PREFIX}LIMITS__{limit.upper()}" for limit in Limits.model_fields), ENV_FILE})


def _variable_names(field: str) -> Iterator[str]:
    """Yield the names of the environment variables that set one field of `Settings`, highest precedence first."""
    yield f"{PREFIX}{field.upper()}"
    alias = Settings.model_fields[field].validation_alias
    if isinstance(alias, AliasChoices):
        yield from (name for name in map(str, alias.choices) if name.isupper() and not name.startswith(PREFIX))


def _unknown_setting_message(name: str) -> str:
    current = FORMER_NAMES.get(name.upper().removeprefix(PREFIX))
    if current is not None:
        return f"{name} is now {PREFIX}{current}."
    known = {each.removeprefix(PREFIX): each for each in sorted(known_variable_names())}
    near = get_close_matches(name.upper().removeprefix(PREFIX), known, n=1)
    meant = f"did you mean {known[near[0]]}?" if near else "`pecking-order config` shows all settings."
    return f"There is no setting {name}: {meant}"


def _setting_error_message(details: ErrorDetails, variables: Mapping[str, str]) -> str:
    """Return a sentence about one invalid setting: the variable that was set, its value, and what is expected.

    `details` is the error from pydantic, `variables` are all that are set.
    """
    field, *inner = (str(part) for part in details["loc"])
    field = field.lower().removeprefix(PREFIX.lower())
    called = next((name for name in _variable_names(field) if variables.get(name)), f"{PREFIX}{field.upper()}")
    called = "__".join([called, *inner]).upper()
    if details["type"] == "value_error":
        return f"{called}: {details['ctx']['error']}."
    return f"{called} is “{details['input']}”, but should be {_expected_value(details)}."


def _expected_value(error: ErrorDetails) -> str:
    limits = error.get("ctx", {})
    match error["type"]:
        case "int_parsing" | "int_from_float":
            return "a whole number"
        case "float_parsing":
            return "a number"
        case "bool_parsing":
            return "true or false"
        case "literal_error":
            return str(limits["expected"]).replace("'", "")
        case "greater_than_equal":
            return f"at least {limits['ge']:g}"
        case "less_than_equal":
            return f"at most {limits['le']:g}"
        case "finite_number":
            return "a finite number"
        case "greater_than":
            return f"more than {limits['gt']:g}"
        case _:
            return error["msg"].removeprefix("Input should be ")


def _split_list(value: Any) -> list[Any]:
    if isinstance(value, str):
        return [word.strip() for word in value.split(",") if word.strip()]
    return list(value)


def _check_host(name: str) -> str:
    if not re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", name.lower()):
        raise ValueError(f"“{name}” is not a host such as push.example.org")
    return name.lower()


def _parse_network(text: Any) -> Network:
    try:
        return ip_network(text, strict=False)
    except ValueError:
        raise ValueError(
            f"“{text}” is not an address such as 10.0.0.7 or 172.16.0.0/12. "
            "Separate addresses by commas; names can’t be used"
        ) from None


def normalize_origin(url: str) -> str:
    """Return scheme, host and port of a URL in the form of a browser's Origin header, so that both can be compared.

    Raises ValueError if the URL has a path, or is not http or https.

    >>> normalize_origin("https://Cards.example.org:443/")
    'https://cards.example.org'
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"“{url}” is not an address such as https://cards.example.org")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError(f"“{url}” must not have a path: Pecking Order lives at the root of its host")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    default = {"http": 80, "https": 443}[parts.scheme]
    try:
        port = parts.port
    except ValueError:
        raise ValueError(f"“{url}” should have a port between 0 and 65535, in digits") from None
    return f"{parts.scheme}://{host}" if port in (None, default) else f"{parts.scheme}://{host}:{port}"


def mask_password(url: str) -> str:
    """Return a database URL with its password replaced by ***, so that it can be shown.

    >>> mask_password("postgresql://ann:secret@db/cards")
    'postgresql://ann:***@db/cards'
    >>> mask_password("postgresql://db/cards?user=ann&password=secret")
    'postgresql://db/cards?user=ann&password=***'
    """
    scheme, separator, rest = url.partition("://")
    account, at, host = rest.rpartition("@")
    host = re.sub(r"(password=)[^&]*", r"\1***", host, flags=re.IGNORECASE)
    if not at or ":" not in account:
        return f"{scheme}{separator}{account}{at}{host}"
    return f"{scheme}{separator}{account.partition(':')[0]}:***@{host}"
