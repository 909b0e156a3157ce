"""Check that refusals tell the truth and are cheap. For tests and for the soak.

`tried` does what people get wrong at a position. `check_refusals` raises `Lie` if an answer is not true: a rule that
has no row or is not in force, an action that is proposed and refused, cards that would do and do not, or something that
may be played and is not covered by what is said. It raises `Dear` if a refusal looks at more than `MOST_LOOKS`
combinations: anybody can ask for as many refusals as they like, and all rooms of a server wait for them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from random import Random
from typing import TypeAlias, cast

from app.engine.base.errors import MALFORMED, RuleError
from app.engine.base.options import Declared, Options
from app.engine.cards.action_codec import action_json
from app.engine.cards.actions import (
    Action,
    Agree,
    AskLeave,
    BreakOff,
    Clear,
    Cut,
    DealOut,
    Decree,
    Done,
    Give,
    Keep,
    Obey,
    Offer,
    Pass,
    Play,
    Say,
    Shuffle,
    Swap,
    Touch,
)
from app.engine.cards.cards import RANKS, Card, Cards, in_words
from app.engine.climbing.combinations import Combination
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.search_counter import counting
from app.engine.climbing.state import State, Trick
from app.engine.climbing.suggestion_data import OfGroup, OfKind
from app.engine.match.match import Match

PLAIN = (None, "", 0, "none", "no", "normal", "rank", "free", "many", "ordinary")
"""Values with which a switch does nothing that could refuse."""
LISTED = 60
"""Legal plays that are looked at, at most."""
Found: TypeAlias = tuple[Cards, Combination]
SAMPLES = 3
SEARCHED = 2000
SOUGHT = 0.02
"""How often it is made certain that there is such a thing at all."""


MOST_LOOKS = 200
"""Combinations that a refusal may look at."""
ENOUGH = 100
"""Plays that did not beat the table, among which some refusal must have looked at combinations."""


class Lie(AssertionError):
    """What a refusal says is not so."""


class Dear(AssertionError):
    """A refusal looks at too many combinations."""


@dataclass(slots=True)
class Refusals:
    """How many refusals were checked, and what they cost."""

    count: int = 0
    looking: int = 0
    """How many of them looked at any combination."""
    beaten: int = 0
    """How many of them were plays that don't beat the table: these look at combinations, mostly."""
    most: int = 0
    """The most combinations that one of them looked at."""

    @property
    def is_counter_broken(self) -> bool:
        """Whether many plays did not beat the table, and yet nothing was looked at to say what would."""
        return self.beaten >= ENOUGH and not self.looking

    def note(self, error: RuleError, looks: int) -> None:
        """Count one more, which looked at so many combinations; `Dear` if these are too many."""
        self.count += 1
        self.beaten += error.code == "does_not_beat"
        self.looking += looks > 0
        self.most = max(self.most, looks)
        if looks > MOST_LOOKS:
            raise Dear(f"it looked at {looks} combinations, and {MOST_LOOKS} are the most")


def tried(match: Match, rng: Random) -> Iterator[tuple[str, Action]]:
    """What somebody at this table might do wrong, and some of it right."""
    for by in dict.fromkeys([*match.to_act, rng.choice(match.seats)]):
        held = match.the_hand.cards.get(by, ())
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
        anything += [Pass(), Give(()), Say(have="3"), Agree(), BreakOff(), Done(), Clear(), Touch(), Keep(), Swap()]
        anything += [Shuffle(), Cut(1), DealOut(by), Decree("Sing", None), Obey(), AskLeave()]
        yield from ((by, action) for action in anything if type(action) in match.game.actions)


def check_refusals(match: Match, rng: Random, refusals: Refusals) -> None:
    """Try what may be wrong here; `Lie` if an answer is not true, `Dear` if it costs too much."""
    some = list(_combinations(match, _drawn(match.deck(), rng)))
    for by, action, error in refused(match, rng, refusals):
        try:
            _check(match, by, error, some, rng)
        except Lie as lie:
            raise Lie(f"{_told(by, action, error)} {lie}") from None


def refused(match: Match, rng: Random, refusals: Refusals) -> Iterator[tuple[str, Action, RuleError]]:
    """Try what may be wrong here, and yield what is refused; `Dear` if that costs too much."""
    for by, action in tried(match, rng):
        with counting() as looks:
            error = _refused(match, by, action)
        if error is not None:
            try:
                refusals.note(error, looks.count)
            except Dear as dear:
                raise Dear(f"{_told(by, action, error)} {dear}") from None
            yield by, action, error


def _told(by: str, action: Action, error: RuleError) -> str:
    return f"{by} {action_json(action)} → {error} [{error.rule}]"


def _refused(match: Match, by: str, action: Action) -> RuleError | None:
    try:
        match.act(by, action)
    except RuleError as error:
        return error.with_traceback(None)  # it leads to frames that hold the error: a reference cycle
    return None


def _check(match: Match, by: str, error: RuleError, some: Sequence[Found], rng: Random) -> None:
    if not error.sentence.endswith("."):
        raise Lie("is no sentence")
    _check_rule(match.game.declared, match.options, error)
    for one in error.would_do:
        if isinstance(one, OfGroup):
            _check_group(match, by, one, rng)
        elif isinstance(one, OfKind):
            _check_kind(match, by, one, some, rng)
        else:
            _must_be_accepted(match, by, cast("Action", one))
    if error.code in ("does_not_beat", "not_a_combination", "must_play") and isinstance(match.hand, State):
        _check_whole(match, by, error)


def _check_rule(declared: Declared, options: Options, error: RuleError) -> None:
    if error.rule is None:
        if error.code not in MALFORMED:
            raise Lie("names no rule")
        return
    if error.rule not in declared.rows:
        raise Lie("names a rule without a row")
    if error.rule in {preset.id for preset in declared.presets} - {declared.basic}:
        raise Lie("names a preset")
    switch = next((switch for switch in declared.switches if switch.id == error.rule), None)
    if switch is None or switch.permits:
        return
    if any(options[switch] is off or (off is not None and options[switch] == off) for off in (*PLAIN, False)):
        raise Lie(f"names {switch.key}, which is {options[switch]} and refuses nothing")


def _must_be_accepted(match: Match, by: str, action: Action) -> None:
    try:
        match.act(by, action)
    except RuleError as error:
        raise Lie(f"but {action_json(action)} is refused: {error}") from None


def _climbing(match: Match) -> HandState:
    """The hand of a climbing game: no other game proposes cards to play."""
    assert isinstance(match.hand, State)
    return match.hand


def _may_be_played(match: Match, by: str, cards: Cards, as_: str | None = None) -> None:
    """If they held these besides their own."""
    hand = _climbing(match)
    _must_be_accepted(match.but(hand=_holding(hand, by, cards)), by, Play(cards, as_))


def _holding(hand: HandState, by: str, cards: Cards) -> HandState:
    more = tuple(card for card in dict.fromkeys(cards) for _ in range(cards.count(card) - hand.cards[by].count(card)))
    return hand.with_cards(by, tuple(sorted((*hand.cards[by], *more), key=hand.rules.order)))


def _check_group(match: Match, by: str, one: OfGroup, rng: Random) -> None:
    """Every group at one size at least, with and without wild cards."""
    possible = [(group, size) for group in one.groups for size in one.sizes if len(group) >= size]
    if not possible:
        raise Lie(f"but nothing is “{one.words}”")
    for group, size in rng.sample(possible, min(len(possible), 4 * SAMPLES)):
        some = [tuple(rng.sample(group, size))]
        if one.wild and size > 1:
            wild = rng.randint(1, min(size - 1, len(one.wild)))
            some.append((*rng.sample(group, size - wild), *rng.sample(one.wild, wild)))
        for cards in filter(one.covers, some):
            _may_be_played(match, by, cards)


def _check_kind(match: Match, by: str, one: OfKind, some: Sequence[Found], rng: Random) -> None:
    """Some that it covers; now and then, that there is such a thing at all."""
    covered = [(cards, reading) for cards, reading in some if one.covers(reading)]
    hand = _climbing(match)
    for cards, reading in rng.sample(covered, min(len(covered), SAMPLES)):
        named = hand.rules.named(reading)
        several = len({hand.rules.named(other) for other in hand.rules.readings(hand, cards)}) > 1
        _may_be_played(match, by, cards, named if several and named else None)
    if not covered and rng.random() < SOUGHT:
        every = chain.from_iterable(_combinations(match, cards) for cards in _draws(match.deck()))
        if not any(one.covers(reading) for _, reading in every):
            raise Lie(f"but nothing is “{one.words}”")


def _combinations(match: Match, cards: Cards) -> Iterator[Found]:
    """What these cards could be led as, without those that lie on the table."""
    hand = match.hand
    if not isinstance(hand, State) or hand.phase != "play":
        return
    lying = set[Card]() if hand.table is None else set(hand.table.combination.cards)
    held = tuple(sorted(set(cards) - lying, key=hand.rules.order))
    by = hand.to_act[0]
    lead = hand.but(trick=Trick(), opened=True, cards={**hand.cards, by: held})
    for readings in islice(hand.rules.found(lead, held), SEARCHED):
        yield from ((reading.cards, reading) for reading in readings)


def _draws(deck: Cards) -> Iterator[Cards]:
    """Yield all cards of two ranks next to each other or nearly, then these with all of a suit, for every such choice;
    the highest first.

    Nearly: where three aces lie on the table, only the twos with kings make a higher full house. By themselves: of all
    runs that there are with a suit, those of pairs come too late to be found.
    """
    near = [RANKS[low] + RANKS[low + far] for far in (1, 2) for low in reversed(range(len(RANKS) - far))]
    for suits in ("", "cdhs"):
        for ranks in (*near, "47"):
            for suit in suits or ("",):
                yield _of(deck, suit, ranks)


def _drawn(deck: Cards, rng: Random) -> Cards:
    low = rng.randrange(len(RANKS))
    return _of(deck, rng.choice("cdhs"), RANKS[low : low + 2] if low else "47")


def _of(deck: Cards, suit: str, ranks: str) -> Cards:
    return tuple(card for card in deck if card[1] == suit or card[0] in ranks or card[0] == "X")


def _check_whole(match: Match, by: str, error: RuleError) -> None:
    """Whatever may be played is covered by what is said."""
    hand = _climbing(match)
    proposed = [one for one in error.would_do if isinstance(one, OfGroup | OfKind)]
    if by != hand.turn or (not proposed and error.would_do != (Pass(),)):
        return
    for play in islice((play for _, play in match.legal(by) if isinstance(play, Play)), LISTED):
        if not any(_says(hand, one, play.cards) for one in proposed) and not _has_wild(hand, play.cards):
            raise Lie(f"but {in_words(play.cards)} may be played, and is not said")


def _says(hand: HandState, one: OfGroup | OfKind, cards: Cards) -> bool:
    if isinstance(one, OfGroup):
        return one.covers(cards)
    return any(one.covers(reading) for reading in hand.rules.readings(hand, cards))


def _has_wild(hand: HandState, cards: Cards) -> bool:
    """Wild cards may be played in more ways than a sentence has room for."""
    return any(card[0] in hand.rules.wild() or Card(card).is_joker for card in cards)
