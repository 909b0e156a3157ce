"""How a switch is given to a command: KEY=VALUE."""

from typing import Any

import click
from msgspec import DecodeError, json


def switch(text: str) -> tuple[str, Any]:
    """Read a switch: `passing=free`, `jokers=1`, `doubling=[]`. What is no JSON is the value itself.

    >>> switch("doubling=[]"), switch("passing=free")
    (('doubling', []), ('passing', 'free'))
    """
    key, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{text!r}: a switch is KEY=VALUE, such as passing=free.")
    try:
        return key, json.decode(value)
    except DecodeError:
        return key, value
