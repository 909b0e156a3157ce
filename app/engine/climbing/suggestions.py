"""What a refused player could do instead: as a sentence, and as data that holds what the judges say.

A game proposes what leads, or beats the table. Its rules may refuse some of that as the player's last play. Those plays
are taken out, so that a refusal never proposes what would be refused in turn.

A refusal must cost about as much as a play, for anybody can ask for as many as they like. So this looks at few
combinations, and `looked_at` counts them (search_counter.py).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice

from app.engine.base.errors import WouldDo
from app.engine.base.messages import Said, Sentence, either
from app.engine.cards.actions import Pass, Play
from app.engine.cards.cards import Cards, in_words
from app.engine.climbing.combinations import Combination, choices
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.search_counter import looked_at
from app.engine.climbing.suggestion_data import OfGroup, OfKind, Proposal

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
SEARCHED = 120
"""Combinations of the deck that are looked at, at most, for one that may be the last play."""
NOT_THESE = Sentence("could.not_these", "{could} But {cards} may not be your last play.")


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


# Last plays ----------------------------------------------------------------------------------------------------------


def _is_refused(hand: HandState, by: str, cards: Cards) -> bool:
    """Return whether a player who held these besides their own could lead or beat with them, but for a rule on last
    plays."""
    rules, there = hand.rules, Counter(hand.cards[by])
    hand = hand.with_cards(by, tuple((there | Counter(cards)).elements()))
    good = rules.readings(hand, cards)
    if hand.table is not None:
        good = [one for one in good if rules.beats(hand, by, one)]
    return bool(good) and all(rules.play_refused(hand, by, one) is not None for one in good)


def _allowed(hand: HandState, by: str, one: Proposal) -> Proposal | None:
    """Return a proposal without the plays that would be refused, or None if nothing is left of it."""
    if one.sizes and not any(hand.rules.may_refuse(hand, by, size) for size in one.sizes):
        return one

    def only_cards(cards: Cards) -> bool:
        return not _is_refused(hand, by, cards)

    if isinstance(one, OfGroup):
        rest = replace(one, only=only_cards)
        return rest if any(map(rest.covers, looked_at(_choices(one, hand.cards[by])))) else None
    before = one.only

    def only(combination: Combination) -> bool:
        return (before is None or before(combination)) and only_cards(combination.cards)

    possible = replace(one, only=only)
    # The whole deck has plays of every kind to lead that don't take all the cards somebody holds.
    return None if hand.table is not None and _is_none_left(hand, by, one, possible) else possible


def _choices(one: OfGroup, held: Cards) -> Iterator[Cards]:
    """Yield choices of a proposal's cards: first those that leave the player a card, which no rule on last plays
    refuses."""
    for group in one.groups:
        for fewer in _with_a_card_less((*group, *one.wild), held):
            if any(card in group for card in fewer):
                for size in one.sizes:
                    yield from choices(fewer, size)
    for group in one.groups:
        for size in one.sizes:
            yield from choices((*group, *one.wild), size)


def _with_a_card_less(pool: Cards, held: Cards) -> Iterator[Cards]:
    """Yield a pool of cards without one of the held cards, for each of these: whatever is chosen from it leaves that
    one."""
    for card, count in Counter(held).items():
        spare = pool.count(card) - (count - 1)
        if spare > 0:
            fewer = list(pool)
            for _ in range(spare):
                fewer.remove(card)
            yield tuple(fewer)
        else:
            yield pool


def _is_none_left(hand: HandState, by: str, one: OfKind, rest: OfKind) -> bool:
    """Return whether some combinations of the deck are proposed, and all of them would be refused."""
    if any(map(rest.covers, looked_at(one.examples))):
        return False
    deck, found = hand.rules.deck(), bool(one.examples)
    pools = (*_with_a_card_less(deck, hand.cards[by]), deck)
    every = chain.from_iterable(hand.rules.found(hand.with_cards(by, cards), cards) for cards in pools)
    for reading in chain.from_iterable(looked_at(islice(every, SEARCHED))):
        if rest.covers(reading):
            return False
        found = found or one.covers(reading)
    return found
