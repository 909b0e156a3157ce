"""Titles [PRES-43]: what the places of a society are called, in nine themes or the host's own words."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from app.engine.base.messages import declare_titles
from app.engine.base.options import Options, Switch, Titles

T = TypeVar("T")

PLACES = ("First", "Second", "Middle", "Last but one", "Last")
"""What a list of titles names, in this order."""

_FIVE = {
    "president": ("President", "Vice-President", "Citizen", "Vice-Scum", "Scum"),
    "bga": ("President", "Prime Minister", "Citizen", "Peasant", "Beggar"),
    "king": ("King", "Vice-King", "Commoner", "Vice-Bastard", "Bastard"),
    "royal": ("King", "Minister", "Burgher", "Craftsman", "Peasant"),
    "work": ("Boss", "Foreman", "Worker", "Worker", "Bum"),
    "rich": ("Rich Man", "Squire", "Citizen", "Labourer", "Poor Man"),
    "warlord": ("Warlord", "Lieutenant", "Soldier", "Vice-Scumbag", "Scumbag"),
}

SWITCH = Switch(
    id="PRES-43",
    also="daifugō daihinmin tycoon 大富豪 大貧民 capitalism scum arsehole",
    key="titles",
    domain=Titles(
        {
            **{theme: " · ".join(dict.fromkeys(titles)) for theme, titles in _FIVE.items()},
            "merchant": "Landlord · Noble · Upper Merchant · Merchant · Lower Merchant · Peasant · Scum",
            "huberes": "Király · Nagybirtokos · Kisbirtokos · Nagyparaszt · Kisparaszt · Mocsár",
        },
        PLACES,
    ),
    default="president",
    sentence="What the places are called: a theme, or five titles of your own.",
    example="Captain, Mate, Sailor, Cook, Rat.",
)


def by_place(five: Sequence[T], count: int) -> list[T]:
    """What five of something give to so many places, two or more: with four there is no middle."""
    first, second, middle, fourth, last = five
    if count <= 3:
        return [first, *[middle] * (count - 2), last]
    return [first, second, *[middle] * (count - 4), fourth, last]


def _halves(upper: str, middle: str, lower: str, count: int) -> list[str]:
    """The middle places: upper half, maybe the very middle, lower half."""
    return [upper] * (count // 2) + [middle] * (count % 2) + [lower] * (count // 2)


def _merchant(count: int) -> list[str]:
    inner = _halves("Upper Merchant", "Merchant", "Lower Merchant", max(0, count - 4))
    return ["Landlord", "Merchant", "Scum"] if count == 3 else ["Landlord", "Noble", *inner, "Peasant", "Scum"]


def _huberes(count: int) -> list[str]:
    if count == 3:
        return ["Király", "Kisbirtokos", "Mocsár"]
    middle = count - 4
    inner = ["Kisbirtokos"] * ((middle + 1) // 2) + ["Nagyparaszt"] * (middle // 2)
    return ["Király", "Nagybirtokos", *inner, "Kisparaszt", "Mocsár"]


declare_titles(title for theme in _FIVE.values() for title in theme)
declare_titles(title for count in (7, 8) for title in (*_merchant(count), *_huberes(count)))
"""What the themes call people; what a host makes up stays as it is."""

_THEMES: dict[str, Callable[[int], list[str]]] = {"merchant": _merchant, "huberes": _huberes}


def titles(theme: str | Sequence[str], standing: Sequence[str]) -> dict[str, str]:
    """Everybody's title by their place in a standing."""
    count = len(standing)
    if count < 3:
        # Between hands fewer may be left than can play on.
        three = list(titles(theme, ("", " ", "  ")).values())
        return dict(zip(standing, (three[0], three[-1]), strict=False))
    if not isinstance(theme, str):
        names = by_place(theme, count)
    else:
        names = by_place(_FIVE[theme], count) if theme in _FIVE else _THEMES[theme](count)
    return dict(zip(standing, names, strict=True))


def of(options: Options, standing: Sequence[str]) -> dict[str, str]:
    """Everybody's title by the theme of a match."""
    return titles(options[SWITCH], standing)
