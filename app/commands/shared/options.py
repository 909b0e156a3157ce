"""Options of a game given to a command as KEY=VALUE, and command-line options with former names."""

from collections.abc import Callable
from typing import Any

import click
from msgspec import DecodeError, json


def parse_option(text: str) -> tuple[str, Any]:
    """Parse KEY=VALUE: `passing=free`, `jokers=1`, `doubling=[]`. A value that is not JSON is used as text.

    >>> parse_option("doubling=[]"), parse_option("passing=free")
    (('doubling', []), ('passing', 'free'))
    """
    key, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{text!r}: an option is KEY=VALUE, such as passing=free.")
    try:
        return key, json.decode(value)
    except DecodeError:
        return key, value


def former_option(former: str, current: str, *, is_flag: bool = False) -> Callable[[Any], Any]:
    """Return a decorator that refuses a former command-line option with an error that states the new name."""

    def refuse(_context: click.Context, _parameter: click.Parameter, value: object) -> None:
        if value:
            raise click.UsageError(f"{former} is now {current}.")

    return click.option(former, is_flag=is_flag, hidden=True, expose_value=False, is_eager=True, callback=refuse)
