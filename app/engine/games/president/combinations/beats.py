"""What beats what [PRES-15 … PRES-21]: sizes, equal plays, suits and colours, and what sets of four set off.

`Beating` puts together sets, sequences, poker hands and powers for some options, and answers for one play on another.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain
from typing import TypeAlias

from app.engine.base.caching import kept
from app.engine.base.messages import Sentence
from app.engine.base.options import Choice, Options, Section, Switch, flag
from app.engine.cards.cards import Card, Cards, in_words
from app.engine.climbing.choices import BOMBED
from app.engine.climbing.combinations import KIND_OF_SET, SINGLE, Combination, chosen
from app.engine.climbing.effects import Effect, EndTrick, Invert, Reverse, Skip, Tell
from app.engine.climbing.rule_hooks import OF_ONE_RANK, ONE_CARD
from app.engine.climbing.state import Laid
from app.engine.climbing.suggestion_data import OfKind, Proposal
from app.engine.games.president.combinations import poker_hands, sequences
from app.engine.games.president.combinations.card_powers import (
    BOMBS,
    HIGH_THREE,
    SEEN_THROUGH,
    SPADE_THREE,
    TRUMPS,
    AnyTime,
    FourOfARank,
    HighThree,
    OnAJoker,
    Transparent,
    powers,
)
from app.engine.games.president.combinations.cards import LOWEST, WILD, CardMeanings, toronto
from app.engine.games.president.combinations.requirements import Demand
from app.engine.games.president.combinations.sequences import SHORTEST_RUN, Sequences
from app.engine.games.president.combinations.sets import Reds, count_red
from app.engine.games.president.combinations.sets import candidates as candidate_sets
from app.engine.games.president.combinations.sets import readings as set_readings

EQUAL_PLAYS = Switch(
    id="PRES-16",
    also="same rank skip burn skip",
    key="equal_plays",
    domain=Choice(
        {
            "no": "A play must be higher",
            "allowed": "Equal plays are good",
            "skip": "Equal plays skip the next player",
        }
    ),
    default="no",
    sentence="Whether a set of the same rank and number beats too, and skips the next player who could act. Where "
    "larger sets beat, so does a larger set of the same rank, and it skips as many as it has cards.",
    example="Seven on seven: with “skip” the next player loses this turn.",
)
FOUR_OF_A_KIND = Switch(
    id="PRES-21",
    also="kakumei 革命 revolution gémíng",
    key="four_of_a_kind",
    domain=Choice(
        {
            "normal": "Nothing special",
            "inverts": "Turns the ranks upside down",
            "inverts_and_reverses": "Turns the ranks and the direction of play",
        }
    ),
    default="normal",
    sentence="What a set of four or more sets off (a revolution), until the end of the hand or the next such set.",
    example="After 8♣ 8♦ 8♥ 8♠ a three beats a four.",
    label="Four of a kind",
)

SET_SIZE = Switch(
    id="PRES-15",
    also="number of cards 枚数 张数",
    key="set_size",
    domain=Choice(
        {
            "exact": "The same number of cards, higher",
            "larger_if_higher": "As many or more, higher",
            "larger_wins": "More cards of any rank, or the same number, higher",
        }
    ),
    default="exact",
    sentence="What beats a set.",
    example="With “larger wins” 5♣ 5♦ beats a single nine, and three fours beat the fives.",
)

SKIP_BEST = Switch(
    id="PRES-17",
    also="unskippable",
    key="skip_best",
    domain=flag("No equal play on the best rank", "Equal plays on any rank"),
    default=True,
    sentence="Whether the best rank in force and jokers may be met by an equal play. A higher suit or a reversed "
    "colour beats them in any case, and skips nobody there.",
    example="Without it, one two does not go on a two unless its suit or colour beats. More of them do only where more "
    "cards beat by their number.",
    permits=True,
)

SUIT_RANKING = Switch(
    id="PRES-18",
    also="order of suits スートの強弱 花色大小",
    key="suit_ranking",
    domain=Choice({"none": "Suits don’t count", "shdc": "Spades, hearts, diamonds, clubs"}),
    default="none",
    sentence="At equal rank, the single of higher suit beats, and the pair with the higher top suit.",
    example="7♦ beats 7♣; 7♠ 7♣ beats 7♥ 7♦.",
)

COLOUR_REVERSAL = Switch(
    id="PRES-19",
    also="opposite colours red and black",
    key="colour_reversal",
    domain=flag("Colours don’t count", "The same rank in reversed colours beats"),
    default=False,
    sentence="At equal rank and number a play beats if every colour is reversed.",
    example="5♠ beats 5♥; 7♥ 7♦ beats 7♠ 7♣; red and black beats black and red.",
)

FOLLOW_SUIT = Switch(
    id="PRES-20",
    also="same suit マストフォロー 跟花色",
    key="follow_suit",
    domain=flag("Any suit", "A single must be beaten in its own suit"),
    default=False,
    sentence="A single card is beaten only by a higher one of its own suit, or by a card with a power of its own.",
    example="On 7♣ a king of diamonds is no good, the eight of clubs is.",
)

SECTION = Section(
    "beating",
    "Beating",
    (
        SET_SIZE,
        EQUAL_PLAYS,
        SKIP_BEST,
        SUIT_RANKING,
        COLOUR_REVERSAL,
        FOLLOW_SUIT,
        FOUR_OF_A_KIND,
        sequences.SWITCH,
        sequences.SUITS,
        sequences.RANKS,
        sequences.BEATS,
        SPADE_THREE,
        poker_hands.SWITCH,
        BOMBS,
    ),
    tells=3,
)

CONFLICTS = (
    toronto(FOUR_OF_A_KIND),
    toronto(sequences.SWITCH),
    toronto(poker_hands.SWITCH),
)

Side: TypeAlias = tuple[int, float]
"""Size and level of a set."""


def _exact(new: Side, on: Side) -> bool:
    return new[0] == on[0] and new[1] > on[1]


def _larger_if_higher(new: Side, on: Side) -> bool:
    return new[0] >= on[0] and new[1] > on[1]


def _larger_wins(new: Side, on: Side) -> bool:
    return new[0] > on[0] or _exact(new, on)


SIZES_BEAT: dict[str, Callable[[Side, Side], bool]] = {
    "exact": _exact,
    "larger_if_higher": _larger_if_higher,
    "larger_wins": _larger_wins,
}
"""Whether one ordinary set beats another, for each value of `set_size`."""

SUITS_UP = {"none": "", "shdc": "cdhs"}
"""The suits from the low end, for each value of `suit_ranking`."""

FOUR_SETS_OFF: dict[str, tuple[Callable[[str], Effect], ...]] = {
    "normal": (),
    "inverts": (Invert,),
    "inverts_and_reverses": (Invert, Reverse),
}
"""What follows a set of four, for each value of `four_of_a_kind`."""


SETS_KEPT = 256
"""Choices of cards whose readings as sets are remembered under some options."""

ANY: tuple[Reds, ...] = (None,)
"""Sets with any number of red cards are wanted."""


OF_THE_SUIT = Sentence("noun.card_of_the_suit", "card of the same suit")
A_RUN = Sentence("what.a_run", "a run of three or more")
WIDE_RUNS = Sentence("what.wide_runs", "a run of pairs, triples or fours")
POKER_HAND = Sentence("what.poker_hand", "a five-card hand of poker")


class Beating:
    """Readings and comparisons under some options. `inverted` comes from the hand."""

    def __init__(self, faces: CardMeanings, options: Options) -> None:
        self.faces = faces
        self.set_readings = lru_cache(SETS_KEPT)(partial(set_readings, faces))
        """What cards are as sets: asked again and again for the same cards."""
        self._higher = kept(SETS_KEPT, self._is_higher)
        self._higher_ranks = kept(SETS_KEPT, self._find_higher_ranks)
        self._higher_cards = kept(SETS_KEPT, self._find_higher_cards)
        self._sets_of_rank = kept(SETS_KEPT, self._find_sets_of_rank)
        self.sequences = Sequences(faces, options)
        self.poker = poker_hands.poker_hands(faces, options)
        self.powers = powers(faces, options)
        self.by_role = {power.role: power for power in self.powers}
        self.transparent = next((power for power in self.powers if isinstance(power, Transparent)), None)
        self.high_three = next((power for power in self.powers if isinstance(power, HighThree)), None)
        self.bomb = next((power for power in self.powers if isinstance(power, FourOfARank)), None)
        self.any_time = next((power for power in self.powers if isinstance(power, AnyTime)), None)
        self.size_beats = SIZES_BEAT[options[SET_SIZE]]
        self.sizes_up = options[SET_SIZE] != "exact"
        self.larger_wins = options[SET_SIZE] == "larger_wins"
        self.equal_good = options[EQUAL_PLAYS] != "no"
        self.equal_skips = options[EQUAL_PLAYS] == "skip"
        self.equal_on_best = options[SKIP_BEST]
        self.suits = SUITS_UP[options[SUIT_RANKING]]
        self.colours = options[COLOUR_REVERSAL]
        self.follow_suit = options[FOLLOW_SUIT]
        self.by_suit = bool(self.suits or self.colours or self.follow_suit)
        """Whether of cards of the same rank one may beat what the other does not."""
        self.by_rank = not (self.by_suit or self.powers or self.poker or self.sequences.widths)
        """Whether there are only sets, and rank and size decide between those without wild cards."""
        self.wild_tie = faces.wild_tie
        self.four_sets_off = FOUR_SETS_OFF[options[FOUR_OF_A_KIND]]
        self.singles_set_off = options[FOUR_OF_A_KIND] == "inverts_and_reverses"

    # Reading ---------------------------------------------------------------------------------------------------

    def readings(self, cards: Cards, on: Combination | None, *, inverted: bool) -> Sequence[Combination]:
        """Everything that these cards may be at this table: powers first, then sets, then five-card kinds and runs."""
        if self.by_rank:
            return self.set_readings(cards, inverted)
        sets = () if self._is_mixed(cards) else self.set_readings(cards, inverted)
        return self._completed(cards, sets, on, inverted=inverted)

    def _completed(
        self, cards: Cards, sets: Sequence[Combination], on: Combination | None, *, inverted: bool
    ) -> list[Combination]:
        """The readings of cards that as sets are these."""
        found = [*(self._powered(sets, on, inverted=inverted) if self.powers and sets else sets)]
        if found and found[0].role == OnAJoker.role:
            return found
        if self.poker is not None and (hand := self.poker.reading(cards, inverted=inverted)) is not None:
            found.append(hand)
        elif len(cards) >= 3 and self.sequences.widths:
            found += self.sequences.readings(cards, inverted=inverted)
        return found

    def _powered(self, sets: Sequence[Combination], on: Combination | None, *, inverted: bool) -> Sequence[Combination]:
        """What sets are by powers, and those that have none."""
        found, plain = list[Combination](), list[Combination]()
        for reading in sets:
            powered = [one for power in self.powers for one in power.readings(reading, on, inverted=inverted)]
            if powered and powered[0].role == OnAJoker.role:
                return powered[:1]
            found += powered
            if not powered:
                plain.append(reading)
        return found + plain

    def candidates(
        self, held: Cards, on: Combination | None, *, inverted: bool, must: Card | None = None
    ) -> Iterator[Cards]:
        """Different choices of cards that may be played on this, and few others: those of `found`."""
        return (some[0].cards for some in self.found(held, on, inverted=inverted, must=must) if some)

    def found(
        self, held: Cards, on: Combination | None, *, inverted: bool, must: Card | None = None
    ) -> Iterator[Sequence[Combination]]:
        """The readings of different choices of cards that may be played on this, smallest first within each family;
        each with the card that it must have. Few others: there may be very many, and whoever looks for one should find
        it soon. What is known from how cards were chosen is not read from them again."""
        to_beat = None if on is not None and self.is_open(on, inverted=inverted) else on
        sizes = self.sizes(to_beat, min(len(held), self.faces.largest))

        def wanted(rank: str, size: int, wild: bool) -> tuple[Reds, ...]:
            return ANY if to_beat is None else self.wanted(rank, size, to_beat, wild=wild, inverted=inverted)

        levels, runs = self.faces.levels(inverted=inverted), self.sequences.widths
        for cards, rank, stand_ins in candidate_sets(self.faces, held, sizes, wanted, must):
            sets = self.set_readings(cards, inverted) if not rank else _a_set(cards, rank, levels[rank])
            if stand_ins and rank and runs and len(cards) >= SHORTEST_RUN and len(cards) - stand_ins <= runs[-1]:
                yield self._completed(cards, sets, on, inverted=inverted)
            elif self.powers and (on is not None or len(cards) == 1):  # of what is led, single cards have powers
                yield self._powered(sets, on, inverted=inverted)
            else:
                yield sets
        if self.poker is not None and (to_beat is None or to_beat.kind in poker_hands.KINDS):
            for cards in self.poker.candidates(held, to_beat, inverted=inverted):
                if must is None or must in cards:
                    yield self._completed(cards, (), on, inverted=inverted)
        if runs and (to_beat is None or to_beat.kind in sequences.KINDS.values()):
            for cards, run, stand_ins in self.sequences.chosen(held, to_beat, inverted=inverted, must=must):
                if stand_ins and cards[0][0] == cards[-1 - stand_ins][0]:
                    if len(cards) not in sizes or not self.set_readings(cards, False):  # else they are listed already
                        yield self.readings(cards, on, inverted=inverted)
                elif run is None:
                    yield self.sequences.readings(cards, inverted=inverted)
                elif self.poker is None or self.poker.reading(cards, inverted=False) is None:
                    yield (run,)

    def natural_sets(self, held: Cards, on: Combination | None, *, inverted: bool) -> Iterator[tuple[Combination, ...]]:
        """Everything that may be played on this, smallest first, where the game is `by_rank` and no wild card is held:
        what the ranks say need not be asked of every choice of cards."""
        if on is not None and not self.sizes_up:
            return iter(self._sets_of_size(held, len(on.cards), on, inverted=inverted))
        sizes = self.sizes(on, min(len(held), 4 * self.faces.packs))
        return chain.from_iterable(self._sets_of_size(held, size, on, inverted=inverted) for size in sizes)

    def _sets_of_size(
        self, held: Cards, size: int, on: Combination | None, *, inverted: bool
    ) -> list[tuple[Combination, ...]]:
        """Those of so many cards, in the order held."""
        if size == 1:
            higher, each = self._higher_cards(on, inverted), held if self.faces.packs == 1 else dict.fromkeys(held)
            return [higher[card] for card in each if card in higher]
        ranks = self._higher_ranks(on, size, inverted)
        return [
            one
            for rank, cards in self.faces.grouped(held)[1]
            if len(cards) >= size and rank in ranks
            for one in self._sets_of_rank(cards, size, inverted)
        ]

    def _find_sets_of_rank(self, cards: Cards, size: int, inverted: bool) -> tuple[tuple[Combination, ...], ...]:
        """What choices of so many of some cards of one rank are, as sets."""
        return tuple([self.set_readings(some, inverted) for some in chosen(cards, size)])

    def _find_higher_ranks(self, on: Combination | None, size: int, inverted: bool) -> frozenset[str]:
        """The ranks of which so many cards, none of them wild, beat this by rank and size; all of them lead."""
        if on is None:
            return self.faces.ranks
        return frozenset(
            rank for rank in self.faces.ranks if self.wanted(rank, size, on, wild=False, inverted=inverted)
        )

    def _find_higher_cards(self, on: Combination | None, inverted: bool) -> dict[Card, tuple[Combination, ...]]:
        """The single cards that do, each as it is read."""
        ranks = self._find_higher_ranks(on, 1, inverted)
        return {card: self.set_readings((card,), inverted) for card, rank in self.faces.ranked() if rank in ranks}

    def sizes(self, on: Combination | None, largest: int) -> range:
        """Return the sizes of sets that may beat this, or lead: powers play fewer cards than lie there, or with two
        packs more."""
        if on is None:
            return range(1, largest + 1)
        bombs = self.bomb.most if self.bomb is not None else 0
        if on.kind not in KIND_OF_SET:
            return range(1, 1 + min(max(bool(self.powers), bombs), largest))
        if (
            on.rank == HIGH_THREE
            or on.role in TRUMPS
            or (self.follow_suit and on.size == 1 and not on.cards[0].is_joker)
        ):
            return range(1, 1 + max(1, min(bombs, largest)))
        most = largest if self.sizes_up else max(on.size, *(power.most_cards(on) for power in self.powers), 0)
        return range(1 if self.powers else on.size, min(most, largest) + 1)

    def wanted(self, rank: str, size: int, on: Combination, *, wild: bool, inverted: bool) -> tuple[Reds, ...]:
        """Return which sets of this rank and size, with or without wild cards, could beat what lies there."""
        if any(power.may_have(rank, size, on, wild=wild) for power in self.powers):
            return ANY
        return self.plainly_wanted(rank, size, on, wild=wild, inverted=inverted)

    def plainly_wanted(self, rank: str, size: int, on: Combination, *, wild: bool, inverted: bool) -> tuple[Reds, ...]:
        """Return the same of sets that are played without a power."""
        if on.kind not in KIND_OF_SET:
            return ()
        theirs = len(on.cards)
        if rank == on.rank:
            if size == theirs:
                return self._wanted_equal(on, wild=wild, inverted=inverted)
            larger_equal = size > theirs and self.sizes_up and self.equal_good
            if larger_equal and not self._spared(on.rank, inverted=inverted):
                return ANY
        return ANY if self._higher(rank, size, on.rank, theirs, inverted) else ()

    def _wanted_equal(self, on: Combination, *, wild: bool, inverted: bool) -> tuple[Reds, ...]:
        theirs = self._has_wild(on)
        if self._wild_wins_tie(wild, theirs):
            return ANY
        spared = self._spared(on.rank, inverted=inverted)
        if self.equal_good and not spared and (self.wild_tie == "equal" or wild == theirs):
            return ANY
        if self.suits and on.size <= 2 and not (wild or theirs):
            return ANY
        return (on.size - count_red(on.cards),) if self.colours else ()

    def _is_mixed(self, cards: Cards) -> bool:
        """Whether these are no set at a glance: of several ranks, none of them wild, as most runs are."""
        one, other = cards[0], cards[-1]
        return one[0] != other[0] and self.faces.rank(one) != self.faces.rank(other) and not self.faces.has_wild(cards)

    # Beating ---------------------------------------------------------------------------------------------------

    def beats(self, new: Combination, on: Combination, *, inverted: bool) -> bool:
        """Whether one play beats what lies on the table."""
        if self.by_rank and not self.faces.has_wild(new.cards):
            return new.rank in self._higher_ranks(on, len(new.cards), inverted)
        if not self.powers:
            return self._plainly_beats(new, on, inverted=inverted)
        mine = self.by_role.get(new.role)
        if self.bomb is not None and mine is self.bomb and self.bomb.beats(new, on):
            return True
        if new.role == OnAJoker.role or self.is_open(on, inverted=inverted):
            return True
        if self.transparent is not None and self.transparent.never_beats(new.cards, on):
            return False
        if mine is not None and mine.beats(new, on):
            return True
        theirs = self.high_three if on.rank == HIGH_THREE else self.by_role.get(on.role)
        if theirs is not None and mine is not theirs:
            answer = theirs.beaten(new, on)
            if answer is not None:
                return answer
        if on.role and mine is theirs and on.role in TRUMPS:
            return False
        if new.role in SEEN_THROUGH:
            return False
        return self._plainly_beats(new, on, inverted=inverted)

    def is_open(self, on: Combination, *, inverted: bool) -> bool:
        """Whether anything at all may be played on this."""
        return self.any_time is not None and self.any_time.opens(on, inverted=inverted)

    def _plainly_beats(self, new: Combination, on: Combination, *, inverted: bool) -> bool:
        if on.kind not in KIND_OF_SET or new.kind not in KIND_OF_SET:
            if self.poker is not None and new.kind in poker_hands.KINDS and on.kind in poker_hands.KINDS:
                return self.poker.beats(new, on)
            return new.kind == on.kind and self.sequences.beats(new, on, inverted=inverted)
        if new.rank == LOWEST or (self.follow_suit and not self._follows_suit(new, on, by_power=True)):
            return False
        mine, theirs = len(new.cards), len(on.cards)
        if new.rank == on.rank:
            if self.equal_play(new, on, inverted=inverted) or self._beats_by_suit(new, on, inverted=inverted):
                return True
            if mine == theirs:
                return self._wild_wins_tie(self._has_wild(new), self._has_wild(on))
        return self._higher(new.rank, mine, on.rank, theirs, inverted)

    def _is_higher(self, rank: str, size: int, on: str, on_size: int, inverted: bool) -> bool:
        """Whether a set of this rank and size beats another by rank and size alone."""
        # A revolution leaves a single high three where it is, between ace and two.
        inverted = inverted and HIGH_THREE not in (rank, on)
        mine, theirs = self.level(rank, inverted=inverted), self.level(on, inverted=inverted)
        return self.size_beats((size, mine), (on_size, theirs))

    def level(self, rank: str, *, inverted: bool) -> float:
        """How high a set of this rank stands."""
        # By rank, not by the strength it was played with: the ranks may have been turned since.
        if rank == HIGH_THREE and self.high_three is not None:
            return self.high_three.level
        return self.faces.level(rank, inverted=inverted)

    def _is_equal(self, new: Combination, on: Combination) -> bool:
        return new.rank == on.rank and (new.size == on.size or (self.sizes_up and new.size > on.size))

    def _follows_suit(self, new: Combination, on: Combination, *, by_power: bool) -> bool:
        if not self.follow_suit or on.size != 1 or (by_power and new.role):
            return True
        if on.cards[0].is_joker or (new.size == 1 and new.cards[0].is_joker):
            return True
        return new.size == 1 and new.cards[0].suit == on.cards[0].suit

    def _wild_wins_tie(self, mine: bool, theirs: bool) -> bool:
        """Whether my equal set beats, given who has wild cards in theirs (PRES-13)."""
        if self.wild_tie == "equal" or mine == theirs:
            return False
        return mine == (self.wild_tie == "wild_wins")

    def _has_wild(self, combination: Combination) -> bool:
        return self.faces.has_wild(combination.cards)

    def equal_play(self, new: Combination, on: Combination, *, inverted: bool) -> bool:
        """Whether this is an equal play that the options allow: same rank (a larger set too, where larger ones beat).

        Where larger sets win by their number alone, one that is no equal play beats all the same.
        """
        if new.kind not in KIND_OF_SET or on.kind not in KIND_OF_SET or not self._is_equal(new, on):
            return False
        if new.role in (*SEEN_THROUGH, *TRUMPS, OnAJoker.role):
            return False
        if self._spared(on.rank, inverted=inverted):
            return False
        if not self._follows_suit(new, on, by_power=False):
            return False
        if new.size != on.size:
            return self.equal_good
        mine, theirs = self._has_wild(new), self._has_wild(on)
        tied = self.wild_tie == "equal" or mine == theirs
        return (self.equal_good and tied) or self._beats_by_suit(new, on, inverted=inverted)

    def _beats_by_suit(self, new: Combination, on: Combination, *, inverted: bool) -> bool:
        """Return whether a set of the same rank and number beats another by its suits or colours, on the best rank too
        (PRES-18, PRES-19)."""
        if new.size != on.size or new.role in (*SEEN_THROUGH, *TRUMPS, OnAJoker.role):
            return False
        if not self._follows_suit(new, on, by_power=False):
            return False
        natural = not (self._has_wild(new) or self._has_wild(on))
        return (natural and self._higher_suit(new, on, inverted=inverted)) or self._reverses_colours(new, on)

    def _spared(self, rank: str, *, inverted: bool) -> bool:
        """Whether there is no equal play on this rank (PRES-17)."""
        return not self.equal_on_best and self._is_best(rank, inverted=inverted)

    def _is_best(self, rank: str, *, inverted: bool) -> bool:
        # Sets of wild cards are above everything, like jokers.
        if rank == HIGH_THREE and inverted:
            rank = "3"
        return rank in (WILD, self.faces.best(inverted=inverted)) or self.faces.is_joker_rank(rank)

    def _higher_suit(self, new: Combination, on: Combination, *, inverted: bool) -> bool:
        if not self.suits or new.size > 2 or any(card.is_joker for card in (*new.cards, *on.cards)):
            return False
        suits = self.suits[::-1] if inverted else self.suits

        def top(cards: Cards) -> int:
            return max(suits.index(card.suit) for card in cards)

        return top(new.cards) > top(on.cards)

    def _reverses_colours(self, new: Combination, on: Combination) -> bool:
        return self.colours and count_red(new.cards) == on.size - count_red(on.cards)

    # After a play ----------------------------------------------------------------------------------------------

    def turns(self, plays: tuple[Laid, ...]) -> Iterator[Effect]:
        """What the last of these plays turns: the ranks, the direction."""
        if self._sets_off(plays):
            for effect in self.four_sets_off:
                yield effect(FOUR_OF_A_KIND.id)

    def skips(self, plays: tuple[Laid, ...], *, inverted: bool, others: int) -> Iterator[Effect]:
        """Whom the last of these plays skips, being an equal one: at most `others`."""
        new = plays[-1].combination
        if len(plays) > 1:
            on = plays[-2].combination
            if self.equal_play(new, on, inverted=inverted):
                yield Skip(min(new.size, others) if new.size > on.size else 1, EQUAL_PLAYS.id)

    def _sets_off(self, plays: tuple[Laid, ...]) -> bool:
        new = plays[-1].combination
        if new.role in SEEN_THROUGH or new.kind not in KIND_OF_SET:
            return False
        if new.size >= 4:
            return True
        if not self.singles_set_off or new.size != 1:
            return False
        alike = 0
        for laid in reversed(plays):
            one = laid.combination
            if one.size != 1 or one.rank != new.rank or one.role in SEEN_THROUGH:
                break
            alike += 1
        return alike % 4 == 0

    def ending(self, laid: Laid) -> EndTrick | None:
        """The end of the trick, where its power makes one of a play."""
        power = self.by_role.get(laid.combination.role)
        return EndTrick(power.tells_end(laid.by)) if power is not None and power.ends(laid.combination) else None

    def telling(self, plays: tuple[Laid, ...]) -> tuple[Effect, ...]:
        """Return what is told of the last of these plays, which has a power of its own."""
        laid = plays[-1]
        power = self.by_role.get(laid.combination.role)
        if power is not None and power is self.bomb:
            plain, on = laid.combination.but(role=""), plays[-2].combination
            if self.beats(plain, on, inverted=laid.inverted):
                return ()
            return (Tell(BOMBED(laid.by, BOMBS.id, four=in_words(laid.combination.cards))),)
        told = None if power is None else power.tells(laid.by)
        return () if told is None else (Tell(told),)

    def turning(self, cause: str) -> tuple[Effect, ...]:
        """What runs and coups turn: what four of a kind turn, the ranks at least."""
        return tuple(effect(cause) for effect in self.four_sets_off or (Invert,))

    def demands(self, on: Combination) -> tuple[Demand, ...]:
        """What `beats` asks of the very cards of a play on this, powers apart."""
        if not self.follow_suit or on.size != 1 or on.cards[0].is_joker:
            return ()
        return (Demand(lambda new: self._follows_suit(new, on, by_power=False), OF_THE_SUIT()),)

    # In words --------------------------------------------------------------------------------------------------

    def kinds(self) -> list[Proposal]:
        """What may be played together."""
        found: list[Proposal] = [OfKind(ONE_CARD(), (SINGLE,)), OfKind(OF_ONE_RANK(), KIND_OF_SET[2:])]
        if self.sequences.widths:
            found.append(OfKind(A_RUN(), (sequences.KINDS[1],)))
        if len(self.sequences.widths) > 1:
            found.append(OfKind(WIDE_RUNS(), tuple(sequences.KINDS.values())[1:]))
        if self.poker is not None:
            found.append(OfKind(POKER_HAND(), poker_hands.KINDS))
        return found


def _a_set(cards: Cards, rank: str, level: int) -> tuple[Combination, ...]:
    """Cards of one rank, and wild ones that stand for it, as they are read."""
    return (Combination(KIND_OF_SET[len(cards)], cards, (level,), rank),)
