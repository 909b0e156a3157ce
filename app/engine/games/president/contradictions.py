"""Switches of President that contradict each other, with the reason that a host is told."""

from collections.abc import Callable

from app.engine.options import Conflict, Options


def _toronto(key: str, default: object) -> Conflict:
    def clash(options: Options) -> bool:
        return bool(options.power_cards == "toronto" and options[key] != default)

    return Conflict(("power_cards", key), clash, "Toronto has its own order and powers, so this stays at its default")


def _common(one: str, other: str, because: str) -> Conflict:
    def clash(options: Options) -> bool:
        return bool(set(options[one]) & set(options[other]))

    return Conflict((one, other), clash, because)


def _threes_high(key: str, clash: Callable[[Options], bool], because: str) -> Conflict:
    return Conflict(("threes", key), lambda options: options.threes == "high" and clash(options), because)


def _twos(key: str, clash: Callable[[Options], bool], because: str) -> Conflict:
    return Conflict(("twos", key), lambda options: options.twos != "rank" and clash(options), because)


CONFLICTS = (
    _toronto("rank_order", "two_high"),
    _toronto("twos", "rank"),
    _toronto("high_cards", "none"),
    _toronto("four_of_a_kind", "normal"),
    _toronto("sequences", "none"),
    _toronto("poker_hands", False),
    _common("wild_ranks", "transparent", "a rank is wild or transparent, not both"),
    _common("wild_ranks", "strip", "a wild rank must be in the pack"),
    _common("transparent", "strip", "a transparent rank must be in the pack"),
    _threes_high("transparent", lambda o: bool(o.transparent), "with high threes it is fours that are transparent"),
    _threes_high("high_cards", lambda o: o.high_cards != "none", "high threes leave no place for other high cards"),
    _threes_high("strip", lambda o: bool(set("34") & set(o.strip)), "threes and fours must be in the pack"),
    _threes_high("wild_ranks", lambda o: bool(set("34") & set(o.wild_ranks)), "threes and fours have their own power"),
    _threes_high("rank_order", lambda o: o.rank_order != "two_high", "high threes belong to the order with two high"),
    Conflict(
        ("middle", "exchange"),
        lambda options: options.middle == "trade" and options.exchange == "ladder",
        "the ladder already pairs the two in the middle",
    ),
    _twos("wild_ranks", lambda o: "2" in o.wild_ranks, "a two with a power can’t be wild"),
    _twos("strip", lambda o: "2" in o.strip, "a two with a power must be in the pack"),
    _twos("rank_order", lambda o: o.rank_order == "ace_high", "with the ace high, twos are the lowest rank"),
    Conflict(
        ("faults", "dealer"),
        lambda options: options.faults and options.dealer != "top",
        "it is the top who deals by hand",
    ),
)
