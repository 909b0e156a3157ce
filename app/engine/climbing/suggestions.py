"""Suggest what a refused player could do instead, as a message and as data.

A game proposes leads, or cards that beat the table. Rules on last plays may forbid some of them. Those are removed,
so that a refusal never suggests another illegal play.

Players can cause refusals without limit. The search is therefore limited, so that a refusal costs about the same CPU
time as a play. search_counter.py counts the combinations examined.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice

from app.engine.base.errors import SuggestedActions
from app.engine.base.messages import MessageList, MessageTemplate, TranslatableMessage, TranslatableText, join_with_or
from app.engine.cards.actions import Pass, Play
from app.engine.cards.cards import Cards, describe_cards
from app.engine.climbing.combinations import Combination, distinct_choices
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.search_counter import count_each
from app.engine.climbing.suggestion_data import GroupSuggestion, KindSuggestion, Suggestion

PLAY = MessageTemplate("could.play", "Play {what}.")
PLAY_OR_PASS = MessageTemplate("could.play_or_pass", "Play {what}, or pass.")
PLAY_WITH = MessageTemplate("could.play_with", "Your play must include {card}.")
ANOTHER_KIND = MessageTemplate("could.another_kind", "another kind")
ONLY_PASS = MessageTemplate("could.only_pass", "{nothing} Pass.")
NOT_THESE = MessageTemplate("could.not_these", "{could} You can’t finish with {cards}.")
MAX_SEARCHED = 120
"""Maximum number of choices from the deck that are examined to find one that may be a last play."""
MAX_KINDS = 3
"""Maximum number of kinds of play that a sentence names."""
SHORT = 60
"""Number of characters that a refusal should have at most, so that it fits on a phone."""


def explain_with_alternatives(
    hand: HandState, by: str, *reasons: Callable[[TranslatableMessage], TranslatableMessage]
) -> tuple[TranslatableMessage, SuggestedActions]:
    """Return a refusal, and the actions or cards with which this player could act now.

    `reasons` build the whole refusal from the sentence about what the player could do, the most detailed first. The
    refusal is the most detailed one with at most `SHORT` characters in English, or else the shortest.
    """
    sentences, would_do = _build_suggestions(hand, by)
    held = hand.cards[by]
    if hand.rules.can_refuse_plays and held and _is_refused_as_last_play(hand, by, held):
        sentences = [NOT_THESE(could=could, cards=describe_cards(held)) for could in sentences]
    refusals = [reason(could) for could in sentences for reason in reasons]
    return next((said for said in refusals if len(said) <= SHORT), min(refusals, key=len)), would_do


def _build_suggestions(hand: HandState, by: str) -> tuple[list[TranslatableMessage], SuggestedActions]:
    """Return sentences about what this player could do, the most detailed first, and the actions or cards."""
    rules = hand.rules
    may_pass = by == hand.player_to_play and rules.may_pass(hand, by)
    passing: SuggestedActions = (Pass(),) if may_pass else ()
    found: Sequence[Suggestion] = (
        rules.lead_suggestions(hand, by) if hand.play_to_beat is None else rules.beating_suggestions(hand, by)
    )
    if hand.play_to_beat is None and (low := rules.required_lead_card(hand, by)) is not None:
        return [PLAY_WITH(card=describe_cards((low,)))], (Play((low,)),)
    if rules.can_refuse_plays:
        found = [good for one in found if (good := _without_refused_plays(hand, by, one)) is not None]
    if not found:
        nothing = rules.nothing_beats_message(hand)
        return [ONLY_PASS(nothing=nothing) if may_pass else nothing], passing
    lists = _lists_of_kinds([one.words for one in found])
    templates = (PLAY_OR_PASS, PLAY) if may_pass else (PLAY,)
    return [template(what=kinds) for kinds in lists for template in templates], (*found, *passing)


def _lists_of_kinds(kinds: Sequence[TranslatableText]) -> list[MessageList]:
    """Return lists of at most `MAX_KINDS` kinds, each shorter than the one before."""
    different = list(dict.fromkeys(kinds))
    return [
        join_with_or(different[:count] if count == len(different) else [*different[:count], ANOTHER_KIND()])
        for count in range(min(len(different), MAX_KINDS), 0, -1)
    ]


# Last plays ----------------------------------------------------------------------------------------------------------


def _is_refused_as_last_play(hand: HandState, by: str, cards: Cards) -> bool:
    """Return whether only a rule on last plays forbids these cards.

    Suggestions may name cards that the player lacks, so they are added to the player's own for this test.
    """
    rules, there = hand.rules, Counter(hand.cards[by])
    hand = hand.with_player_cards(by, tuple((there | Counter(cards)).elements()))
    good = rules.readings(hand, cards)
    if hand.play_to_beat is not None:
        good = [one for one in good if rules.beats(hand, by, one)]
    return bool(good) and all(rules.play_refusal(hand, by, one) is not None for one in good)


def _without_refused_plays(hand: HandState, by: str, suggestion: Suggestion) -> Suggestion | None:
    """Return a suggestion without plays that a rule on last cards would refuse, or None if none are left.

    `by` is the player to whom the suggestion is made.
    """
    if suggestion.sizes and not any(hand.rules.may_refuse(hand, by, size) for size in suggestion.sizes):
        return suggestion

    def only_cards(cards: Cards) -> bool:
        return not _is_refused_as_last_play(hand, by, cards)

    if isinstance(suggestion, GroupSuggestion):
        rest = replace(suggestion, only=only_cards)
        return rest if any(map(rest.covers, count_each(_suggested_choices(suggestion, hand.cards[by])))) else None
    before = suggestion.only

    def only(combination: Combination) -> bool:
        return (before is None or before(combination)) and only_cards(combination.cards)

    possible = replace(suggestion, only=only)
    # When leading, no search is needed: in the whole deck each kind has a play that leaves the player a card.
    return None if hand.play_to_beat is not None and _are_all_refused(hand, by, suggestion, possible) else possible


def _suggested_choices(suggestion: GroupSuggestion, held: Cards) -> Iterator[Cards]:
    """Yield the choices of cards that a suggestion covers, to test whether one of them is allowed.

    Choices that leave the player a card come first, because no rule on last plays refuses them.
    """
    for group in suggestion.groups:
        for fewer in _pools_leaving_a_card((*group, *suggestion.wild), held):
            if any(card in group for card in fewer):
                for size in suggestion.sizes:
                    yield from distinct_choices(fewer, size)
    for group in suggestion.groups:
        for size in suggestion.sizes:
            yield from distinct_choices((*group, *suggestion.wild), size)


def _pools_leaving_a_card(pool: Cards, held: Cards) -> Iterator[Cards]:
    """Yield the pool once for each different held card, with fewer copies of that card than the player holds.

    Any choice of cards from such a pool leaves the player a card, so no rule on last plays refuses it.
    """
    for card, count in Counter(held).items():
        spare = pool.count(card) - (count - 1)
        if spare > 0:
            fewer = list(pool)
            for _ in range(spare):
                fewer.remove(card)
            yield tuple(fewer)
        else:
            yield pool


def _are_all_refused(hand: HandState, by: str, suggestion: KindSuggestion, allowed: KindSuggestion) -> bool:
    """Return whether the deck has combinations that the suggestion covers, and every examined one is refused.

    `allowed` is the suggestion without refused plays. At most `MAX_SEARCHED` combinations are examined, apart from
    examples.
    """
    if any(map(allowed.covers, count_each(suggestion.examples))):
        return False
    deck, found = hand.rules.deck(), bool(suggestion.examples)
    pools = (*_pools_leaving_a_card(deck, hand.cards[by]), deck)
    every = chain.from_iterable(
        hand.rules.playable_combinations(hand.with_player_cards(by, cards), cards) for cards in pools
    )
    for reading in chain.from_iterable(count_each(islice(every, MAX_SEARCHED))):
        if allowed.covers(reading):
            return False
        found = found or suggestion.covers(reading)
    return found
