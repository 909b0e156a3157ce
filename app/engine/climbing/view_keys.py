"""Views of a climbing hand: the public keys, the keys for one player alone, and the functions that fill them.

The text beside each key goes into the protocol's description. A game that shows more extends these types.
"""

from collections.abc import Collection, Iterable
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from msgspec.structs import replace

from app.engine.base.messages import MessageTemplate
from app.engine.cards.cards import format_cards
from app.engine.climbing import choices
from app.engine.climbing.choices import ChoiceView
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

_As = TypedDict(
    "_As",
    {"as": NotRequired[Annotated[str, "The rank or cards that the play counts as. Missing if it is always the same."]]},
)


class TrickPlay(_As):
    """A play in a trick."""

    by: Annotated[str, "The name of the player."]
    cards: Annotated[str, "The played cards, such as “7c 7d”."]
    kind: Annotated[str, "The kind of combination: `single`, `pair` …"]
    call: NotRequired[Annotated[str, "The rank or suit that the player called with the play."]]


class TrickView(TypedDict):
    """The current trick."""

    plays: Annotated[list[TrickPlay], "All plays in order. The next play must beat the last one."]
    passed: Annotated[list[str], "Players whose last action in this trick was a pass."]
    barred: Annotated[list[str], "Players who may not act again in this trick."]
    pass_bars: NotRequired[Annotated[bool, "Present and true if a pass bars its player."]]


_From = TypedDict("_From", {"from": Annotated[str, "The name of the giver."]})


class GiftView(_From):
    """Cards that one player gives another in an exchange."""

    to: Annotated[str, "The name of the receiver."]
    count: Annotated[int, "Number of cards to give."]
    which: Annotated[GiftSelection, "The kind of cards that the giver must give."]
    chosen: Annotated[bool, "Whether the giver has chosen. In a secret exchange, true only when the cards are given."]
    done: Annotated[bool, "Whether the cards have been given."]


class Gifts(TypedDict):
    """An exchange of cards after the deal, as everybody may know it."""

    gifts: Annotated[list[GiftView], "All gifts of this hand."]


class Moving(TypedDict):
    """The state of a hand that any action may change."""

    turn: Annotated[str | None, "The player whose turn it is to play or pass; null: no turn now."]
    trick: Annotated[TrickView | None, "The current trick; null before the lead."]
    choice: Annotated[
        ChoiceView | None, "The choice that the player must make before the turn ends (PRES-65, 66, 69); null: none."
    ]


class ClimbingTable(Moving):
    """The public view of a hand of a climbing game."""

    direction: Annotated[Literal[1, -1], "1: clockwise, the order of `seats`; -1: counterclockwise."]
    inverted: Annotated[bool, "Whether the order of ranks is inverted."]
    inverted_for_trick: Annotated[bool, "Whether the order of ranks is inverted again, but only until the trick ends."]
    ranks: Annotated[str, "The order of ranks now, low to high."]
    suits: Annotated[str, "The order of suits now, low to high; empty: suits don't decide between equal ranks."]
    suits_count: Annotated[bool, "Whether cards of one rank can differ in what they beat or what beats them."]
    order: Annotated[
        list[str],
        "Single cards, low to high. An element is a rank, `X` or a card; equal ones share an element, as in `2 3 X`.",
    ]
    special: Annotated[list[str], "Ranks, cards and `X` (jokers) of which the rules say more than `order` can."]
    wild: Annotated[str, "The wild ranks; may be empty."]
    strong: Annotated[str, "Cards that beat higher ranks by a special power."]
    starter: Annotated[str | None, "The player who leads the first trick; null: not known yet."]
    last_trick: Annotated[list[TrickPlay] | None, "The plays of the previous trick; null: none yet."]
    pile: Annotated[str | None, "The cards of finished tricks; null: they are hidden."]
    pile_count: Annotated[int, "Number of cards in finished tricks."]
    exchange: Annotated[Gifts | None, "The gifts of the exchange; null: no exchange in this hand."]


class GiftToChoose(TypedDict):
    """Cards that you still have to choose and give."""

    to: Annotated[str, "The name of the receiver."]
    count: Annotated[int, "Number of cards to give."]
    which: Annotated[GiftSelection, "The kind of cards that you must give."]


class ClimbingOwn(OwnFace):
    """The private view of a hand for its player, without cards and legal actions."""

    must_give: Annotated[
        list[GiftToChoose] | None, "The gifts that you must choose now, all in one action; null: none."
    ]


def table_view(hand: HandState) -> ClimbingTable:
    """Return the part of the public view that is particular to climbing games, as JSON: trick, ranks, pile and
    exchange.

    It holds nothing hidden. The players, their card counts and the match are added by
    `app.engine.match.views.table_view`.
    """
    rules = hand.rules
    return {
        **volatile_table_view(hand),
        "direction": 1 if hand.direction == 1 else -1,
        "inverted": hand.inverted,
        "inverted_for_trick": hand.trick.turned,
        "ranks": rules.ranks_low_to_high(hand),
        "suits": rules.suits_low_to_high(hand),
        "suits_count": rules.suits_count,
        "order": [*rules.single_card_order(hand)],
        "special": [*rules.special_cards(hand)],
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
    shown: TrickView | None = None
    if trick.plays:
        plays = _play_views(trick.plays, hand.rules)
        shown = {"plays": plays, "passed": list(trick.passed), "barred": sorted(trick.barred)}
        if hand.rules.pass_bars_player:
            shown["pass_bars"] = True
    return {"turn": hand.player_to_play, "trick": shown, "choice": choices.choice_view(hand) if hand.due else None}


def private_view(hand: HandState, player: str) -> ClimbingOwn:
    """Return the private view of one player as JSON: gifts owed, an open choice in mid-trick, and what rules show."""
    choice = choices.choice_view(hand) if player == hand.player_to_play else None
    if choice is not None and hand.open_choice is not None:
        display = player_display(choices.choice_message(hand, hand.open_choice))
        display["action_limits"][choice["do"]] = action_limits(choice["least"], choice["most"])
        return {**merge_player_displays([display, hand.rules.private_display(hand, player)]), "must_give": None}
    if hand.exchange is None or hand.phase != "exchange":
        return {**hand.rules.private_display(hand, player), "must_give": None}
    gifts = [hand.exchange.gifts[place] for place in hand.exchange.pending_gifts(player)]
    must_give: list[GiftToChoose] = [{"to": gift.taker, "count": gift.count, "which": gift.which} for gift in gifts]
    return {**hand.rules.private_display(hand, player), "must_give": must_give or None}


def table_display(hand: HandState | None) -> Face:
    """Return what everybody's view shows in the middle of the table: the trick, or panels such as the exchange.

    It has also the badges of rules in force, and a text naming the action that all wait for, if a rule has one.
    Without a hand, it is an empty trick.
    """
    shows: Face = {"middle": "trick", "panels": [], "signs": [], "prompt": None, "newcomers_text": None, "tally": None}
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
    shows["prompt"] = None if waits_for is None else text_to_json(waits_for)
    return shows


_SEAT_PLAYING: AtSeat = {"state": None, "counter": None, "table_card": None}
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


def _gift_views(exchange: Exchange) -> list[GiftView]:
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


def _gift_view(gift: Gift) -> GiftView:
    return {
        "from": gift.giver,
        "to": gift.taker,
        "count": gift.count,
        "which": gift.which,
        "chosen": gift.chosen is not None,
        "done": gift.delivered,
    }
