"""What a climbing game lays open of a hand, and what it tells one player alone: which keys, and what fills them.

The sentence beside a key goes into the protocol's description. A game that shows more derives its own from these.
"""

from collections.abc import Collection, Iterable
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from msgspec.structs import replace

from app.engine.base.messages import Sentence
from app.engine.cards.cards import show
from app.engine.climbing import choices
from app.engine.climbing.choices import ChoiceShown
from app.engine.climbing.exchange import Exchange, Gift, Which
from app.engine.climbing.rule_hooks import HandState, Rules
from app.engine.climbing.state import Laid
from app.engine.display.table_display import (
    AtSeat,
    Face,
    Line,
    OwnFace,
    Panel,
    line,
    listed,
    own_face,
    particulars,
    text,
    together,
)

_As = TypedDict("_As", {"as": NotRequired[Annotated[str, "The rank or the like that it counts as, if it has one."]]})


class TrickPlay(_As):
    """One play of a trick."""

    by: Annotated[str, "Who played it."]
    cards: Annotated[str, "Such as “7c 7d”."]
    kind: Annotated[str, "What it counts as: `single`, `pair` …"]
    call: NotRequired[Annotated[str, "What was called with it."]]


class TrickShown(TypedDict):
    """A trick under way."""

    plays: Annotated[list[TrickPlay], "In order; the last is to be beaten."]
    passed: Annotated[list[str], "Those whose latest act in this trick was a pass."]
    barred: Annotated[list[str], "Those who may not act again before it is over."]


_From = TypedDict("_From", {"from": Annotated[str, "Who gives."]})


class OwedGift(_From):
    """What one player owes another in an exchange."""

    to: Annotated[str, "Who gets it."]
    count: Annotated[int, "How many cards."]
    which: Annotated[Which, "Which cards of the giver’s."]
    chosen: Annotated[bool, "Whether the cards are chosen; of gifts that are chosen unseen, once they are given."]
    done: Annotated[bool, "Whether they have changed hands."]


class Gifts(TypedDict):
    """An exchange."""

    gifts: Annotated[list[OwedGift], "Every gift of this hand."]


class Moving(TypedDict):
    """What any action may change of a hand."""

    turn: Annotated[str | None, "Whose turn it is to play or pass; null outside play."]
    trick: Annotated[TrickShown | None, "What lies on the table; null before a lead."]
    choice: Annotated[ChoiceShown | None, "What has to be chosen in mid-trick by who is to act (PRES-65, 66, 69)."]


class ClimbingTable(Moving):
    """What everybody may know of a hand."""

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
    """A gift that this seat still has to choose."""

    to: Annotated[str, "Who gets it."]
    count: Annotated[int, "How many cards."]
    which: Annotated[Which, "Which cards."]


class ClimbingOwn(OwnFace):
    """What one player may know besides their cards and legal actions."""

    owes: Annotated[list[Owed] | None, "The gifts to be chosen now, in one action for all of them."]


def table(hand: HandState) -> ClimbingTable:
    """What everybody may know of the hand."""
    rules = hand.rules
    return {
        **moving(hand),
        "direction": 1 if hand.direction == 1 else -1,
        "inverted": hand.inverted,
        "turned": hand.trick.turned,
        "ranks": rules.ranks(hand),
        "wild": rules.wild(),
        "strong": rules.strong,
        "starter": hand.starter,
        "last_trick": _plays(hand.last_trick, rules) or None,
        "pile": show(hand.pile) if rules.keeps_pile else None,
        "pile_count": len(hand.pile),
        "exchange": None if hand.exchange is None else {"gifts": _gifts_shown(hand.exchange)},
    }


def makes_table(hand: HandState) -> tuple[object, ...]:
    """All that `table` but for `moving` is made of, in a trick: while each of these is the same, so is that."""
    turned = (hand.direction, hand.inverted, hand.trick.turned)
    return (hand.rules, hand.phase, hand.starter, hand.last_trick, hand.pile, hand.exchange, hand.memory, *turned)


def moving(hand: HandState) -> Moving:
    """What any action may change of it."""
    trick = hand.trick
    shown: TrickShown | None = None
    if trick.plays:
        plays = _plays(trick.plays, hand.rules)
        shown = {"plays": plays, "passed": list(trick.passed), "barred": sorted(trick.barred)}
    return {"turn": hand.turn, "trick": shown, "choice": choices.shown(hand) if hand.due else None}


def own(hand: HandState, player: str) -> ClimbingOwn:
    """What only this player may know: what they owe in an exchange, what they are to choose in mid-trick."""
    choice = choices.shown(hand) if player == hand.turn else None
    if choice is not None and hand.choice is not None:
        asked = own_face(choices.YOUR_CHOICE(what=choices.in_words_of(hand, hand.choice)))
        asked["particulars"][choice["do"]] = particulars(choice["least"], choice["most"])
        return {**together([asked, hand.rules.shows(hand, player)]), "owes": None}
    if hand.exchange is None or hand.phase != "exchange":
        return {**hand.rules.shows(hand, player), "owes": None}
    gifts = [hand.exchange.gifts[place] for place in hand.exchange.pending(player)]
    owes: list[Owed] = [{"to": gift.taker, "count": gift.count, "which": gift.which} for gift in gifts]
    return {**hand.rules.shows(hand, player), "owes": owes or None}


def face(hand: HandState | None) -> Face:
    """What the table shows of a hand."""
    shows: Face = {"middle": "trick", "panels": [], "signs": [], "asked": None, "late": None, "tally": None}
    if hand is None:
        return shows
    if hand.phase == "exchange" and hand.exchange is not None and hand.exchange.gifts:
        shows["panels"].append(_gifts(hand.exchange))
    shows["panels"] += hand.rules.panels(hand)
    if shows["panels"]:
        shows["middle"] = "panels"
    shows["signs"] = [sign.to_json() for sign in hand.rules.signs(hand)]
    waits_for = hand.rules.waits_for(hand)
    if hand.choice is not None:
        waits_for = choices.THEIR_CHOICE(name=hand.to_act[0], what=choices.in_words_of(hand, hand.choice))
    shows["asked"] = None if waits_for is None else text(waits_for)
    return shows


_PLAYS: AtSeat = {"state": None, "counter": None, "lies": None}
_PASSED: AtSeat = {**_PLAYS, "state": "passed"}
_OUT: AtSeat = {**_PLAYS, "state": "out"}


def at_seats(hand: HandState | None, players: Collection[str]) -> dict[str, AtSeat]:
    """Who is out, and who has passed and may not be asked again."""
    if hand is None:
        return dict.fromkeys(players, _PLAYS)
    out, passed = hand.rules.standing(hand), (*hand.trick.passed, *hand.trick.barred)
    return {name: _OUT if name in out else _PASSED if name in passed else _PLAYS for name in players}


EXCHANGE = Sentence("exchange.title", "The exchange")
GIVES: dict[Which, Sentence] = {
    "any": Sentence("exchange.gift", {"one": "{giver} gives {to} a card", "other": "{giver} gives {to} {count} cards"}),
    "best": Sentence(
        "exchange.gift.best",
        {"one": "{giver} gives {to} the best card", "other": "{giver} gives {to} the {count} best cards"},
    ),
    "worst": Sentence(
        "exchange.gift.worst",
        {"one": "{giver} gives {to} the worst card", "other": "{giver} gives {to} the {count} worst cards"},
    ),
}
GIVEN = Sentence("exchange.done", "given")
CHOSEN = Sentence("exchange.chosen", "chosen")
CHOOSING = Sentence("exchange.waits", "choosing …")


def _gifts(exchange: Exchange) -> Panel:
    """Who gives whom what."""
    return listed("exchange", EXCHANGE(), [_gift_line(gift) for gift in _as_others_know(exchange)])


def _gifts_shown(exchange: Exchange) -> list[OwedGift]:
    return [_gift(gift) for gift in _as_others_know(exchange)]


def _as_others_know(exchange: Exchange) -> list[Gift]:
    """Return the gifts with none chosen that is chosen unseen, until it is given."""
    unseen = exchange.unseen()
    return [replace(gift, chosen=None) if at in unseen else gift for at, gift in enumerate(exchange.gifts)]


def _gift_line(gift: Gift) -> Line:
    says = GIVES[gift.which](giver=gift.giver, to=gift.taker, count=gift.count)
    state = GIVEN if gift.delivered else CHOOSING if gift.chosen is None else CHOSEN
    return line(f"{gift.giver}>{gift.taker}", says, state(), done=gift.delivered)


def _plays(plays: Iterable[Laid], rules: Rules) -> list[TrickPlay]:
    """Plays as the table shows them: each with the rank it counts as, if it has one."""
    named = rules.named
    shown: list[Any] = [laid.shown(named) for laid in plays]
    return shown


def _gift(gift: Gift) -> OwedGift:
    return {
        "from": gift.giver,
        "to": gift.taker,
        "count": gift.count,
        "which": gift.which,
        "chosen": gift.chosen is not None,
        "done": gift.delivered,
    }
