"""What beats what [PRES-15 … PRES-21]: sizes, equal plays, suits and colours, and effects of sets of four.

`PresidentCombinations` combines sets, runs, poker hands and card powers for some options, and compares plays.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain
from typing import TypeAlias

from app.engine.base.caching import weak_cached_method
from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Choice, Option, Options, Section, on_off_choice
from app.engine.cards.cards import Card, Cards, describe_cards
from app.engine.climbing.choices import BOMBED
from app.engine.climbing.combinations import KIND_OF_RUN, KIND_OF_SET, RUN, SINGLE, Combination, cached_choices
from app.engine.climbing.effects import Effect, EmitEvent, EndTrick, InvertForHand, ReverseDirection, SkipPlayers
from app.engine.climbing.rule_hooks import OF_ONE_RANK, ONE_CARD
from app.engine.climbing.state import PlayedCombination
from app.engine.climbing.suggestion_data import A_RUN, KindSuggestion, Suggestion
from app.engine.games.president.combinations import poker_hands, sequences
from app.engine.games.president.combinations.card_powers import (
    BOMBS,
    HIGH_THREE,
    SPADE_THREE,
    TRANSPARENT_ROLES,
    TRUMP_ROLES,
    AnyTimeCard,
    FourOfARankBomb,
    HighThree,
    SpadeThreeOnJoker,
    TransparentRank,
    build_card_powers,
)
from app.engine.games.president.combinations.cards import LOWEST, WILD, CardMeanings, conflict_with_toronto
from app.engine.games.president.combinations.requirements import PlayRequirement
from app.engine.games.president.combinations.sequences import SHORTEST_RUN, RunRules
from app.engine.games.president.combinations.sets import (
    RedCount,
    count_red,
    find_candidate_sets as candidate_sets,
    find_set_readings as set_readings,
)

EQUAL_PLAYS = Option(
    id="PRES-16",
    also="same rank skip burn skip",
    key="equal_plays",
    domain=Choice(
        {
            "no": "A play must be higher",
            "allowed": "Equal plays are allowed",
            "skip": "Equal plays skip the next player",
        }
    ),
    default="no",
    sentence="Decides whether a set of the same rank and size can be played on a set. With “skip”, it also "
    "skips the next player. If larger sets beat smaller ones, a larger set of the same rank skips "
    "one player for each of its cards.",
    example="Seven on seven: with “Equal plays skip the next player”, the next player loses this turn.",
)
FOUR_OF_A_KIND = Option(
    id="PRES-21",
    also="kakumei 革命 revolution gémíng",
    key="four_of_a_kind",
    domain=Choice(
        {
            "normal": "No effect",
            "inverts": "Reverses the rank order",
            "inverts_and_reverses": "Reverses the rank order and the direction of play",
        }
    ),
    default="normal",
    sentence="Decides what happens after a set of four or more cards. The effect lasts until the "
    "hand ends or until the next such set.",
    example="After 8♣ 8♦ 8♥ 8♠ a three beats a four.",
    label="Revolution (four of a kind)",
    short={
        "inverts": "Each four of a kind reverses the ranks for the hand.",
        "inverts_and_reverses": "Four of a kind reverses ranks and direction for the hand.",
    },
)

SET_SIZE = Option(
    id="PRES-15",
    also="number of cards 枚数 张数",
    key="set_size",
    domain=Choice(
        {
            "exact": "The same number of cards, higher",
            "larger_if_higher": "The same number or more cards, higher",
            "larger_wins": "More cards of any rank, or the same number, higher",
        }
    ),
    default="exact",
    sentence="Decides which sets can be played on a set.",
    example="With “More cards of any rank”, 5♣ 5♦ beats a single nine, and three fours beat the fives.",
    short={
        "larger_if_higher": "More cards beat fewer if their rank is higher.",
        "larger_wins": "More cards beat fewer.",
    },
)

SKIP_BEST = Option(
    id="PRES-17",
    also="unskippable",
    key="skip_best",
    label="Equal best rank",
    domain=on_off_choice("No equal play on the best rank", "Equal plays on any rank"),
    default=True,
    sentence="Decides whether an equal play is allowed on the current best rank and on jokers. A higher suit "
    "or a reversed colour always beats them, and skips nobody.",
    example="With “No equal play on the best rank”, one two beats another two only by suit or colour. More "
    "twos beat it only if larger sets win.",
    is_permission=True,
)

SUIT_RANKING = Option(
    id="PRES-18",
    also="order of suits スートの強弱 花色大小",
    key="suit_ranking",
    domain=Choice({"none": "Suits don’t count", "shdc": "Spades, hearts, diamonds, clubs"}),
    default="none",
    sentence="Decides whether suits break ties between equal ranks. The single of the higher suit wins, and "
    "the pair with the higher top suit.",
    example="7♦ beats 7♣; 7♠ 7♣ beats 7♥ 7♦.",
    short={"shdc": "Among equal ranks, suits decide: ♣ ♦ ♥ ♠."},
)

COLOUR_REVERSAL = Option(
    id="PRES-19",
    also="opposite colours red and black",
    key="colour_reversal",
    domain=on_off_choice("Colours don’t count", "The same rank in opposite colours wins"),
    default=False,
    sentence="Decides whether a play of the same rank and size wins if each of its colours is the opposite one.",
    example="5♠ beats 5♥; 7♥ 7♦ beats 7♠ 7♣; red and black beats black and red.",
    short={True: "The same rank in opposite colours beats a play."},
)

FOLLOW_SUIT = Option(
    id="PRES-20",
    also="same suit マストフォロー 跟花色",
    key="follow_suit",
    domain=on_off_choice("Any suit", "A single must be beaten in its own suit"),
    default=False,
    sentence="Decides whether a single card must be beaten in its suit. Cards with a special power are exempt.",
    example="On 7♣ you can’t play K♦, but you can play 8♣.",
    short={True: "Beat a single card in its suit."},
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
    importance=3,
)

CONFLICTS = (
    conflict_with_toronto(FOUR_OF_A_KIND),
    conflict_with_toronto(sequences.SWITCH),
    conflict_with_toronto(poker_hands.SWITCH),
)

SetSizeAndLevel: TypeAlias = tuple[int, float]
"""Number of cards and level of a set."""


def _beats_at_same_size(new: SetSizeAndLevel, on: SetSizeAndLevel) -> bool:
    return new[0] == on[0] and new[1] > on[1]


def _beats_if_higher_and_no_smaller(new: SetSizeAndLevel, on: SetSizeAndLevel) -> bool:
    return new[0] >= on[0] and new[1] > on[1]


def _beats_if_larger_or_higher(new: SetSizeAndLevel, on: SetSizeAndLevel) -> bool:
    return new[0] > on[0] or _beats_at_same_size(new, on)


SET_COMPARISONS: dict[str, Callable[[SetSizeAndLevel, SetSizeAndLevel], bool]] = {
    "exact": _beats_at_same_size,
    "larger_if_higher": _beats_if_higher_and_no_smaller,
    "larger_wins": _beats_if_larger_or_higher,
}
"""Returns whether one ordinary set beats another, for each value of `set_size`."""

SUITS_UP = {"none": "", "shdc": "cdhs"}
"""Suits from low to high, for each value of `suit_ranking`; empty if suits do not count."""

FOUR_OF_A_KIND_EFFECTS: dict[str, tuple[Callable[[str], Effect], ...]] = {
    "normal": (),
    "inverts": (InvertForHand,),
    "inverts_and_reverses": (InvertForHand, ReverseDirection),
}
"""The effects of a set of four, for each value of `four_of_a_kind`."""


SET_READINGS_CACHED = 256
"""Size of the caches for set readings and comparisons, for one set of options."""

ANY_RED_COUNT: tuple[RedCount, ...] = (None,)
"""All sets are wanted, with any number of red cards."""


OF_THE_SUIT = MessageTemplate("president.of_the_suit", "{play} of the same suit")
WIDE_RUNS = MessageTemplate("what.wide_runs", "a run of pairs, triples or fours")
POKER_HAND = MessageTemplate("what.poker_hand", "a five-card poker hand")


class PresidentCombinations:
    """Reads and compares President's combinations under some options. `inverted`: the ranks are upside down now."""

    def __init__(self, faces: CardMeanings, options: Options) -> None:
        self.card_meanings = faces
        self.read_sets = lru_cache(SET_READINGS_CACHED)(partial(set_readings, faces))
        """Returns the readings of cards as sets; cached, because the same cards are read repeatedly."""
        self._is_higher_cached = weak_cached_method(SET_READINGS_CACHED, self._is_higher)
        self._higher_ranks_cached = weak_cached_method(SET_READINGS_CACHED, self._find_higher_ranks)
        self._higher_cards_cached = weak_cached_method(SET_READINGS_CACHED, self._find_higher_cards)
        self._sets_of_rank_cached = weak_cached_method(SET_READINGS_CACHED, self._find_sets_of_rank)
        self.sequences = RunRules(faces, options)
        self.poker = poker_hands.build_poker_hands(faces, options)
        self.powers = build_card_powers(faces, options)
        self.power_by_role = {power.role: power for power in self.powers}
        self.transparent_power = next((power for power in self.powers if isinstance(power, TransparentRank)), None)
        self.high_three_power = next((power for power in self.powers if isinstance(power, HighThree)), None)
        self.bomb_power = next((power for power in self.powers if isinstance(power, FourOfARankBomb)), None)
        self.any_time_power = next((power for power in self.powers if isinstance(power, AnyTimeCard)), None)
        self.set_beats = SET_COMPARISONS[options[SET_SIZE]]
        self.larger_sets_may_beat = options[SET_SIZE] != "exact"
        self.allows_equal_plays = options[EQUAL_PLAYS] != "no"
        self.equal_play_skips = options[EQUAL_PLAYS] == "skip"
        self.allows_equal_on_best = options[SKIP_BEST]
        self.suits = SUITS_UP[options[SUIT_RANKING]]
        self.reversed_colours_beat = options[COLOUR_REVERSAL]
        self.follow_suit = options[FOLLOW_SUIT]
        self.suits_matter = bool(self.suits or self.reversed_colours_beat or self.follow_suit)
        """Whether cards of the same rank can differ in what they beat."""
        self.compares_by_rank_only = not (self.suits_matter or self.powers or self.poker or self.sequences.widths)
        """Whether there are only sets, and sets without wild cards compare by rank and size alone."""
        self.wild_tie = faces.wild_tie
        self.four_of_a_kind_effects = FOUR_OF_A_KIND_EFFECTS[options[FOUR_OF_A_KIND]]
        self.four_singles_invert = options[FOUR_OF_A_KIND] == "inverts_and_reverses"

    # Reading ---------------------------------------------------------------------------------------------------

    def readings(self, cards: Cards, on: Combination | None, *, inverted: bool) -> Sequence[Combination]:
        """Return every combination that these cards can be in President when played on `on`.

        Readings by a card's power come first, then sets of one rank, poker hands and runs. Empty if they form none.
        """
        if self.compares_by_rank_only:
            return self.read_sets(cards, inverted)
        sets = () if self._has_mixed_ranks(cards) else self.read_sets(cards, inverted)
        return self._add_poker_and_run_readings(cards, sets, on, inverted=inverted)

    def _add_poker_and_run_readings(
        self, cards: Cards, sets: Sequence[Combination], on: Combination | None, *, inverted: bool
    ) -> list[Combination]:
        """Return all readings of some cards in President: those as sets, which are given as `sets`, then poker hands or
        runs.

        A reading is one way to count cards as a combination. Special powers may add readings of sets, played on `on`.
        """
        found = [*(self._add_power_readings(sets, on, inverted=inverted) if self.powers and sets else sets)]
        if found and found[0].role == SpadeThreeOnJoker.role:
            return found
        if self.poker is not None and (hand := self.poker.read_poker_hand(cards, inverted=inverted)) is not None:
            found.append(hand)
        elif len(cards) >= 3 and self.sequences.widths:
            found += self.sequences.readings(cards, inverted=inverted)
        return found

    def _add_power_readings(
        self, sets: Sequence[Combination], on: Combination | None, *, inverted: bool
    ) -> Sequence[Combination]:
        """Return the readings of sets with special powers first, then the sets without a power.

        A reading is one way to count cards as a combination; `on` is the play to beat, or None. If the three of spades
        can beat a joker with them, only that reading is returned.
        """
        found, plain = list[Combination](), list[Combination]()
        for reading in sets:
            powered = [one for power in self.powers for one in power.powered_readings(reading, on, inverted=inverted)]
            if powered and powered[0].role == SpadeThreeOnJoker.role:
                return powered[:1]
            found += powered
            if not powered:
                plain.append(reading)
        return found + plain

    def candidate_plays(
        self, held: Cards, on: Combination | None, *, inverted: bool, must: Card | None = None
    ) -> Iterator[Cards]:
        """Yield different choices of held cards that include all playable ones on `on`, and few others.

        `on` is the play to beat; None for a lead. `must`: a card that each choice contains. The caller checks each
        choice.
        """
        return (some[0].cards for some in self.candidate_readings(held, on, inverted=inverted, must=must) if some)

    def candidate_readings(
        self, held: Cards, on: Combination | None, *, inverted: bool, must: Card | None = None
    ) -> Iterator[Sequence[Combination]]:
        """Yield the readings of different choices of held cards that may be played on `on`, and of few others.

        A reading is one way to count cards as a combination. `on` is the play to beat; None for a lead. Within sets,
        poker hands and runs, small ones come first. Each choice contains `must`, if given. There may be very many, so
        the search is lazy and quick to find the first one. Facts known from the search are not computed again.
        """
        to_beat = None if on is not None and self.accepts_any_play(on, inverted=inverted) else on
        sizes = self.possible_set_sizes(to_beat, min(len(held), self.card_meanings.max_wild_set_size))

        def red_counts(rank: str, size: int, wild: bool) -> tuple[RedCount, ...]:
            return (
                ANY_RED_COUNT
                if to_beat is None
                else self.red_counts_that_may_beat(rank, size, to_beat, wild=wild, inverted=inverted)
            )

        levels, runs = self.card_meanings.rank_levels(inverted=inverted), self.sequences.widths
        for cards, rank, stand_ins in candidate_sets(self.card_meanings, held, sizes, red_counts, must):
            sets = self.read_sets(cards, inverted) if not rank else _build_set_reading(cards, rank, levels[rank])
            if stand_ins and rank and runs and len(cards) >= SHORTEST_RUN and len(cards) - stand_ins <= runs[-1]:
                yield self._add_poker_and_run_readings(cards, sets, on, inverted=inverted)
            elif self.powers and (on is not None or len(cards) == 1):  # when leading, only single cards have powers
                yield self._add_power_readings(sets, on, inverted=inverted)
            else:
                yield sets
        if self.poker is not None and (to_beat is None or to_beat.kind in poker_hands.KINDS):
            for cards in self.poker.candidate_poker_hands(held, to_beat, inverted=inverted):
                if must is None or must in cards:
                    yield self._add_poker_and_run_readings(cards, (), on, inverted=inverted)
        if runs and (to_beat is None or to_beat.kind in KIND_OF_RUN.values()):
            for cards, run, stand_ins in self.sequences.candidate_runs_with_readings(
                held, to_beat, inverted=inverted, must=must
            ):
                size, rank = len(cards), cards[0][0]
                if stand_ins and rank == cards[-1 - stand_ins][0]:
                    if size not in sizes or not red_counts(rank, size, True):  # otherwise yielded above, as a set
                        yield self.readings(cards, on, inverted=inverted)
                elif run is None:
                    yield self.sequences.readings(cards, inverted=inverted)
                elif self.poker is None or self.poker.read_poker_hand(cards, inverted=False) is None:
                    yield (run,)

    def playable_natural_sets(
        self, held: Cards, on: Combination | None, *, inverted: bool
    ) -> Iterator[tuple[Combination, ...]]:
        """Yield every set of held cards that leads or beats `on`, smallest first.

        Only for rules with `compares_by_rank_only` and cards without wild ones. Then ranks are compared once, not for
        each choice of cards, which is faster.
        """
        if on is not None and not self.larger_sets_may_beat:
            return iter(self._sets_of_size(held, len(on.cards), on, inverted=inverted))
        sizes = self.possible_set_sizes(on, min(len(held), 4 * self.card_meanings.packs))
        return chain.from_iterable(self._sets_of_size(held, size, on, inverted=inverted) for size in sizes)

    def _sets_of_size(
        self, held: Cards, size: int, on: Combination | None, *, inverted: bool
    ) -> list[tuple[Combination, ...]]:
        """Return the sets of `size` held cards that lead or beat `on`, in the order held.

        None of the cards may be wild.
        """
        if size == 1:
            higher, each = (
                self._higher_cards_cached(on, inverted),
                held if self.card_meanings.packs == 1 else dict.fromkeys(held),
            )
            return [higher[card] for card in each if card in higher]
        ranks = self._higher_ranks_cached(on, size, inverted)
        return [
            one
            for rank, cards in self.card_meanings.split_wild_and_ranks(held)[1]
            if len(cards) >= size and rank in ranks
            for one in self._sets_of_rank_cached(cards, size, inverted)
        ]

    def _find_sets_of_rank(self, cards: Cards, size: int, inverted: bool) -> tuple[tuple[Combination, ...], ...]:
        """Return the readings as sets of all choices of `size` of these cards, which must have one rank.

        A reading is one way to count cards as a combination. Each choice has a tuple of them.
        """
        return tuple([self.read_sets(some, inverted) for some in cached_choices(cards, size)])

    def _find_higher_ranks(self, on: Combination | None, size: int, inverted: bool) -> frozenset[str]:
        """Return the ranks of which `size` natural cards may lead, or beat `on` by rank and size."""
        if on is None:
            return self.card_meanings.ranks
        return frozenset(
            rank
            for rank in self.card_meanings.ranks
            if self.red_counts_that_may_beat(rank, size, on, wild=False, inverted=inverted)
        )

    def _find_higher_cards(self, on: Combination | None, inverted: bool) -> dict[Card, tuple[Combination, ...]]:
        """Return the single cards that lead or beat `on`, each with its reading: the quick way for the most frequent
        plays.

        `on` is the single card on the table; None for a lead.
        """
        ranks = self._find_higher_ranks(on, 1, inverted)
        return {
            card: self.read_sets((card,), inverted)
            for card, rank in self.card_meanings.cards_with_ranks()
            if rank in ranks
        }

    def possible_set_sizes(self, on: Combination | None, largest: int) -> range:
        """Return the sizes of sets (cards of one rank) that may lead or beat `on`, at most `largest`.

        With a special power, fewer cards than on the table may beat or, with two decks, more.
        """
        if on is None:
            return range(1, largest + 1)
        bombs = self.bomb_power.max_bomb_size if self.bomb_power is not None else 0
        if on.kind not in KIND_OF_SET:
            return range(1, 1 + min(max(bool(self.powers), bombs), largest))
        if (
            on.rank == HIGH_THREE
            or on.role in TRUMP_ROLES
            or (self.follow_suit and on.size == 1 and not on.cards[0].is_joker)
        ):
            return range(1, 1 + max(1, min(bombs, largest)))
        most = (
            largest if self.larger_sets_may_beat else max(on.size, *(power.max_cards(on) for power in self.powers), 0)
        )
        return range(1 if self.powers else on.size, min(most, largest) + 1)

    def red_counts_that_may_beat(
        self, rank: str, size: int, on: Combination, *, wild: bool, inverted: bool
    ) -> tuple[RedCount, ...]:
        """Return the numbers of red cards with which a set of this rank and size could beat `on`.

        Colours count by an option. Empty: no such set can beat it. None as an element: any number of red cards. `wild`:
        the set contains wild cards. The search for plays leaves out other sets by it.
        """
        if any(power.could_apply_to(rank, size, on, wild=wild) for power in self.powers):
            return ANY_RED_COUNT
        return self.red_counts_that_beat_without_power(rank, size, on, wild=wild, inverted=inverted)

    def red_counts_that_beat_without_power(
        self, rank: str, size: int, on: Combination, *, wild: bool, inverted: bool
    ) -> tuple[RedCount, ...]:
        """Return the numbers of red cards with which a set of this rank and size could beat `on` without a power.

        Empty: no such set can beat it. None as an element: any number of red cards. `wild`: the set contains wild
        cards.
        """
        if on.kind not in KIND_OF_SET:
            return ()
        theirs = len(on.cards)
        if rank == on.rank:
            if size == theirs:
                return self._red_counts_that_beat_equal_rank(on, wild=wild, inverted=inverted)
            larger_equal = size > theirs and self.larger_sets_may_beat and self.allows_equal_plays
            if larger_equal and not self._forbids_equal_play(on.rank, inverted=inverted):
                return ANY_RED_COUNT
        return ANY_RED_COUNT if self._is_higher_cached(rank, size, on.rank, theirs, inverted) else ()

    def _red_counts_that_beat_equal_rank(self, on: Combination, *, wild: bool, inverted: bool) -> tuple[RedCount, ...]:
        theirs = self._has_wild(on)
        if self._wild_wins_tie(wild, theirs):
            return ANY_RED_COUNT
        spared = self._forbids_equal_play(on.rank, inverted=inverted)
        if self.allows_equal_plays and not spared and (self.wild_tie == "equal" or wild == theirs):
            return ANY_RED_COUNT
        if self.suits and on.size <= 2 and not (wild or theirs):
            return ANY_RED_COUNT
        return (on.size - count_red(on.cards),) if self.reversed_colours_beat else ()

    def _has_mixed_ranks(self, cards: Cards) -> bool:
        """Return whether these cards are obviously no set: the first and last rank differ, and no card is wild.

        A quick test before they are read in full.
        """
        one, other = cards[0], cards[-1]
        return (
            one[0] != other[0]
            and self.card_meanings.rank_of(one) != self.card_meanings.rank_of(other)
            and not self.card_meanings.has_wild(cards)
        )

    # Beating ---------------------------------------------------------------------------------------------------

    def beats(self, new: Combination, on: Combination, *, inverted: bool) -> bool:
        """Return whether the combination `new` may be played on `on` in President, with the powers of special cards."""
        if self.compares_by_rank_only and not self.card_meanings.has_wild(new.cards):
            return new.rank in self._higher_ranks_cached(on, len(new.cards), inverted)
        if not self.powers:
            return self._beats_without_power(new, on, inverted=inverted)
        power = self.power_by_role.get(new.role)
        if self.bomb_power is not None and power is self.bomb_power and self.bomb_power.beats(new, on):
            return True
        if new.role == SpadeThreeOnJoker.role or self.accepts_any_play(on, inverted=inverted):
            return True
        if self.transparent_power is not None and self.transparent_power.is_blocked_by_trump(new.cards, on):
            return False
        if power is not None and power.beats(new, on):
            return True
        theirs = self.high_three_power if on.rank == HIGH_THREE else self.power_by_role.get(on.role)
        if theirs is not None and power is not theirs:
            answer = theirs.is_beaten_by(new, on)
            if answer is not None:
                return answer
        if on.role and power is theirs and on.role in TRUMP_ROLES:
            return False
        if new.role in TRANSPARENT_ROLES:
            return False
        return self._beats_without_power(new, on, inverted=inverted)

    def accepts_any_play(self, on: Combination, *, inverted: bool) -> bool:
        """Return whether any play may be made on this combination, as an option says for a single two (`any_time`)."""
        return self.any_time_power is not None and self.any_time_power.accepts_any_play(on, inverted=inverted)

    def _beats_without_power(self, new: Combination, on: Combination, *, inverted: bool) -> bool:
        if on.kind not in KIND_OF_SET or new.kind not in KIND_OF_SET:
            if self.poker is not None and new.kind in poker_hands.KINDS and on.kind in poker_hands.KINDS:
                return self.poker.beats(new, on)
            return new.kind == on.kind and self.sequences.beats(new, on, inverted=inverted)
        if new.rank == LOWEST or (self.follow_suit and not self._follows_suit(new, on, by_power=True)):
            return False
        length, theirs = len(new.cards), len(on.cards)
        if new.rank == on.rank:
            if self.is_equal_play(new, on, inverted=inverted) or self._beats_by_suit(new, on, inverted=inverted):
                return True
            if length == theirs:
                return self._wild_wins_tie(self._has_wild(new), self._has_wild(on))
        return self._is_higher_cached(new.rank, length, on.rank, theirs, inverted)

    def _is_higher(self, rank: str, size: int, on: str, on_size: int, inverted: bool) -> bool:
        """Return whether a set of this rank and size beats another, as the options compare sets, without powers.

        `on` and `on_size` are the rank and size of the other set.
        """
        # A revolution does not move a single high three: it stays between ace and two.
        inverted = inverted and HIGH_THREE not in (rank, on)
        level, theirs = self.rank_level(rank, inverted=inverted), self.rank_level(on, inverted=inverted)
        return self.set_beats((size, level), (on_size, theirs))

    def rank_level(self, rank: str, *, inverted: bool) -> float:
        """Return the level of a set of this rank in the current order of ranks; higher beats lower."""
        # Use the rank, not the stored strength: ranks may have been inverted since the play.
        if rank == HIGH_THREE and self.high_three_power is not None:
            return self.high_three_power.level
        return self.card_meanings.rank_level(rank, inverted=inverted)

    def _has_equal_rank(self, new: Combination, on: Combination) -> bool:
        return new.rank == on.rank and (new.size == on.size or (self.larger_sets_may_beat and new.size > on.size))

    def _follows_suit(self, new: Combination, on: Combination, *, by_power: bool) -> bool:
        if not self.follow_suit or on.size != 1 or (by_power and new.role):
            return True
        if on.cards[0].is_joker or (new.size == 1 and new.cards[0].is_joker):
            return True
        return new.size == 1 and new.cards[0].suit == on.cards[0].suit

    def _wild_wins_tie(self, has_wild: bool, theirs: bool) -> bool:
        """Return whether a set of equal rank and size beats, because exactly one of the two has wild cards (PRES-13).

        An option decides whether the natural or the wild set wins; `has_wild` and `theirs` tell which has wild cards.
        """
        if self.wild_tie == "equal" or has_wild == theirs:
            return False
        return has_wild == (self.wild_tie == "wild_wins")

    def _has_wild(self, combination: Combination) -> bool:
        return self.card_meanings.has_wild(combination.cards)

    def is_equal_play(self, new: Combination, on: Combination, *, inverted: bool) -> bool:
        """Return whether `new` is an equal play that the options allow on `on`: same rank, and same size or larger.

        Such a play may skip the next player. Where larger sets win by number alone, a larger set beats even if it is
        not an equal play.
        """
        if new.kind not in KIND_OF_SET or on.kind not in KIND_OF_SET or not self._has_equal_rank(new, on):
            return False
        if new.role in (*TRANSPARENT_ROLES, *TRUMP_ROLES, SpadeThreeOnJoker.role):
            return False
        if self._forbids_equal_play(on.rank, inverted=inverted):
            return False
        if not self._follows_suit(new, on, by_power=False):
            return False
        if new.size != on.size:
            return self.allows_equal_plays
        has_wild, theirs = self._has_wild(new), self._has_wild(on)
        tied = self.wild_tie == "equal" or has_wild == theirs
        return (self.allows_equal_plays and tied) or self._beats_by_suit(new, on, inverted=inverted)

    def _beats_by_suit(self, new: Combination, on: Combination, *, inverted: bool) -> bool:
        """Return whether a set of the same rank and size beats another by suits or colours (PRES-18, PRES-19).

        This holds on the best rank, too.
        """
        if new.size != on.size or new.role in (*TRANSPARENT_ROLES, *TRUMP_ROLES, SpadeThreeOnJoker.role):
            return False
        if not self._follows_suit(new, on, by_power=False):
            return False
        natural = not (self._has_wild(new) or self._has_wild(on))
        return (natural and self._has_higher_suit(new, on, inverted=inverted)) or self._has_reversed_colours(new, on)

    def _forbids_equal_play(self, rank: str, *, inverted: bool) -> bool:
        """Return whether equal plays (same rank) on this rank are forbidden.

        An option forbids them on the best rank (PRES-17).
        """
        return not self.allows_equal_on_best and self._is_best_rank(rank, inverted=inverted)

    def _is_best_rank(self, rank: str, *, inverted: bool) -> bool:
        # Sets of wild cards rank above all others, like jokers.
        if rank == HIGH_THREE and inverted:
            rank = "3"
        return rank in (WILD, self.card_meanings.best_rank(inverted=inverted)) or self.card_meanings.is_joker_rank(rank)

    def _has_higher_suit(self, new: Combination, on: Combination, *, inverted: bool) -> bool:
        if not self.suits or new.size > 2 or any(card.is_joker for card in (*new.cards, *on.cards)):
            return False
        suits = self.suits[::-1] if inverted else self.suits

        def top(cards: Cards) -> int:
            return max(suits.index(card.suit) for card in cards)

        return top(new.cards) > top(on.cards)

    def _has_reversed_colours(self, new: Combination, on: Combination) -> bool:
        return self.reversed_colours_beat and count_red(new.cards) == on.size - count_red(on.cards)

    # After a play ----------------------------------------------------------------------------------------------

    def revolution_effects(self, plays: tuple[PlayedCombination, ...]) -> Iterator[Effect]:
        """Yield the effects of a revolution (ranks, perhaps direction, are inverted) if the last play makes one.

        By an option, four of a kind does. Some options also count four single cards of a rank in a row.
        """
        if self._is_revolution(plays):
            for effect in self.four_of_a_kind_effects:
                yield effect(FOUR_OF_A_KIND.id)

    def equal_play_skip_effects(
        self, plays: tuple[PlayedCombination, ...], *, inverted: bool, max_skipped: int
    ) -> Iterator[Effect]:
        """Yield the effect that skips players if the last play is an equal play (same rank) and the options say so.

        At most `max_skipped` players are skipped.
        """
        new = plays[-1].combination
        if len(plays) > 1:
            on = plays[-2].combination
            if self.is_equal_play(new, on, inverted=inverted):
                yield SkipPlayers(min(new.size, max_skipped) if new.size > on.size else 1, EQUAL_PLAYS.id)

    def _is_revolution(self, plays: tuple[PlayedCombination, ...]) -> bool:
        new = plays[-1].combination
        if new.role in TRANSPARENT_ROLES or new.kind not in KIND_OF_SET:
            return False
        if new.size >= 4:
            return True
        if not self.four_singles_invert or new.size != 1:
            return False
        alike = 0
        for laid in reversed(plays):
            one = laid.combination
            if one.size != 1 or one.rank != new.rank or one.role in TRANSPARENT_ROLES:
                break
            alike += 1
        return alike % 4 == 0

    def find_trick_end(self, laid: PlayedCombination) -> EndTrick | None:
        """Return the effect that ends the trick if the play's special power can't be beaten, else None."""
        power = self.power_by_role.get(laid.combination.role)
        return (
            EndTrick(power.trick_end_event(laid.by))
            if power is not None and power.wins_trick(laid.combination)
            else None
        )

    def power_announcements(self, plays: tuple[PlayedCombination, ...]) -> tuple[Effect, ...]:
        """Return effects with an event that announces the special power of the last play; empty if it has none."""
        laid = plays[-1]
        power = self.power_by_role.get(laid.combination.role)
        if power is not None and power is self.bomb_power:
            plain, on = laid.combination.replace(role=""), plays[-2].combination
            if self.beats(plain, on, inverted=laid.inverted):
                return ()
            return (EmitEvent(BOMBED(laid.by, BOMBS.id, four=describe_cards(laid.combination.cards))),)
        announced = None if power is None else power.play_event(laid.by)
        return () if announced is None else (EmitEvent(announced),)

    def inversion_effects(self, cause: str) -> tuple[Effect, ...]:
        """Return the effects of a run or a coup that turns ranks upside down.

        They are the effects that the options give four of a kind; if these have none, the ranks are inverted. `cause`:
        the id of the rule.
        """
        return tuple(effect(cause) for effect in self.four_of_a_kind_effects or (InvertForHand,))

    def suit_requirements(self, on: Combination) -> tuple[PlayRequirement, ...]:
        """Return what the options require of the suit of a play on `on`, leaving powers aside; empty if nothing.

        Suggestions after a refused play use it.
        """
        if not self.follow_suit or on.size != 1 or on.cards[0].is_joker:
            return ()
        return (PlayRequirement(lambda new: self._follows_suit(new, on, by_power=False), OF_THE_SUIT),)

    # In words --------------------------------------------------------------------------------------------------

    def playable_kinds(self) -> list[Suggestion]:
        """Return suggestions for all kinds of combination that may be led, for a refused player."""
        found: list[Suggestion] = [
            KindSuggestion(ONE_CARD(), (SINGLE,)),
            KindSuggestion(OF_ONE_RANK(), KIND_OF_SET[2:]),
        ]
        if self.sequences.widths:
            found.append(KindSuggestion(A_RUN(), (RUN,)))
        if len(self.sequences.widths) > 1:
            found.append(KindSuggestion(WIDE_RUNS(), tuple(KIND_OF_RUN.values())[1:]))
        if self.poker is not None:
            found.append(KindSuggestion(POKER_HAND(), poker_hands.KINDS))
        return found


def _build_set_reading(cards: Cards, rank: str, level: int) -> tuple[Combination, ...]:
    """Return the reading of cards as a set of this rank, in a tuple; wild cards among them stand for the rank.

    `level` is the strength of the rank.
    """
    return (Combination(KIND_OF_SET[len(cards)], cards, (level,), rank),)
