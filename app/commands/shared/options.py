"""Parse options of rules given to a command as KEY=VALUE."""

from typing import Any

import click
from msgspec import DecodeError, json


def parse_switch(text: str) -> tuple[str, Any]:
    """Parse KEY=VALUE: `passing=free`, `jokers=1`, `doubling=[]`. A value that is not JSON is used as text.

    >>> parse_switch("doubling=[]"), parse_switch("passing=free")
    (('doubling', []), ('passing', 'free'))
    """
    key, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{text!r}: an option is KEY=VALUE, such as passing=free.")
    try:
        return key, json.decode(value)
    except DecodeError:
        return key, value
