"""Check that refusals of actions are true and cheap to compute, for tests and the soak.

`risky_actions` lists typical mistakes at a position. `check_refusals` raises `FalseRefusal` if a refusal is untrue:

- it names a rule that has no row in the rules or is not active
- it suggests an action or cards that are refused as well
- it leaves out a legal play

It raises `ExpensiveRefusal` if a refusal examines more than `MOST_LOOKS` combinations. A client can cause any number
of refusals, and all rooms of a server wait while a refusal is computed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice
from random import Random
from typing import TypeAlias, cast

from app.engine.base.errors import MALFORMED_CODES, RuleError
from app.engine.base.options import Options, OptionSchema
from app.engine.cards.action_codec import action_to_json
from app.engine.cards.actions import (
    AcceptOffers,
    Action,
    AnnounceRank,
    ClearTrick,
    Cut,
    DealByHand,
    Decree,
    EndSwaps,
    EndTalks,
    Give,
    Keep,
    Obey,
    Offer,
    Pass,
    Play,
    RequestLeave,
    Shuffle,
    Swap,
    TouchPile,
)
from app.engine.cards.cards import RANKS, Card, Cards, describe_cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.search_counter import count_searches
from app.engine.climbing.state import ClimbingHand, Trick
from app.engine.climbing.suggestion_data import GroupSuggestion, KindSuggestion
from app.engine.match.match import Match

PLAIN = (None, "", 0, "none", "no", "normal", "rank", "free", "many", "ordinary")
"""Values with which an option never refuses an action."""
LISTED = 60
"""Largest number of legal plays that are compared with the suggestions."""
FoundCombination: TypeAlias = tuple[Cards, Combination]
SAMPLES = 3
SEARCHED = 2000
SOUGHT = 0.02
"""Probability of checking that a suggested kind of combination exists in the deck."""


MOST_LOOKS = 200
"""Largest number of combinations that a refusal may examine."""
ENOUGH = 100
"""After this number of plays that don't beat the table, some refusal must have examined combinations."""


class FalseRefusal(AssertionError):
    """An error of a check: what a refusal says of the rule or of legal alternatives is untrue."""


class ExpensiveRefusal(AssertionError):
    """An error of a check: a refusal of an action examines too many combinations for its suggestions."""


@dataclass(slots=True)
class RefusalStats:
    """Counts of refusals that a check has tried, and of the combinations they examined for suggestions.

    `with_lookups`: refusals that examined at least one combination. `not_beating_table`: refusals of plays that don't
    beat a combination of several cards. `max_lookups`: the most combinations that one refusal examined.
    """

    count: int = 0
    with_lookups: int = 0
    """Number of refusals that examined at least one combination."""
    not_beating_table: int = 0
    """Number of refusals of plays that don't beat several cards on the table. Most of these examine combinations.

    Refusals on single cards don't count, because games of single cards need not examine combinations.
    """
    max_lookups: int = 0
    """Largest number of combinations that one refusal examined."""

    @property
    def is_counter_broken(self) -> bool:
        """Whether the counter of examined combinations seems broken.

        That is so if many refusals said that a play does not beat the table, but none counted a combination.
        """
        return self.not_beating_table >= ENOUGH and not self.with_lookups

    def record(self, error: RuleError, looks: int, *, on_several_cards: bool = True) -> None:
        """Count a refusal that examined `looks` combinations; raise `ExpensiveRefusal` above `MOST_LOOKS`.

        `on_several_cards`: whether the table shows a combination of several cards.
        """
        self.count += 1
        self.not_beating_table += on_several_cards and error.code == "does_not_beat"
        self.with_lookups += looks > 0
        self.max_lookups = max(self.max_lookups, looks)
        if looks > MOST_LOOKS:
            raise ExpensiveRefusal(f"it looked at {looks} combinations, and {MOST_LOOKS} are the most")


def risky_actions(match: Match, rng: Random) -> Iterator[tuple[str, Action]]:
    """Yield actions that players might try at this position, most of them illegal, to check the refusals.

    Each comes with the acting player.
    """
    for by in dict.fromkeys([*match.to_act, rng.choice(match.seats)]):
        held = match.current_hand.cards.get(by, ())
        some = [tuple(rng.sample(held, min(len(held), count))) for count in (1, 1, 1, 2, 3, 5)]
        like = [tuple(card for card in held if card[0] == rank)[: rng.randint(1, 4)] for rank in rng.sample(RANKS, 4)]
        alike = [cards for cards in like if cards]
        sets = [*filter(None, some), *alike]
        anything: list[Action] = [Play(cards) for cards in sets]
        if sets:
            cards = rng.choice(sets)
            anything += [
                Play(cards, rng.choice(RANKS)),
                Play(cards, None, rng.choice(["rank", "red", "c"])),
                Give(cards),
            ]
            anything += [Offer(cards, None), Offer(cards, rng.choice(RANKS)), Play((*cards, cards[0]))]
        anything += [
            Pass(),
            Give(()),
            AnnounceRank(have="3"),
            AcceptOffers(),
            EndTalks(),
            EndSwaps(),
            ClearTrick(),
            TouchPile(),
            Keep(),
            Swap(),
        ]
        anything += [Shuffle(), Cut(1), DealByHand(by), Decree("Sing", None), Obey(), RequestLeave()]
        yield from ((by, action) for action in anything if type(action) in match.game.actions)


def check_refusals(match: Match, rng: Random, refusals: RefusalStats) -> None:
    """Try risky actions, and check what their refusals say.

    Raises `FalseRefusal` for an untrue refusal, `ExpensiveRefusal` for one that examines too many combinations.
    """
    some = list(_leadable_combinations(match, _random_card_set(match.deck(), rng)))
    for by, action, error in refused_actions(match, rng, refusals):
        try:
            _check_refusal(match, by, error, some, rng)
        except FalseRefusal as lie:
            raise FalseRefusal(f"{_describe_refusal(by, action, error)} {lie}") from None


def refused_actions(match: Match, rng: Random, refusals: RefusalStats) -> Iterator[tuple[str, Action, RuleError]]:
    """Try risky actions and yield the refused ones with player and error; count them in `refusals`.

    Raises `ExpensiveRefusal` for one that examines too many combinations.
    """
    play = match.hand.play_to_beat if isinstance(match.hand, ClimbingHand) else None
    on_several_cards = play is not None and play.combination.size > 1
    for by, action in risky_actions(match, rng):
        with count_searches() as looks:
            error = _try_action(match, by, action)
        if error is not None:
            try:
                refusals.record(error, looks.count, on_several_cards=on_several_cards)
            except ExpensiveRefusal as dear:
                raise ExpensiveRefusal(f"{_describe_refusal(by, action, error)} {dear}") from None
            yield by, action, error


def _describe_refusal(by: str, action: Action, error: RuleError) -> str:
    return f"{by} {action_to_json(action)} → {error} [{error.rule}]"


def _try_action(match: Match, by: str, action: Action) -> RuleError | None:
    try:
        match.apply_action(by, action)
    except RuleError as error:
        return error.with_traceback(None)  # frames in the traceback refer to the error: a reference cycle
    return None


def _check_refusal(match: Match, by: str, error: RuleError, some: Sequence[FoundCombination], rng: Random) -> None:
    if not error.sentence.endswith("."):
        raise FalseRefusal("is no sentence")
    _check_rule(match.game.option_schema, match.options, error)
    for one in error.suggestions:
        if isinstance(one, GroupSuggestion):
            _check_group_suggestion(match, by, one, rng)
        elif isinstance(one, KindSuggestion):
            _check_kind_suggestion(match, by, one, some, rng)
        else:
            _must_be_accepted(match, by, cast("Action", one))
    if error.code in ("does_not_beat", "not_a_combination", "must_play") and isinstance(match.hand, ClimbingHand):
        _check_suggestions_complete(match, by, error)


def _check_rule(declared: OptionSchema, options: Options, error: RuleError) -> None:
    if error.rule is None:
        if error.code not in MALFORMED_CODES:
            raise FalseRefusal("names no rule")
        return
    if error.rule not in declared.names_by_id:
        raise FalseRefusal("names a rule without a row")
    if error.rule in {preset.id for preset in declared.presets} - {declared.basic_game_id}:
        raise FalseRefusal("names a preset")
    switch = next((switch for switch in declared.all_options if switch.id == error.rule), None)
    if switch is None or switch.is_permission:
        return
    if any(options[switch] is off or (off is not None and options[switch] == off) for off in (*PLAIN, False)):
        raise FalseRefusal(f"names {switch.key}, which is {options[switch]} and refuses nothing")


def _must_be_accepted(match: Match, by: str, action: Action) -> None:
    try:
        match.apply_action(by, action)
    except RuleError as error:
        raise FalseRefusal(f"but {action_to_json(action)} is refused: {error}") from None


def _climbing_hand(match: Match) -> HandState:
    """Return the match's hand, which must be one of a climbing game; other games never suggest cards to play."""
    assert isinstance(match.hand, ClimbingHand)
    return match.hand


def _check_playable_with(match: Match, by: str, cards: Cards, as_: str | None = None) -> None:
    """Check that a player who also held these cards could play them; raise `FalseRefusal` if not.

    `as_` says what wild cards among them stand for, or is None. Suggestions may name cards that the player lacks.
    """
    hand = _climbing_hand(match)
    _must_be_accepted(match.replace(hand=_with_cards_added(hand, by, cards)), by, Play(cards, as_))


def _with_cards_added(hand: HandState, player: str, cards: Cards) -> HandState:
    more = tuple(
        card for card in dict.fromkeys(cards) for _ in range(cards.count(card) - hand.cards[player].count(card))
    )
    return hand.with_player_cards(player, tuple(sorted((*hand.cards[player], *more), key=hand.rules.card_sort_key)))


def _check_group_suggestion(match: Match, by: str, one: GroupSuggestion, rng: Random) -> None:
    """Check a sample of the cards that a suggestion after a refusal covers, with and without wild cards.

    Raises `FalseRefusal` if some could not be played, or if no cards are covered. `one` is the suggestion, and `by` the
    refused player.
    """
    possible = [(group, size) for group in one.groups for size in one.sizes if len(group) >= size]
    if not possible:
        raise FalseRefusal(f"but nothing is “{one.words}”")
    for group, size in rng.sample(possible, min(len(possible), 4 * SAMPLES)):
        some = [tuple(rng.sample(group, size))]
        if one.wild and size > 1:
            wild = rng.randint(1, min(size - 1, len(one.wild)))
            some.append((*rng.sample(group, size - wild), *rng.sample(one.wild, wild)))
        for cards in filter(one.covers, some):
            _check_playable_with(match, by, cards)


def _check_kind_suggestion(
    match: Match, by: str, one: KindSuggestion, some: Sequence[FoundCombination], rng: Random
) -> None:
    """Check some combinations that a suggestion after a refusal covers: they must be playable.

    Rarely, check that the deck contains one at all. Raises `FalseRefusal` otherwise.
    """
    covered = [(cards, reading) for cards, reading in some if one.covers(reading)]
    hand = _climbing_hand(match)
    for cards, reading in rng.sample(covered, min(len(covered), SAMPLES)):
        named = hand.rules.reading_name(reading)
        several = len({hand.rules.reading_name(other) for other in hand.rules.readings(hand, cards)}) > 1
        _check_playable_with(match, by, cards, named if several and named else None)
    if not covered and rng.random() < SOUGHT:
        every = chain.from_iterable(_leadable_combinations(match, cards) for cards in _sample_card_sets(match.deck()))
        if not any(one.covers(reading) for _, reading in every):
            raise FalseRefusal(f"but nothing is “{one.words}”")


def _leadable_combinations(match: Match, cards: Cards) -> Iterator[FoundCombination]:
    """Yield combinations that could be led from these cards, without the cards of the play on the table.

    Checks of suggestions after refusals use them as samples, up to a limit. None outside play in climbing games.
    """
    hand = match.hand
    if not isinstance(hand, ClimbingHand) or hand.phase != "play":
        return
    lying = set[Card]() if hand.play_to_beat is None else set(hand.play_to_beat.combination.cards)
    held = tuple(sorted(set(cards) - lying, key=hand.rules.card_sort_key))
    by = hand.to_act[0]
    lead = hand.replace(trick=Trick(), opened=True, cards={**hand.cards, by: held})
    for readings in islice(hand.rules.playable_combinations(lead, held), SEARCHED):
        yield from ((reading.cards, reading) for reading in readings)


def _sample_card_sets(deck: Cards) -> Iterator[Cards]:
    """Yield sets of cards to search for a suggested combination: all cards of two close ranks, then with a suit.

    Two ranks are close if they are neighbours or have one rank between them; the highest come first. The gap is needed
    because with three aces on the table, only twos with kings make a higher full house. The sets without a suit are
    needed because runs of pairs come too late in a search with a whole suit. Then come rows of three to five ranks in
    two suits, for longer runs of pairs.
    """
    near = [RANKS[low] + RANKS[low + far] for far in (1, 2) for low in reversed(range(len(RANKS) - far))]
    for suits in ("", "cdhs"):
        for ranks in (*near, "47"):
            for suit in suits or ("",):
                yield _cards_of_suit_or_ranks(deck, suit, ranks)
    for length in (3, 4, 5):
        for low in reversed(range(len(RANKS) - length + 1)):
            for two in combinations("cdhs", 2):
                yield tuple(card for card in deck if card[0] in RANKS[low : low + length] and card[1] in two)


def _random_card_set(deck: Cards, rng: Random) -> Cards:
    low = rng.randrange(len(RANKS))
    return _cards_of_suit_or_ranks(deck, rng.choice("cdhs"), RANKS[low : low + 2] if low else "47")


def _cards_of_suit_or_ranks(deck: Cards, suit: str, ranks: str) -> Cards:
    return tuple(card for card in deck if card[1] == suit or card[0] in ranks or card[0] == "X")


def _check_suggestions_complete(match: Match, by: str, error: RuleError) -> None:
    """Check that a refusal's suggestions cover every legal play, at most `LISTED` plays and without wild cards.

    Raises `FalseRefusal` if a play is missing.
    """
    hand = _climbing_hand(match)
    proposed = [one for one in error.suggestions if isinstance(one, GroupSuggestion | KindSuggestion)]
    if by != hand.player_to_play or (not proposed and error.suggestions != (Pass(),)):
        return
    for play in islice((play for _, play in match.legal_actions(by) if isinstance(play, Play)), LISTED):
        if not any(_suggestion_covers(hand, one, play.cards) for one in proposed) and not _has_wild(hand, play.cards):
            raise FalseRefusal(f"but {describe_cards(play.cards)} may be played, and is not said")


def _suggestion_covers(hand: HandState, one: GroupSuggestion | KindSuggestion, cards: Cards) -> bool:
    if isinstance(one, GroupSuggestion):
        return one.covers(cards)
    return any(one.covers(reading) for reading in hand.rules.readings(hand, cards))


def _has_wild(hand: HandState, cards: Cards) -> bool:
    """Return whether some of the cards are wild.

    Suggestions can't list all plays with them, so a check of suggestions leaves these plays out.
    """
    return any(card[0] in hand.rules.wild_ranks() or Card(card).is_joker for card in cards)
