"""Choices in mid-trick: giving cards to the next player, discarding cards, or naming ranks that all must discard.

A rule requires a choice with the effect `RequireChoice`. This file defines the possible answers and their results.
The game loop (hand.py) decides when to ask and how play goes on.
"""

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Annotated, Any, TypedDict

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.cards.actions import Action, Bomb, Discard, Give
from app.engine.cards.cards import Cards, check_held, remove_cards
from app.engine.climbing.combinations import distinct_choices
from app.engine.climbing.effects import ChoiceKind, RequireChoice
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.events import GameEvent, GameEventType


class ChoiceView(TypedDict):
    """What a player must choose before the turn moves on."""

    do: Annotated[ChoiceKind, "The action: `give`, `discard` or `bomb`."]
    least: Annotated[int, "Minimum number of cards or ranks."]
    most: Annotated[int, "Maximum number of cards or ranks."]


ACTION_BY_KIND: dict[ChoiceKind, type[Action]] = {"give": Give, "discard": Discard, "bomb": Bomb}
ANSWER_ACTIONS = (Give, Discard, Bomb)
"""Types of the actions that answer a choice."""


def choice_view(hand: HandState) -> ChoiceView | None:
    """Return the open mid-trick choice as JSON, with the lowest and highest number to choose; None if none is open."""
    choice = hand.open_choice
    if choice is None:
        return None
    least, most = _choice_limits(hand, choice)
    return {"do": choice.do, "least": least, "most": most}


def _choice_limits(hand: HandState, choice: RequireChoice) -> tuple[int, int]:
    there = len(hand.rules.deck_ranks()) if choice.do == "bomb" else len(hand.cards[hand.to_act[0]])
    most = min(choice.count, there)
    return (most if choice.exactly else 0), most


def possible_answers(hand: HandState, choice: RequireChoice) -> Iterator[Action]:
    """Yield every legal answer to a mid-trick choice once: small numbers of cards first, ranks from low to high."""
    least, most = _choice_limits(hand, choice)
    for size in range(least, most + 1):
        if choice.do == "bomb":
            yield from (Bomb("".join(ranks)) for ranks in combinations(hand.rules.deck_ranks(), size))
        else:
            yield from (
                _answer_with_cards(choice, cards) for cards in distinct_choices(hand.cards[hand.to_act[0]], size)
            )


def _answer_with_cards(choice: RequireChoice, cards: Cards) -> Action:
    return Give(cards) if choice.do == "give" else Discard(cards)


def forced_answer(hand: HandState, choice: RequireChoice) -> Action | None:
    """Return the only possible answer to a mid-trick choice; None if several are possible.

    The game gives a forced answer itself, without asking the player.
    """
    first, *others = islice(possible_answers(hand, choice), 2)
    return None if others else first


def answer_from_cards(hand: HandState, choice: RequireChoice, cards: Cards) -> Action | None:
    """Return the answer to a mid-trick choice with exactly these cards of the player; None if it would be illegal.

    None also if the choice is of ranks, not of cards.
    """
    least, most = _choice_limits(hand, choice)
    return _answer_with_cards(choice, cards) if choice.do != "bomb" and least <= len(cards) <= most else None


# In words ------------------------------------------------------------------------------------------------------------

HAND_ON = MessageTemplate(
    "choice.give", {"one": "Give a card to {to}.", "other": "Give exactly {count} cards to {to}."}
)
HAND_ON_OR_NOT = MessageTemplate(
    "choice.give.up_to",
    {"one": "Give a card to {to}, or none.", "other": "Give up to {count} cards to {to}, or none."},
)
LAY_ASIDE = MessageTemplate("choice.discard", {"one": "Discard a card.", "other": "Discard exactly {count} cards."})
LAY_ASIDE_OR_NOT = MessageTemplate(
    "choice.discard.up_to", {"one": "Discard a card, or none.", "other": "Discard up to {count} cards, or none."}
)
NAME_RANKS = MessageTemplate(
    "choice.bomb",
    {
        "one": "Name a rank from 3 to A or 2. All its cards are discarded.",
        "other": "Name {count} different ranks. All their cards are discarded.",
    },
)
FIRST_CHOOSE = MessageTemplate("refused.first_choose", "You must choose first. {what}")
CHOOSE_SO = MessageTemplate("refused.choose_so", "You can’t choose that. {what}")
_THEIR_CHOICE = {
    "give": MessageTemplate("choice.theirs.give", "{name} is choosing cards to give."),
    "discard": MessageTemplate("choice.theirs.discard", "{name} is choosing cards to discard."),
    "bomb": MessageTemplate("choice.theirs.bomb", "{name} is choosing ranks to bomb."),
}


def choice_message(hand: HandState, choice: RequireChoice) -> TranslatableMessage:
    """Return a sentence that tells the player what to choose."""
    least, most = _choice_limits(hand, choice)
    up_to = least < most
    match choice.do:
        case "give":
            return (HAND_ON_OR_NOT if up_to else HAND_ON)(
                count=most, to=hand.next_player_with_cards(hand.to_act[0]) or ""
            )
        case "discard":
            return (LAY_ASIDE_OR_NOT if up_to else LAY_ASIDE)(count=most)
        case "bomb":
            return NAME_RANKS(count=most)


def waiting_message(hand: HandState, choice: RequireChoice) -> TranslatableMessage:
    """Return a sentence that tells the other players what the player is choosing."""
    return _THEIR_CHOICE[choice.do](name=hand.to_act[0])


# Answering -----------------------------------------------------------------------------------------------------------


def check_answer(hand: HandState, choice: RequireChoice, by: str, action: Action) -> None:
    """Raise `RuleError` unless `action` is a legal answer of player `by` to the open mid-trick choice.

    The error describes the choice and suggests an answer.
    """
    would_do = (next(possible_answers(hand, choice)),)
    what = choice_message(hand, choice)
    least, most = _choice_limits(hand, choice)
    match action:
        case Bomb(ranks) if choice.do == "bomb":
            known = hand.rules.deck_ranks()
            if not (len(ranks) == len(set(ranks)) == most and set(ranks) <= set(known)):
                raise RuleError("bad_action", CHOOSE_SO(what=what), choice.cause, would_do)
        case Give() | Discard() if isinstance(action, ACTION_BY_KIND[choice.do]):
            if not (isinstance(action, Give) and action.to):
                check_held(hand.cards[by], action.cards)
                if least <= len(action.cards) <= most:
                    return
            raise RuleError("wrong_gift", CHOOSE_SO(what=what), choice.cause, would_do)
        case _:
            raise RuleError("not_in_this_phase", FIRST_CHOOSE(what=what), choice.cause, would_do)


GIVEN = GameEventType(
    "given",
    {"one": "{by} gives {to} a card.", "other": "{by} gives {to} {count} cards."},
    you="",
    to_you="",
    stood_out="cards given",
    highlighted=False,
    ways=(("by", "to"),),
)
GIVEN_CARDS = GameEventType(
    "given_cards",
    "{by} gives {to} {cards}.",
    you="You give {to} {cards}.",
    to_you="{by} gives you {cards}.",
    details=GIVEN,
    ways=(("by", "to"),),
)
"""Additional event for giver and receiver, who may see the cards."""
DISCARDED = GameEventType(
    "discarded",
    "{by} discards {cards}.",
    you="You discard {cards}.",
    stood_out="discarded",
    highlighted=False,
    ways=(("by", "table"),),
)
BOMBED = GameEventType(
    "bombed",
    "{by} bombs {ranks}: nobody has these cards.",
    cards="{by} bombs {ranks}: {cards} are discarded.",
    you="You bomb {ranks}: nobody has these cards.",
    you_cards="You bomb {ranks}: {cards} are discarded.",
    four="{by} drops a bomb: {four}!",
    you_four="You drop a bomb: {four}!",
    tone="great",
    stood_out="bombed",
    celebrated="blast",
)
"""The event of a bomb.

A rank that bombs sets `ranks` (the ranks named) and, if any player had such cards, `cards`. A set that is a bomb by
itself sets `four`.
"""


def apply_answer(hand: HandState, choice: RequireChoice, action: Action) -> tuple[HandState, tuple[GameEvent, ...]]:
    """Return the hand after a checked answer to a mid-trick choice, and its events.

    Cards are given to the next player or discarded. Players who have no cards left are not yet given a place.
    """
    by = hand.to_act[0]
    match action:
        case Give(cards) if cards:
            to = hand.next_player_with_cards(by)
            assert to is not None, "else the hand would be over"
            held = {**hand.cards, by: remove_cards(hand.cards[by], cards)}
            held[to] = tuple(sorted((*held[to], *cards), key=hand.rules.card_sort_key))
            event = GIVEN(by, choice.cause, to=to, count=len(cards))
            seen = GIVEN_CARDS(by, choice.cause, seen_by=(by, to), to=to, cards=" ".join(cards))
            return hand.replace(cards=held), (event, seen)
        case Discard(cards) if cards:
            held = {**hand.cards, by: remove_cards(hand.cards[by], cards)}
            return hand.replace(cards=held, pile=hand.pile + cards), (
                DISCARDED(by, choice.cause, cards=" ".join(cards)),
            )
        case Bomb(ranks):
            return _discard_ranks(hand, choice, ranks)
        case _:
            return hand, ()


def _discard_ranks(hand: HandState, choice: RequireChoice, ranks: str) -> tuple[HandState, tuple[GameEvent, ...]]:
    """Return the hand after all players discarded their cards with these ranks printed on them, and the event.

    `choice` is the mid-trick choice that is answered: the player of a bombing rank named `ranks`. An event tells all
    players which cards went.
    """
    gone = tuple(card for name in hand.seats for card in hand.cards[name] if card[0] in ranks)
    held = {name: tuple([card for card in cards if card[0] not in ranks]) for name, cards in hand.cards.items()}
    named = "".join(rank for rank in hand.rules.deck_ranks() if rank in ranks)
    laid: dict[str, Any] = {"cards": " ".join(gone)} if gone else {}
    event = BOMBED(hand.to_act[0], choice.cause, ranks=named, **laid)
    return hand.replace(cards=held, pile=hand.pile + gone), (event,)
