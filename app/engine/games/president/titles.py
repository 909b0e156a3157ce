"""Titles [PRES-43]: names for the places in the hierarchy, from nine themes or the host's own list."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from app.engine.base.messages import declare_titles
from app.engine.base.options import Option, Options, Titles

T = TypeVar("T")

PLACES = ("First", "Second", "Middle", "Second-last", "Last")
"""The places that a list of titles names, in this order."""

_FIVE_TITLES = {
    "president": ("President", "Vice-President", "Citizen", "Vice-Scum", "Scum"),
    "bga": ("President", "Prime Minister", "Citizen", "Peasant", "Beggar"),
    "king": ("King", "Vice-King", "Commoner", "Vice-Bastard", "Bastard"),
    "royal": ("King", "Minister", "Burgher", "Craftsman", "Peasant"),
    "work": ("Boss", "Foreman", "Worker", "Worker", "Bum"),
    "rich": ("Rich Man", "Squire", "Citizen", "Labourer", "Poor Man"),
    "warlord": ("Warlord", "Lieutenant", "Soldier", "Vice-Scumbag", "Scumbag"),
}

SWITCH = Option(
    id="PRES-43",
    also="daifugō daihinmin tycoon 大富豪 大貧民 capitalism scum arsehole",
    key="titles",
    domain=Titles(
        {
            **{theme: " · ".join(dict.fromkeys(titles)) for theme, titles in _FIVE_TITLES.items()},
            "merchant": "Landlord · Noble · Upper Merchant · Merchant · Lower Merchant · Peasant · Scum",
            "huberes": "Király · Nagybirtokos · Kisbirtokos · Nagyparaszt · Kisparaszt · Mocsár",
        },
        PLACES,
    ),
    default="president",
    sentence="Sets the titles of the places: a theme, or five titles of your own.",
    example="Your own titles could be Captain, Mate, Sailor, Cook, Rat.",
)


def spread_over_places(five: Sequence[T], count: int) -> list[T]:
    """Return five items, such as titles, spread over `count` places (two or more), first to last.

    The third is repeated for more than five. Up to four players have fewer different items.
    """
    first, second, middle, fourth, last = five
    if count <= 3:
        return [first, *[middle] * (count - 2), last]
    return [first, second, *[middle] * (count - 4), fourth, last]


def _titles_of_middle_places(upper: str, middle: str, lower: str, count: int) -> list[str]:
    """Return titles for the middle places of a hierarchy: upper half, the exact middle if there is one, lower half."""
    return [upper] * (count // 2) + [middle] * (count % 2) + [lower] * (count // 2)


def _merchant_titles(count: int) -> list[str]:
    inner = _titles_of_middle_places("Upper Merchant", "Merchant", "Lower Merchant", max(0, count - 4))
    return ["Landlord", "Merchant", "Scum"] if count == 3 else ["Landlord", "Noble", *inner, "Peasant", "Scum"]


def _huberes_titles(count: int) -> list[str]:
    if count == 3:
        return ["Király", "Kisbirtokos", "Mocsár"]
    middle = count - 4
    inner = ["Kisbirtokos"] * ((middle + 1) // 2) + ["Nagyparaszt"] * (middle // 2)
    return ["Király", "Nagybirtokos", *inner, "Kisparaszt", "Mocsár"]


declare_titles(title for theme in _FIVE_TITLES.values() for title in theme)
declare_titles(title for count in (7, 8) for title in (*_merchant_titles(count), *_huberes_titles(count)))
"""Only titles of themes are translated; a host's own titles are not."""

_TITLES_BY_THEME: dict[str, Callable[[int], list[str]]] = {"merchant": _merchant_titles, "huberes": _huberes_titles}


def titles_by_player(theme: str | Sequence[str], standing: Sequence[str]) -> dict[str, str]:
    """Return each player's title by their place in a standing, by a theme or the host's own list of five.

    `standing` is best first. With two players these are the first and the last title, and with one the first.
    """
    count = len(standing)
    if count < 3:
        # Between hands, fewer players may be left than a hand needs.
        three = list(titles_by_player(theme, ("", " ", "  ")).values())
        return dict(zip(standing, (three[0], three[-1]), strict=False))
    if not isinstance(theme, str):
        names = spread_over_places(theme, count)
    else:
        names = (
            spread_over_places(_FIVE_TITLES[theme], count) if theme in _FIVE_TITLES else _TITLES_BY_THEME[theme](count)
        )
    return dict(zip(standing, names, strict=True))


def titles_for_options(options: Options, standing: Sequence[str]) -> dict[str, str]:
    """Return each player's title in President by the theme in the options; `standing` is best first."""
    return titles_by_player(options[SWITCH], standing)
