"""By which rule a play does not beat another in President: the first one without which it would.

It is tried, not told: the play and what lies there are read again with one switch turned to where it does nothing.
"""

from functools import lru_cache
from typing import Any, Final

from app.engine.base.options import Options, Switch, Value
from app.engine.cards.cards import Cards
from app.engine.climbing.combinations import KIND_OF_SET, Combination
from app.engine.games.president.combinations import beats, cards, poker_hands, sequences
from app.engine.games.president.combinations.beats import Beating
from app.engine.games.president.combinations.cards import CardMeanings

KEPT_TURNED: Final = 32
"""Readers of cards with one switch turned that are kept: enough for one refusal, some 30 kB each."""

_LIFTED: dict[Switch[Any], Value] = {
    beats.FOLLOW_SUIT: False,
    beats.SKIP_BEST: True,
    cards.TRANSPARENT: "",
    cards.THREES: "rank",
    cards.TWOS: "rank",
    cards.JOKER_ROLE: "rank",
    cards.HIGH_CARDS: "none",
    cards.POWER_CARDS: "none",
    cards.WILD_TIE: "equal",
    cards.JOKER_RANK: "equal",
    sequences.BEATS: "higher_top",
}
"""What each switch is turned to, in the order in which they are tried."""


_READ: dict[Switch[Any], Value] = {sequences.SUITS: "any", cards.WILD_SETS: "any"}
"""What each switch is turned to where it leaves cards no combination."""


def unread_by(options: Options, cards_: Cards, *, inverted: bool) -> str | None:
    """The id of the rule by which these cards are no combination."""
    for switch, value in _READ.items():
        if options[switch] != value and _beating(options.but(switch, value)).readings(cards_, None, inverted=inverted):
            return switch.id
    return None


def unbeaten_by(options: Options, new: Combination, on: Combination, *, inverted: bool) -> str:
    """The id of the rule by which one does not beat the other."""
    if inverted and _beating(options).beats(new, on, inverted=False):
        return beats.FOUR_OF_A_KIND.id
    for switch, value in _LIFTED.items():
        if options[switch] != value and _would_beat(options.but(switch, value), new, on, inverted=inverted):
            return switch.id
    if on.kind in KIND_OF_SET and new.kind in KIND_OF_SET:
        return beats.SET_SIZE.id
    poker = {new.kind, on.kind} & set(poker_hands.KINDS)
    return poker_hands.SWITCH.id if poker else sequences.SWITCH.id


def _would_beat(options: Options, new: Combination, on: Combination, *, inverted: bool) -> bool:
    lifted = _beating(options)
    there = lifted.readings(on.cards, None, inverted=inverted)
    # What lies there keeps the rank that it was played as, if it still has one of its own.
    lies = next((one for one in there if one.rank == on.rank), there[0] if there else on.but(role=""))
    return any(
        lifted.beats(one, lies, inverted=inverted) for one in lifted.readings(new.cards, lies, inverted=inverted)
    )


@lru_cache(KEPT_TURNED)
def _beating(options: Options) -> Beating:
    return Beating(CardMeanings(options), options)
