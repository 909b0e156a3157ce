"""Options that several commands share, options of a game as KEY=VALUE, and options with former names."""

from collections.abc import Callable
from typing import Any, Final

import click
from msgspec import DecodeError, json

database_option: Final = click.option("--database", help="DATABASE_URL. Default: the one in the settings.")
json_option: Final = click.option("--json", "as_json", is_flag=True, help="Print JSON for scripts.")
yes_option: Final = click.option("--yes", is_flag=True, help="Skip the confirmation.")


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
