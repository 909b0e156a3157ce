"""Choices in mid-trick: cards handed on or laid aside, ranks that everybody lays aside.

A rule asks with the effect `Choose`. Here is what may be answered, and what comes of an answer; when it is asked, and
how play goes on, is the loop's business (hand.py).
"""

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Annotated, Any, TypedDict

from app.engine.base.errors import RuleError
from app.engine.base.messages import Said, Sentence
from app.engine.cards.actions import Action, Bomb, Discard, Give
from app.engine.cards.cards import Cards, check_held, without
from app.engine.climbing.combinations import choices
from app.engine.climbing.effects import Choose, Choosing
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.events import Event, EventType


class ChoiceShown(TypedDict):
    """What a player has to choose before the turn moves on."""

    do: Annotated[Choosing, "The action: `give`, `discard` or `bomb`."]
    least: Annotated[int, "The fewest cards, or ranks."]
    most: Annotated[int, "The most."]


ACTIONS: dict[Choosing, type[Action]] = {"give": Give, "discard": Discard, "bomb": Bomb}
CHOOSING = (Give, Discard, Bomb)
"""The actions that answer."""


def shown(hand: HandState) -> ChoiceShown | None:
    """The open choice, with how few and how many may be chosen."""
    asked = hand.choice
    if asked is None:
        return None
    least, most = _bounds(hand, asked)
    return {"do": asked.do, "least": least, "most": most}


def _bounds(hand: HandState, asked: Choose) -> tuple[int, int]:
    there = len(hand.rules.pack_ranks()) if asked.do == "bomb" else len(hand.cards[hand.to_act[0]])
    most = min(asked.count, there)
    return (most if asked.exactly else 0), most


def answers(hand: HandState, asked: Choose) -> Iterator[Action]:
    """Everything that may be chosen, each once: few before many, ranks from low to high."""
    least, most = _bounds(hand, asked)
    for size in range(least, most + 1):
        if asked.do == "bomb":
            yield from (Bomb("".join(ranks)) for ranks in combinations(hand.rules.pack_ranks(), size))
        else:
            yield from (_of_cards(asked, cards) for cards in choices(hand.cards[hand.to_act[0]], size))


def _of_cards(asked: Choose, cards: Cards) -> Action:
    return Give(cards) if asked.do == "give" else Discard(cards)


def only_answer(hand: HandState, asked: Choose) -> Action | None:
    """The answer that the game gives itself, as there is no other."""
    first, *others = islice(answers(hand, asked), 2)
    return None if others else first


def with_cards(hand: HandState, asked: Choose, cards: Cards) -> Action | None:
    """The answer that some of one's cards are, if they are one."""
    least, most = _bounds(hand, asked)
    return _of_cards(asked, cards) if asked.do != "bomb" and least <= len(cards) <= most else None


# In words ------------------------------------------------------------------------------------------------------------

HAND_ON = Sentence("choice.give", {"one": "hand a card on to {to}", "other": "hand exactly {count} cards on to {to}"})
HAND_ON_OR_NOT = Sentence(
    "choice.give.up_to",
    {"one": "hand a card on to {to}, or none", "other": "hand up to {count} cards on to {to}, or none"},
)
LAY_ASIDE = Sentence("choice.discard", {"one": "lay a card aside", "other": "lay exactly {count} cards aside"})
LAY_ASIDE_OR_NOT = Sentence(
    "choice.discard.up_to", {"one": "lay a card aside, or none", "other": "lay up to {count} cards aside, or none"}
)
NAME_RANKS = Sentence(
    "choice.bomb",
    {
        "one": "name a rank from 3 to A or 2, all of whose cards are laid aside",
        "other": "name {count} different ranks, all of whose cards are laid aside",
    },
)
FIRST_CHOOSE = Sentence("refused.first_choose", "First {what}.")
CHOOSE_SO = Sentence("refused.choose_so", "That is not what may be chosen: {what}.")
YOUR_CHOICE = Sentence("choice.yours", "Choose: {what}.")
THEIR_CHOICE = Sentence("choice.theirs", "{name} chooses: {what}.")


def in_words_of(hand: HandState, asked: Choose) -> Said:
    """What may be chosen, for the middle of a sentence."""
    least, most = _bounds(hand, asked)
    up_to = least < most
    match asked.do:
        case "give":
            return (HAND_ON_OR_NOT if up_to else HAND_ON)(count=most, to=hand.next_active(hand.to_act[0]) or "")
        case "discard":
            return (LAY_ASIDE_OR_NOT if up_to else LAY_ASIDE)(count=most)
        case "bomb":
            return NAME_RANKS(count=most)


# Answering -----------------------------------------------------------------------------------------------------------


def check(hand: HandState, asked: Choose, by: str, action: Action) -> None:
    """`RuleError` unless this answers."""
    would_do = (next(answers(hand, asked)),)
    what = in_words_of(hand, asked)
    least, most = _bounds(hand, asked)
    match action:
        case Bomb(ranks) if asked.do == "bomb":
            known = hand.rules.pack_ranks()
            if not (len(ranks) == len(set(ranks)) == most and set(ranks) <= set(known)):
                raise RuleError("bad_action", CHOOSE_SO(what=what), asked.cause, would_do)
        case Give() | Discard() if isinstance(action, ACTIONS[asked.do]):
            if not (isinstance(action, Give) and action.to):
                check_held(hand.cards[by], action.cards)
                if least <= len(action.cards) <= most:
                    return
            raise RuleError("wrong_gift", CHOOSE_SO(what=what), asked.cause, would_do)
        case _:
            raise RuleError("not_in_this_phase", FIRST_CHOOSE(what=what), asked.cause, would_do)


GIVEN = EventType(
    "given",
    {"one": "{by} hands {to} a card.", "other": "{by} hands {to} {count} cards."},
    you="",
    to_you="",
    stood_out="handed on",
    moment=False,
    ways=(("by", "to"),),
)
GIVEN_CARDS = EventType(
    "given_cards",
    "{by} hands {to} {cards}.",
    you="You hand {to} {cards}.",
    to_you="{by} hands you {cards}.",
    details=GIVEN,
    ways=(("by", "to"),),
)
"""What the two of them learn besides."""
DISCARDED = EventType(
    "discarded",
    "{by} lays {cards} aside.",
    you="You lay {cards} aside.",
    stood_out="laid aside",
    moment=False,
    ways=(("by", "table"),),
)
BOMBED = EventType(
    "bombed",
    "{by} bombs {ranks}: nobody has any.",
    cards="{by} bombs {ranks}: {cards} are laid aside.",
    you="You bomb {ranks}: nobody has any.",
    you_cards="You bomb {ranks}: {cards} are laid aside.",
    four="{by} drops a bomb: {four}!",
    you_four="You drop a bomb: {four}!",
    tone="great",
    stood_out="bombed",
    celebrated="blast",
)
"""With `ranks` and maybe `cards`, a rank that bombs was played; with `four`, a set that is a bomb by itself."""


def chosen(hand: HandState, asked: Choose, action: Action) -> tuple[HandState, tuple[Event, ...]]:
    """The hand after an answer that was checked, and what is told of it. Who goes out by it has no place yet."""
    by = hand.to_act[0]
    match action:
        case Give(cards) if cards:
            to = hand.next_active(by)
            assert to is not None, "else the hand would be over"
            held = {**hand.cards, by: without(hand.cards[by], cards)}
            held[to] = tuple(sorted((*held[to], *cards), key=hand.rules.order))
            told = GIVEN(by, asked.cause, to=to, count=len(cards))
            seen = GIVEN_CARDS(by, asked.cause, seen_by=(by, to), to=to, cards=" ".join(cards))
            return hand.but(cards=held), (told, seen)
        case Discard(cards) if cards:
            held = {**hand.cards, by: without(hand.cards[by], cards)}
            return hand.but(cards=held, pile=hand.pile + cards), (DISCARDED(by, asked.cause, cards=" ".join(cards)),)
        case Bomb(ranks):
            return _bombed(hand, asked, ranks)
        case _:
            return hand, ()


def _bombed(hand: HandState, asked: Choose, ranks: str) -> tuple[HandState, tuple[Event, ...]]:
    """Everybody lays aside what has these ranks printed on it."""
    gone = tuple(card for name in hand.seats for card in hand.cards[name] if card[0] in ranks)
    held = {name: tuple([card for card in cards if card[0] not in ranks]) for name, cards in hand.cards.items()}
    named = "".join(rank for rank in hand.rules.pack_ranks() if rank in ranks)
    laid: dict[str, Any] = {"cards": " ".join(gone)} if gone else {}
    told = BOMBED(hand.to_act[0], asked.cause, ranks=named, **laid)
    return hand.but(cards=held, pile=hand.pile + gone), (told,)
