"""What somebody could do instead, for whoever is refused: as a sentence, and as data that holds what the judges say.

A game proposes what leads, or beats the table. Where its rules refuse some of that as somebody's last play, they are
asked here about everything that is proposed, so that nothing is named that would be refused in turn.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, islice

from app.engine.actions import Pass, Play
from app.engine.cards import Cards, in_words
from app.engine.errors import WouldDo
from app.engine.words import Said, Sentence, either

from .combinations import Combination, choices
from .moments import HandState
from .proposals import OfGroup, OfKind, Proposal

PLAY = Sentence("could.play", "Play {what}.")
PLAY_OR_PASS = Sentence("could.play_or_pass", "Play {what}, or pass.")
PLAY_WITH = Sentence("could.play_with", "Play {what}, with the {card} in it.")
NOTHING = Sentence("could.nothing", "{nothing}.")
ONLY_PASS = Sentence("could.only_pass", "{nothing}: pass.")
THEN = {
    PLAY.key: Sentence("could.then.play", "play {what}."),
    PLAY_WITH.key: Sentence("could.then.play_with", "play {what}, with the {card} in it."),
    NOTHING.key: Sentence("could.then.nothing", "{nothing}."),
}
"""The same, where a sentence goes on with it."""
NOT_THESE = Sentence("could.not_these", "{could} But {cards} may not be your last play.")
SEARCHED = 2000
"""Combinations of the deck that are asked about, at most, for one that may be the last play."""


def could_do(hand: HandState, by: str, *, then: bool = False) -> tuple[Said, WouldDo]:
    """What this player could do instead; `then`: for a sentence that goes on with it."""
    said, would_do = _could_do(hand, by)
    if then:
        said = THEN[said.key](**said.values)
    held = hand.cards[by]
    if hand.rules.refusing and held and _is_refused(hand, by, held):
        said = NOT_THESE(could=said, cards=in_words(held))
    return said, would_do


def _could_do(hand: HandState, by: str) -> tuple[Said, WouldDo]:
    rules = hand.rules
    may_pass = by == hand.turn and rules.may_pass(hand, by)
    passing: WouldDo = (Pass(),) if may_pass else ()
    found: Sequence[Proposal] = rules.kinds(hand, by) if hand.table is None else rules.proposals(hand, by)
    if hand.table is None and (low := rules.must_lead(hand, by)) is not None:
        return PLAY_WITH(what=either(one.words for one in found), card=in_words((low,))), (Play((low,)),)
    if rules.refusing:
        found = [good for one in found if (good := _allowed(hand, by, one)) is not None]
    if not found:
        return (ONLY_PASS if may_pass else NOTHING)(nothing=rules.nothing_beats(hand)), passing
    return (PLAY_OR_PASS if may_pass else PLAY)(what=either(one.words for one in found)), (*found, *passing)


# As somebody's last play ---------------------------------------------------------------------------------------------


def _is_refused(hand: HandState, by: str, cards: Cards) -> bool:
    """Whether these would lead, or beat, and are refused all the same, to somebody who had them besides their own."""
    rules, there = hand.rules, Counter(hand.cards[by])
    hand = hand.with_cards(by, tuple((there | Counter(cards)).elements()))
    good = rules.readings(hand, cards)
    if hand.table is not None:
        good = [one for one in good if rules.beats(hand, by, one)]
    return bool(good) and all(rules.play_refused(hand, by, one) is not None for one in good)


def _allowed(hand: HandState, by: str, one: Proposal) -> Proposal | None:
    """A proposal without what would be refused; None where nothing is left of it."""

    def only_cards(cards: Cards) -> bool:
        return not _is_refused(hand, by, cards)

    if isinstance(one, OfGroup):
        rest = replace(one, only=only_cards)
        every = (choices((*group, *one.wild), size) for group in one.groups for size in one.sizes)
        return rest if any(map(rest.covers, chain.from_iterable(every))) else None
    before = one.only

    def only(combination: Combination) -> bool:
        return (before is None or before(combination)) and only_cards(combination.cards)

    possible = replace(one, only=only)
    return None if _is_none_left(hand, by, one, possible) else possible


def _is_none_left(hand: HandState, by: str, one: OfKind, rest: OfKind) -> bool:
    """Whether there are combinations of the deck that the one covers, and none that the other does."""
    deck = hand.rules.deck()
    found = chain.from_iterable(islice(hand.rules.found(hand.with_cards(by, deck), deck), SEARCHED))
    covered = filter(one.covers, found)
    first = next(covered, None)
    return first is not None and not rest.covers(first) and not any(map(rest.covers, covered))
