"""Views of a climbing hand: the public keys, the keys for one player alone, and the functions that fill them.

The text beside each key goes into the protocol's description. A game that shows more extends these types.
"""

from collections.abc import Collection, Iterable
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from msgspec.structs import replace

from app.engine.base.messages import MessageTemplate
from app.engine.cards.cards import format_cards
from app.engine.climbing import choices
from app.engine.climbing.choices import ChoiceShown
from app.engine.climbing.exchange import Exchange, Gift, GiftSelection
from app.engine.climbing.rule_hooks import ClimbingRules, HandState
from app.engine.climbing.state import PlayedCombination
from app.engine.display.table_display import (
    AtSeat,
    Face,
    Line,
    OwnFace,
    Panel,
    action_limits,
    merge_player_displays,
    panel_line,
    player_display,
    text_panel,
    text_to_json,
)

_As = TypedDict("_As", {"as": NotRequired[Annotated[str, "The rank or the like that it counts as, if it has one."]]})


class TrickPlay(_As):
    """One play of a trick, in the public view."""

    by: Annotated[str, "Who played it."]
    cards: Annotated[str, "Such as “7c 7d”."]
    kind: Annotated[str, "What it counts as: `single`, `pair` …"]
    call: NotRequired[Annotated[str, "What was called with it."]]


class TrickShown(TypedDict):
    """A trick under way, in the public view."""

    plays: Annotated[list[TrickPlay], "In order; the last is to be beaten."]
    passed: Annotated[list[str], "Those whose latest act in this trick was a pass."]
    barred: Annotated[list[str], "Those who may not act again before it is over."]


_From = TypedDict("_From", {"from": Annotated[str, "Who gives."]})


class OwedGift(_From):
    """A gift that one player owes another in an exchange, as everybody may know it."""

    to: Annotated[str, "Who gets it."]
    count: Annotated[int, "How many cards."]
    which: Annotated[GiftSelection, "Which cards of the giver’s."]
    chosen: Annotated[bool, "Whether the cards are chosen; of gifts that are chosen unseen, once they are given."]
    done: Annotated[bool, "Whether they have changed hands."]


class Gifts(TypedDict):
    """An exchange of cards after the deal, as everybody may know it."""

    gifts: Annotated[list[OwedGift], "Every gift of this hand."]


class Moving(TypedDict):
    """The part of the public view of a hand that any action may change."""

    turn: Annotated[str | None, "Whose turn it is to play or pass; null outside play."]
    trick: Annotated[TrickShown | None, "What lies on the table; null before a lead."]
    choice: Annotated[ChoiceShown | None, "What has to be chosen in mid-trick by who is to act (PRES-65, 66, 69)."]


class ClimbingTable(Moving):
    """What everybody may know of a hand of a climbing game."""

    direction: Annotated[Literal[1, -1], "1: clockwise, the order of `seats`; -1: against it."]
    inverted: Annotated[bool, "Whether the ranks are upside down."]
    turned: Annotated[bool, "Whether the ranks are turned till the trick ends: after it they are the other way up."]
    ranks: Annotated[str, "From low to high, as in force now."]
    wild: Annotated[str, "Ranks that are wild."]
    strong: Annotated[
        str, "Cards that beat higher ones by a power of their own, and so are worth more than their rank."
    ]
    starter: Annotated[str | None, "Who leads the first trick, once that is known."]
    last_trick: Annotated[list[TrickPlay] | None, "The plays of the trick before."]
    pile: Annotated[str | None, "The cards of finished tricks, where they stay visible; else null."]
    pile_count: Annotated[int, "How many cards finished tricks have left."]
    exchange: Annotated[Gifts | None, "Who gives whom how many cards, in a hand that has gifts."]


class Owed(TypedDict):
    """A gift that this player still has to choose in the exchange."""

    to: Annotated[str, "Who gets it."]
    count: Annotated[int, "How many cards."]
    which: Annotated[GiftSelection, "Which cards."]


class ClimbingOwn(OwnFace):
    """What one player may know of a hand apart from their cards and legal actions."""

    owes: Annotated[list[Owed] | None, "The gifts to be chosen now, in one action for all of them."]


def table_view(hand: HandState) -> ClimbingTable:
    """Return the public view of a hand as JSON: what all players and spectators may see."""
    rules = hand.rules
    return {
        **volatile_table_view(hand),
        "direction": 1 if hand.direction == 1 else -1,
        "inverted": hand.inverted,
        "turned": hand.trick.turned,
        "ranks": rules.ranks_low_to_high(hand),
        "wild": rules.wild_ranks(),
        "strong": rules.strong,
        "starter": hand.starter,
        "last_trick": _play_views(hand.last_trick, rules) or None,
        "pile": format_cards(hand.pile) if rules.keeps_pile else None,
        "pile_count": len(hand.pile),
        "exchange": None if hand.exchange is None else {"gifts": _gift_views(hand.exchange)},
    }


def table_cache_key(hand: HandState) -> tuple[object, ...]:
    """Return all values that the public view depends on during a trick, apart from `volatile_table_view`.

    While they are equal, the server sends the cached view.
    """
    turned = (hand.direction, hand.inverted, hand.trick.turned)
    return (hand.rules, hand.phase, hand.starter, hand.last_trick, hand.pile, hand.exchange, hand.memory, *turned)


def volatile_table_view(hand: HandState) -> Moving:
    """Return the part of the public view that any action may change: turn, trick and open choice."""
    trick = hand.trick
    shown: TrickShown | None = None
    if trick.plays:
        plays = _play_views(trick.plays, hand.rules)
        shown = {"plays": plays, "passed": list(trick.passed), "barred": sorted(trick.barred)}
    return {"turn": hand.player_to_play, "trick": shown, "choice": choices.choice_view(hand) if hand.due else None}


def private_view(hand: HandState, player: str) -> ClimbingOwn:
    """Return the private view of one player as JSON: gifts owed, an open choice in mid-trick, and what rules show."""
    choice = choices.choice_view(hand) if player == hand.player_to_play else None
    if choice is not None and hand.open_choice is not None:
        asked = player_display(choices.choice_message(hand, hand.open_choice))
        asked["particulars"][choice["do"]] = action_limits(choice["least"], choice["most"])
        return {**merge_player_displays([asked, hand.rules.private_display(hand, player)]), "owes": None}
    if hand.exchange is None or hand.phase != "exchange":
        return {**hand.rules.private_display(hand, player), "owes": None}
    gifts = [hand.exchange.gifts[place] for place in hand.exchange.pending_gifts(player)]
    owes: list[Owed] = [{"to": gift.taker, "count": gift.count, "which": gift.which} for gift in gifts]
    return {**hand.rules.private_display(hand, player), "owes": owes or None}


def table_display(hand: HandState | None) -> Face:
    """Return what everybody's view shows in the middle of the table: the trick, or panels such as the exchange.

    It has also the badges of rules in force, and a text naming the action that all wait for, if a rule has one.
    Without a hand, it is an empty trick.
    """
    shows: Face = {"middle": "trick", "panels": [], "signs": [], "asked": None, "late": None, "tally": None}
    if hand is None:
        return shows
    if hand.phase == "exchange" and hand.exchange is not None and hand.exchange.gifts:
        shows["panels"].append(_exchange_panel(hand.exchange))
    shows["panels"] += hand.rules.panels(hand)
    if shows["panels"]:
        shows["middle"] = "panels"
    shows["signs"] = [sign.to_json() for sign in hand.rules.badges(hand)]
    waits_for = hand.rules.waiting_message(hand)
    if hand.open_choice is not None:
        waits_for = choices.waiting_message(hand, hand.open_choice)
    shows["asked"] = None if waits_for is None else text_to_json(waits_for)
    return shows


_SEAT_PLAYING: AtSeat = {"state": None, "counter": None, "lies": None}
_SEAT_PASSED: AtSeat = {**_SEAT_PLAYING, "state": "passed"}
_SEAT_OUT: AtSeat = {**_SEAT_PLAYING, "state": "out"}


def seat_displays(hand: HandState | None, players: Collection[str]) -> dict[str, AtSeat]:
    """Return what is shown at each player's seat: whether they are out, or have passed in the current trick."""
    if hand is None:
        return dict.fromkeys(players, _SEAT_PLAYING)
    out, passed = hand.rules.standing(hand), (*hand.trick.passed, *hand.trick.barred)
    return {name: _SEAT_OUT if name in out else _SEAT_PASSED if name in passed else _SEAT_PLAYING for name in players}


EXCHANGE = MessageTemplate("exchange.title", "Card exchange")
GIVES: dict[GiftSelection, MessageTemplate] = {
    "any": MessageTemplate(
        "exchange.gift", {"one": "{giver} gives {to} a card", "other": "{giver} gives {to} {count} cards"}
    ),
    "best": MessageTemplate(
        "exchange.gift.best",
        {"one": "{giver} gives {to} the best card", "other": "{giver} gives {to} the {count} best cards"},
    ),
    "worst": MessageTemplate(
        "exchange.gift.worst",
        {"one": "{giver} gives {to} the worst card", "other": "{giver} gives {to} the {count} worst cards"},
    ),
}
GIVEN = MessageTemplate("exchange.done", "given")
CHOSEN = MessageTemplate("exchange.chosen", "chosen")
CHOOSING = MessageTemplate("exchange.waits", "choosing …")


def _exchange_panel(exchange: Exchange) -> Panel:
    """Return the panel in the middle of the table that lists each gift of the exchange, as everybody may know it.

    A line has giver, receiver, number of cards and state.
    """
    return text_panel("exchange", EXCHANGE(), [_gift_line(gift) for gift in _publicly_known_gifts(exchange)])


def _gift_views(exchange: Exchange) -> list[OwedGift]:
    return [_gift_view(gift) for gift in _publicly_known_gifts(exchange)]


def _publicly_known_gifts(exchange: Exchange) -> list[Gift]:
    """Return all gifts of the exchange as everybody may know them.

    For a secret gift it stays hidden whether it is chosen, until it is given.
    """
    unseen = exchange.secret_gifts()
    return [replace(gift, chosen=None) if at in unseen else gift for at, gift in enumerate(exchange.gifts)]


def _gift_line(gift: Gift) -> Line:
    says = GIVES[gift.which](giver=gift.giver, to=gift.taker, count=gift.count)
    state = GIVEN if gift.delivered else CHOOSING if gift.chosen is None else CHOSEN
    return panel_line(f"{gift.giver}>{gift.taker}", says, state(), done=gift.delivered)


def _play_views(plays: Iterable[PlayedCombination], rules: ClimbingRules) -> list[TrickPlay]:
    """Return plays as JSON for the public view, each with the rank it counts as, if it has one."""
    named = rules.reading_name
    shown: list[Any] = [laid.cached_view(named) for laid in plays]
    return shown


def _gift_view(gift: Gift) -> OwedGift:
    return {
        "from": gift.giver,
        "to": gift.taker,
        "count": gift.count,
        "which": gift.which,
        "chosen": gift.chosen is not None,
        "done": gift.delivered,
    }
