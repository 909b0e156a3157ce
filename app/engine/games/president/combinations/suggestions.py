"""Suggest plays that beat another in President, by testing cards of the deck with `PresidentCombinations`.

Each rank and number of cards is tested once. Single choices of cards are tested only where suits or colours can
matter: for equal ranks, and under requirements about the cards.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from app.engine.base.messages import (
    MessageTemplate,
    TranslatableMessage,
    TranslatableText,
    join_with_or,
)
from app.engine.cards.cards import RANK_NAMES, Card, Cards, describe_cards
from app.engine.climbing.combinations import KIND_OF_SET, Combination, distinct_choices
from app.engine.climbing.search_counter import count_each, increment_search_count
from app.engine.climbing.suggestion_data import GroupSuggestion, KindSuggestion, Suggestion
from app.engine.games.president.combinations import poker_hands
from app.engine.games.president.combinations.beats import PresidentCombinations
from app.engine.games.president.combinations.card_powers import HIGH_THREE, SpadeThreeOnJoker, TransparentRank
from app.engine.games.president.combinations.cards import HIGH
from app.engine.games.president.combinations.nouns import EQUAL, HIGHER, LOWER
from app.engine.games.president.combinations.requirements import PlayRequirement
from app.engine.games.president.combinations.sets import count_red

ANY_COMBINATION = MessageTemplate("what.any_combination", "any combination")
A_BOMB = MessageTemplate("what.bomb", "a bomb (four of a rank)")
BOMB_OF_MORE = MessageTemplate("what.bomb_of_more", "a bomb (four or more of a rank)")
_RANK_LABELS = ("any rank", "any other rank", "a higher rank", "a lower rank")
CARDS_OF = {
    label: MessageTemplate(f"what.cards_of_{label.replace(' ', '_')}", f"{{numbers}} cards of {label}")
    for label in _RANK_LABELS
}
MORE_CARDS_OF = {
    label: MessageTemplate(f"what.more_cards_of_{label.replace(' ', '_')}", f"more cards of {label}")
    for label in _RANK_LABELS[2:]
}
MORE_THAN_OF = {
    label: MessageTemplate(
        f"what.more_than_of_{label.replace(' ', '_')}",
        {"one": f"more than {{count}} card of {label}", "other": f"more than {{count}} cards of {label}"},
    )
    for label in _RANK_LABELS[:2]
}
WHOLLY_BEYOND = MessageTemplate("what.wholly_beyond", "{play} wholly beyond that run")
HIGHER_POKER_HAND = MessageTemplate("what.higher_poker_hand", "a higher kind of poker hand")
SUCH_AS = MessageTemplate("what.such_as", "cards such as {cards}")
MAX_NAMED_CARDS = 3
"""Maximum number of choices that a suggestion names card by card."""


def find_suggestions(
    beating: PresidentCombinations, on: Combination, demands: Sequence[PlayRequirement], *, inverted: bool
) -> list[Suggestion]:
    """Return suggestions of what beats a combination in President and meets the requirements, for a refused player.

    `beating` compares combinations under the options, and `demands` are the requirements of house rules. The
    suggestions are in the order of the sentence. The cards need not be held by the player.
    """
    if not demands and beating.accepts_any_play(on, inverted=inverted):
        return [KindSuggestion(ANY_COMBINATION())]
    requested = _SuggestionSearch(beating, on, demands, inverted)
    found: list[Suggestion] = list(requested.run_and_poker_suggestions())
    for size in sorted(requested.sizes, key=lambda size: (size != on.size, -size)):
        if size <= on.size or on.kind not in KIND_OF_SET:
            found += requested.set_suggestions(size)
    found += requested.larger_set_suggestions()
    found += requested.wild_set_suggestions()
    found += requested.bomb_suggestions()
    return found


class _SuggestionSearch:
    """One search, in President, for plays of the deck's cards that beat `on` and meet the requirements."""

    def __init__(
        self, beating: PresidentCombinations, on: Combination, demands: Sequence[PlayRequirement], inverted: bool
    ) -> None:
        self.combination_rules, self.card_meanings, self.on, self.inverted = (
            beating,
            beating.card_meanings,
            on,
            inverted,
        )
        self.requirements = demands
        self.card_requirements = [*demands, *beating.suit_requirements(on)]
        """All requirements about the cards, including those that the beating rules check themselves."""
        self.is_set = on.kind in KIND_OF_SET
        left = list((Counter(self.card_meanings.deck()) - Counter(on.cards)).elements())
        self.remaining_cards: Cards = tuple(left)
        self.remaining_wild_cards: Cards = tuple(card for card in left if self.card_meanings.is_wild(card))
        natural: dict[str, list[Card]] = {}
        wild: dict[str, list[Card]] = {}
        for card in left:
            if self.card_meanings.is_wild(card):
                wild.setdefault(card[0], []).append(card)
            else:
                natural.setdefault(self.card_meanings.rank_of(card), []).append(card)
        self.natural_by_rank = {rank: tuple(natural[rank]) for rank in sorted(natural, key=self._rank_level)}
        """The remaining natural cards of each rank, lowest rank first in the current order."""
        self.wild_by_printed_rank = {rank: tuple(cards) for rank, cards in wild.items()}
        """The remaining wild cards by the rank printed on them."""
        self.sizes = range(
            1, max(map(len, (*self.natural_by_rank.values(), *self.wild_by_printed_rank.values())), default=0) + 1
        )
        self.ranks_on_table = {on.rank, *map(self.card_meanings.rank_of, on.cards)}
        self._is_open = beating.accepts_any_play(on, inverted=inverted)
        self._sizes_that_may_beat = beating.possible_set_sizes(on, self.sizes.stop)
        self._legality_cache: dict[Cards, bool] = {}
        """Whether tested choices of cards beat and meet the requirements."""

    def _rank_level(self, rank: str) -> float:
        return self.card_meanings.rank_level(rank, inverted=self.inverted)

    def _is_legal_answer(self, cards: Cards) -> bool:
        """Return whether these cards beat the table and meet the requirements; cached and counted as a search."""
        known = self._legality_cache.get(cards)
        if known is None:
            increment_search_count()
            known = self._legality_cache[cards] = self._check_legal_answer(cards)
        return known

    def _check_legal_answer(self, cards: Cards) -> bool:
        readings = self.combination_rules.readings(cards, self.on, inverted=self.inverted)
        return any(
            self.combination_rules.beats(reading, self.on, inverted=self.inverted) and self._meets_requirements(reading)
            for reading in readings
        )

    def _meets_requirements(self, reading: Combination) -> bool:
        return all(demand.is_met(reading) for demand in self.requirements)

    def _find_legal_sets(self, rank: str, group: Cards, size: int) -> tuple[bool, list[Cards]]:
        """Return whether all sets of this rank and size beat the table, and if not, the ones that do.

        `group` are the remaining cards of the rank.
        """
        if group[0] not in self.remaining_wild_cards and not self._could_beat(rank, size):
            return False, []
        is_wild, beating = group[0] in self.remaining_wild_cards, self.combination_rules
        by_suit = beating.reversed_colours_beat or (beating.suits_matter and size <= 2)
        # Bombs need not follow suit.
        by_card = (bool(self.card_requirements) and not self._may_beat_as_bomb(rank, size)) or (
            by_suit and rank in self.ranks_on_table
        )
        if not (is_wild or by_card or rank in self.ranks_on_table or self._is_affected_by_power(rank, size)):
            return True, []  # rank and size alone decide
        different = distinct_choices(group, size)
        if is_wild and size > 1:  # wild cards fit any required suit: at most their colours matter
            alike = (
                {count_red(cards): cards for cards in different} if beating.reversed_colours_beat else {0: group[:size]}
            )
            reds = {red for red, cards in alike.items() if self._is_legal_answer(cards)}
            if len(reds) in (0, len(alike)):
                return bool(reds), []
            return False, [cards for cards in distinct_choices(group, size) if count_red(cards) in reds]
        tried = list(different) if is_wild or by_card or SpadeThreeOnJoker.CARD in group else [next(iter(different))]
        good = [cards for cards in tried if self._is_legal_answer(cards)]
        return (True, []) if len(good) == len(tried) else (False, good)

    def _could_beat(self, rank: str, size: int) -> bool:
        """Return whether any natural set of this rank and size could beat the table, by rank and size alone.

        A quick test before cards are tried.
        """
        requested = any(demand.only_rank not in (None, rank) for demand in self.requirements)
        if requested and not (self._can_have_power(rank, size) or self.card_meanings.is_joker_rank(rank)):
            return False
        return self._is_open or (
            size in self._sizes_that_may_beat
            and bool(
                self.combination_rules.red_counts_that_may_beat(rank, size, self.on, wild=False, inverted=self.inverted)
            )
        )

    def _is_affected_by_power(self, rank: str, size: int) -> bool:
        """Return whether a special power can decide if a natural set of this rank and size beats the table.

        Then sets of the rank must be tried one by one.
        """
        powers = self.combination_rules.powers
        transparent = any(rank == power.rank for power in powers if isinstance(power, TransparentRank))
        lies = bool(self.on.role) or self.on.rank == HIGH_THREE
        return bool(powers) and (lies or transparent or self._can_have_power(rank, size))

    def _beats_only_as_bomb(self, rank: str, size: int) -> bool:
        """Return whether natural sets of this rank and size beat the table only as bombs (four of a rank).

        These are suggested together.
        """
        bomb = self.combination_rules.bomb_power
        if bomb is None or size < bomb.MIN_CARDS or bomb.is_bomb(self.on) or self._is_open:
            return False
        plain = self.combination_rules.red_counts_that_beat_without_power(
            rank, size, self.on, wild=False, inverted=self.inverted
        )
        return not plain and not self.card_meanings.is_joker_rank(rank)

    def _may_beat_as_bomb(self, rank: str, size: int) -> bool:
        """Return whether natural sets of this rank and size may beat the table as bombs (four or more of a rank)."""
        return self.combination_rules.bomb_power is not None and self.combination_rules.bomb_power.could_apply_to(
            rank, size, self.on, wild=False
        )

    def bomb_suggestions(self) -> Iterator[GroupSuggestion]:
        """Yield one suggestion for all bombs (four of a rank), if every bomb beats the table; else nothing."""
        bomb = self.combination_rules.bomb_power
        if bomb is None or bomb.is_bomb(self.on) or self._is_open:
            return
        groups = tuple(
            group
            for rank, group in self.natural_by_rank.items()
            if len(group) >= bomb.MIN_CARDS and not self.card_meanings.is_joker_rank(rank)
        )
        if any(self._is_legal_answer(group[: bomb.MIN_CARDS]) for group in groups[:1]):
            words = A_BOMB() if bomb.max_bomb_size == bomb.MIN_CARDS else BOMB_OF_MORE()
            yield GroupSuggestion(words, tuple(range(bomb.MIN_CARDS, bomb.max_bomb_size + 1)), groups)

    def _can_have_power(self, rank: str, size: int) -> bool:
        """Return whether a natural set of this rank and size may be played on the table with a special power."""
        return any(power.could_apply_to(rank, size, self.on, wild=False) for power in self.combination_rules.powers)

    def set_suggestions(self, size: int) -> Iterator[GroupSuggestion]:
        """Yield suggestions for sets of this size that beat the table."""
        full: list[str] = []
        partly: list[Cards] = []
        said = self._ranks_covered_by_requirement(size)
        for rank, group in self.natural_by_rank.items():
            if len(group) >= size and rank not in said and not self._beats_only_as_bomb(rank, size):
                all_do, some = self._find_legal_sets(rank, group, size)
                full += [rank] if all_do else []
                partly += some
        if self.is_set and size == self.on.size:
            yield from self._same_size_suggestions(full, partly)
        else:
            yield from (self._group_of_rank(rank, size) for rank in full)
            yield from _group_of_named_cards(partly)
        for rank, group in self.wild_by_printed_rank.items():
            if len(group) >= size:
                all_do, some = self._find_legal_sets(rank, group, size)
                if all_do:
                    yield GroupSuggestion(_describe_cards_of_rank(rank, size, wild=True), (size,), (group,))
                else:
                    yield from _group_of_named_cards(some)

    def _same_size_suggestions(self, full: list[str], partly: list[Cards]) -> Iterator[GroupSuggestion]:
        """Yield suggestions for sets of the size on the table: higher ones, equal ones, the others by name.

        `full`: ranks whose sets all beat it; `partly`: other sets that do.
        """
        size = self.on.size
        higher = self._higher_ranks(size)
        if higher and set(higher) <= set(full):
            yield GroupSuggestion(
                self._higher_or_lower_phrase(),
                (size,),
                self._cards_by_rank(higher),
                self._usable_wild_cards(higher, size),
            )
            full = [rank for rank in full if rank not in higher]
        if self.on.rank in full:
            yield GroupSuggestion(EQUAL[self.on.kind](), (size,), (self.natural_by_rank[self.on.rank],))
            full = [rank for rank in full if rank != self.on.rank]
        said = self._ranks_covered_by_requirement(size)
        if any(
            self._is_legal_answer(cards)
            for rank in said
            for cards in distinct_choices(self.natural_by_rank[rank], size)
        ):
            words = self.card_requirements[0].describe(self._higher_or_lower_phrase())
            yield GroupSuggestion(words, (size,), self._cards_by_rank(said), only=self._is_legal_answer)
        yield from (self._group_of_rank(rank, size) for rank in full)
        yield from _group_of_named_cards(partly)

    def _higher_ranks(self, size: int) -> list[str]:
        """Return the ranks above the one on the table of which at least `size` cards remain in the deck.

        While ranks are inverted, jokers are left out.
        """
        level = self.combination_rules.rank_level(self.on.rank, inverted=self.inverted)
        return [
            rank
            for rank, group in self.natural_by_rank.items()
            if len(group) >= size
            and self._rank_level(rank) > level
            and not (self.inverted and self.card_meanings.is_joker_rank(rank))
        ]

    def _ranks_covered_by_requirement(self, size: int) -> list[str]:
        """Return the ranks whose sets beat exactly if they meet the requirement: higher ones without a special power.

        They need not be tested one by one. Empty without a requirement.
        """
        if not self.card_requirements or not self.is_set or size != self.on.size:
            return []
        return [
            rank
            for rank in self._higher_ranks(size)
            if rank not in self.ranks_on_table and not self.card_meanings.is_joker_rank(rank)
            if self._could_beat(rank, size) and not self._can_have_power(rank, size)
        ]

    def larger_set_suggestions(self) -> Iterator[GroupSuggestion]:
        """Yield suggestions for sets larger than the one on the table, where the options let them beat it."""
        sizes = [size for size in self.sizes if size > self.on.size] if self.is_set else []
        if self.requirements and not (
            self.combination_rules.bomb_power is not None and self.combination_rules.bomb_power.is_bomb(self.on)
        ):
            if all(demand.may_be_larger_set for demand in self.requirements):
                yield from filter(None, map(self._larger_sets_meeting_requirements, sizes))
            return
        alike: dict[tuple[str, ...], list[int]] = {}
        for size in sizes:
            there = [
                rank
                for rank, group in self.natural_by_rank.items()
                if len(group) >= size and not self._beats_only_as_bomb(rank, size)
            ]
            good = [rank for rank in there if self._find_legal_sets(rank, self.natural_by_rank[rank], size)[0]]
            above = [rank for rank in self._higher_ranks(size) if rank in good]
            if not good:
                continue
            if good == there:
                alike.setdefault(("any rank",), []).append(size)
            elif good == [rank for rank in there if rank not in self.ranks_on_table]:
                alike.setdefault(("any other rank",), []).append(size)
            elif above == good:
                alike.setdefault((f"{self._higher_or_lower_word()} rank",), []).append(size)
            else:
                alike.setdefault(tuple(good), []).append(size)
        for label, found in alike.items():
            yield from self._larger_sets_by_label(label, found, whole=found == sizes)

    def _larger_sets_meeting_requirements(self, size: int) -> GroupSuggestion | None:
        """Return a suggestion for sets of `size` cards, more than on the table, that meet the requirements, or None."""
        ranks = [
            rank
            for rank, group in self.natural_by_rank.items()
            if len(group) >= size and self._could_beat(rank, size) and not self._beats_only_as_bomb(rank, size)
        ]
        if not any(
            self._is_legal_answer(cards)
            for rank in ranks
            for cards in distinct_choices(self.natural_by_rank[rank], size)
        ):
            return None
        label = f"{self._higher_or_lower_word()} rank" if set(ranks) <= set(self._higher_ranks(size)) else "any rank"
        words = self.requirements[0].describe(CARDS_OF[label](numbers=size))
        return GroupSuggestion(words, (size,), self._cards_by_rank(ranks), only=self._is_legal_answer)

    def _larger_sets_by_label(
        self, label: tuple[str, ...], sizes: list[int], *, whole: bool
    ) -> Iterator[GroupSuggestion]:
        if not label[0].endswith("rank"):
            yield from (self._group_of_rank(rank, size) for size in sizes for rank in label)
            return
        ranks = [
            rank
            for rank in (
                self._higher_ranks(sizes[0])
                if label[0].startswith(self._higher_or_lower_word())
                else self.natural_by_rank
            )
            if label[0] != "any other rank" or rank not in self.ranks_on_table
        ]
        if not whole:
            words = CARDS_OF[label[0]](numbers=join_with_or(map(str, sizes)))
        elif label[0] in MORE_CARDS_OF:
            words = MORE_CARDS_OF[label[0]]()
        else:
            words = MORE_THAN_OF[label[0]](count=self.on.size)
        stand_ins = self.remaining_wild_cards if all(self._usable_wild_cards(ranks, size) for size in sizes) else ()
        yield GroupSuggestion(words, tuple(sizes), self._cards_by_rank(ranks), stand_ins)

    def wild_set_suggestions(self) -> Iterator[KindSuggestion]:
        """Yield a suggestion for sets of the size on the table that need wild cards to be large enough.

        Nothing is yielded if no such set beats it.
        """
        size = self.on.size
        if not self.is_set or size < self.sizes.stop or not self.remaining_wild_cards:
            return
        higher = (rank for rank in self.natural_by_rank if self._rank_level(rank) > self._rank_level(self.on.rank))
        filled = ((*self.natural_by_rank[rank], *self.remaining_wild_cards)[:size] for rank in higher)
        if any(len(cards) == size and self._is_legal_answer(cards) for cards in filled):
            above, only = (self._rank_level(self.on.rank),), self._meets_requirements if self.requirements else None
            yield KindSuggestion(self._higher_or_lower_phrase(), (self.on.kind,), (size,), above, only)

    def run_and_poker_suggestions(self) -> Iterator[KindSuggestion]:
        """Yield suggestions for runs and poker hands of the kind on the table, or of a higher kind of poker hand.

        Nothing is yielded if a set lies there.
        """
        on, turned = self.on, self.inverted
        if self.is_set:
            return
        above = self._higher_or_lower_phrase()
        if self.combination_rules.sequences.must_be_wholly_higher and on.kind not in poker_hands.KINDS:
            above = WHOLLY_BEYOND(play=above)
        for demand in self.requirements:
            above = demand.describe(above)
        only = self._meets_requirements if self.requirements else None
        if on.kind not in poker_hands.KINDS:
            example = self._find_example_run()
            if example is not None:
                yield KindSuggestion(above, (on.kind,), (on.size,), only=self._is_legal_run, examples=(example,))
            return
        poker = self.combination_rules.poker
        assert poker is not None
        higher = poker_hands.KINDS[poker_hands.KINDS.index(on.kind) + 1 :]
        samples = [
            one
            for one in count_each(poker.example_hands_that_beat(self.remaining_cards, on, inverted=turned))
            if self._meets_requirements(one)
        ]
        alike = tuple(one for one in samples if one.kind == on.kind)
        beyond_it = tuple(one for one in samples if one.kind != on.kind)
        if alike:
            yield KindSuggestion(above, (on.kind,), (on.size,), on.strength, only, alike)
        if beyond_it:
            yield KindSuggestion(HIGHER_POKER_HAND(), higher, (on.size,), only=only, examples=beyond_it)

    def _find_example_run(self) -> Combination | None:
        """Return a run of the remaining cards that beats the table and meets the requirements, or None.

        It shows that such a run exists, and is the suggestion's example.
        """
        for cards in self.combination_rules.sequences.candidate_runs(
            self.remaining_cards, self.on, inverted=self.inverted
        ):
            if self._is_legal_answer(cards):
                readings = self.combination_rules.sequences.readings(cards, inverted=self.inverted)
                return next(filter(self._is_legal_run, readings), None)
        return None

    def _is_legal_run(self, run: Combination) -> bool:
        """Return whether a run beats the one on the table and meets the requirements, so that it may be suggested."""
        return self.combination_rules.sequences.beats(
            run, self.on, inverted=self.inverted
        ) and self._meets_requirements(run)

    def _usable_wild_cards(self, ranks: Sequence[str], size: int) -> Cards:
        """Return the remaining wild cards if they may take part in sets of all these ranks that beat the table; else
        ().

        `size` is the size of the sets. A suggestion then says that wild cards may replace some of the cards.
        """
        if size == 1 or not self.remaining_wild_cards:
            return ()
        enough = [rank for rank in ranks if len(self.natural_by_rank[rank]) >= size]
        # Test the lowest rank and the special ones; the other ranks behave like the lowest.
        tried = [
            rank
            for rank in enough
            if rank == enough[0]
            or rank in self.ranks_on_table
            or rank == HIGH
            or self.card_meanings.is_joker_rank(rank)
            or self._can_have_power(rank, size)
        ]
        mixed = (self.natural_by_rank[rank][: size - 1] + self.remaining_wild_cards[:1] for rank in tried)
        return self.remaining_wild_cards if all(map(self._is_legal_answer, mixed)) else ()

    def _higher_or_lower_phrase(self) -> TranslatableMessage:
        """Return a phrase for plays of the kind on the table that beat it by rank."""
        return (LOWER if self.inverted else HIGHER)[self.on.kind]()

    def _higher_or_lower_word(self) -> str:
        return "a lower" if self.inverted else "a higher"

    def _cards_by_rank(self, ranks: Sequence[str]) -> tuple[Cards, ...]:
        return tuple(self.natural_by_rank[rank] for rank in ranks)

    def _group_of_rank(self, rank: str, size: int) -> GroupSuggestion:
        group = self.natural_by_rank[rank]
        return GroupSuggestion(
            describe_cards(group) if rank == HIGH and size == 1 else _describe_cards_of_rank(rank, size),
            (size,),
            (group,),
        )


def _group_of_named_cards(found: list[Cards]) -> Iterator[GroupSuggestion]:
    """Yield one suggestion, for a player whose play was refused: any of the found sets of cards would be right.

    Its words name at most `MAX_NAMED_CARDS` of them. Nothing is yielded for an empty list.
    """
    if found:
        words: TranslatableText = join_with_or(describe_cards(cards) for cards in found[:MAX_NAMED_CARDS])
        if len(found) > MAX_NAMED_CARDS:
            words = SUCH_AS(cards=words)
        yield GroupSuggestion(words, (len(found[0]),), tuple(found))


def _count_of_rank_phrase(key: str, name: str) -> MessageTemplate:
    article = "an" if name[0] in "aeiou" else "a"
    plural = f"{name}{'es' if name.endswith('x') else 's'}"
    return MessageTemplate(key, {"one": f"{article} {name}", "other": f"{{count}} {plural}"})


_NAMES = {**RANK_NAMES, "b": "black joker", "r": "red joker", HIGH: "high card"}
OF_RANKS = {rank: _count_of_rank_phrase(f"what.of.{rank}", name) for rank, name in _NAMES.items()}
WILD = {
    rank: _count_of_rank_phrase(f"what.wild.{rank}", f"wild {name}") for rank, name in _NAMES.items() if rank != "X"
}


def _describe_cards_of_rank(rank: str, size: int, *, wild: bool = False) -> TranslatableMessage:
    """Return cards of a rank as text for a sentence: “a two”, “3 sixes”.

    With `wild`, the text says that the cards are wild; not for jokers.
    """
    of = WILD if wild and rank in WILD else OF_RANKS
    return of[rank](count=size)
