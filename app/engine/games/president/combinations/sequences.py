"""Runs of consecutive ranks [PRES-22, PRES-75 … PRES-77]: single cards, and runs of pairs, triples and fours."""

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter

from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Choice, Option, Options
from app.engine.cards.cards import Card, Cards
from app.engine.climbing.combinations import (
    KIND_OF_RUN,
    Combination,
    Strength,
    cached_choices,
    combine_choices,
    distinct_choices,
)
from app.engine.games.president.combinations.cards import CardMeanings

SWITCH = Option(
    id="PRES-22",
    also="kaidan 階段 straights runs shùnzi 顺子 順子",
    key="sequences",
    domain=Choice(
        {
            "none": "No sequences",
            "single": "Three or more consecutive cards",
            "all": "Also runs of pairs, triples and fours",
        }
    ),
    default="none",
    sentence="Decides which runs of consecutive ranks may be played. A run is beaten by a run of the same "
    "size with a higher top card.",
    example="4♦ 5♣ 6♣ beats 3♣ 4♣ 5♦. Jokers and high cards can’t be in a run. Twos can only if the option "
    "“Ranks in runs” allows it.",
)

SUITS = Option(
    id="PRES-75",
    also="kaidan 階段 same suit sequence",
    key="sequence_suits",
    label="Suits in runs",
    domain=Choice({"any": "Any suits", "one": "One suit"}),
    default="any",
    sentence="Decides whether the natural cards of a run must be of one suit. Runs of pairs then need two decks.",
    example="With “One suit”, 4♥ 5♥ 6♥ is a run, but 4♥ 5♥ 6♣ is not.",
    source="Daifugō",
)
RANKS = Option(
    id="PRES-76",
    also="kaidan 階段 K A 2",
    key="sequence_ranks",
    domain=Choice({"no_twos": "Up to the ace", "all": "Every rank of the deck"}),
    default="no_twos",
    sentence="Decides which ranks may be in a run. A run never goes on from the highest rank to the lowest.",
    example="With “Every rank of the deck”, K♣ A♦ 2♥ is a run, but A♣ 2♦ 3♥ is not.",
    source="UECda",
    label="Ranks in runs",
)
BEATS = Option(
    id="PRES-77",
    also="kaidan 階段",
    key="sequence_beats",
    label="Beating runs",
    domain=Choice({"higher_top": "A run with a higher top card", "wholly_higher": "Wholly above it"}),
    default="higher_top",
    sentence="Decides which runs can be played on a run.",
    example="On 4♣ 5♦ 6♥, with “Wholly above it”, a run must begin with a seven or higher.",
    source="UECda",
)

for _kind, _words in {
    "run": "as a run up to {as}",
    "run_of_pairs": "as a run of pairs up to {as}",
    "run_of_triples": "as a run of triples up to {as}",
    "run_of_fours": "as a run of fours up to {as}",
}.items():
    MessageTemplate(f"choice.as.{_kind}", _words)  # the page says so of an `as` with a kind
WIDTH_OF = {name: width for width, name in KIND_OF_RUN.items()}

WIDTHS = {"none": (), "single": (1,), "all": (1, 2, 3, 4)}
"""Allowed numbers of cards of each rank in a run, for each value of `sequences`."""

SHORTEST_RUN = 3
"""Number of cards in the shortest run."""


class RunRules:
    """Reads, finds and compares President's runs (cards of consecutive ranks), as some options allow them."""

    def __init__(self, faces: CardMeanings, options: Options) -> None:
        self.card_meanings = faces
        self.widths = WIDTHS[options[SWITCH]]
        # Ranks beside a removed rank count as consecutive.
        every = options[RANKS] == "all"
        self.ranks = "".join(rank for rank in faces.natural_ranks if every or rank not in faces.ranks_outside_runs)
        self.position_by_rank = {rank: place for place, rank in enumerate(self.ranks)}
        self.position_by_card = {
            card: self.position_by_rank[rank]
            for card, rank in faces.cards_with_ranks()
            if rank in self.position_by_rank and not faces.is_wild(card)
        }
        """The position of each natural card in the order of ranks for runs."""
        self.one_suit = options[SUITS] == "one"
        self.must_be_wholly_higher = options[BEATS] == "wholly_higher"
        """Whether a run must lie wholly above the run that it beats."""

    def _min_length(self, width: int) -> int:
        return SHORTEST_RUN if width == 1 else 2

    def readings(self, cards: Cards, *, inverted: bool) -> Sequence[Combination]:
        """Return every run that these cards can be, strongest first; at least one card must be natural.

        Empty if they form no run that the options allow.
        """
        counts: dict[int, int] = {}
        wild, suits = 0, set[str]()
        for card in cards:
            place = self.position_by_card.get(card)
            if place is not None:
                counts[place] = counts.get(place, 0) + 1
                suits.add(card[1])
            elif self.card_meanings.is_wild(card):
                wild += 1
            else:
                return ()
        if not counts or (self.one_suit and len(suits) > 1):
            return ()
        found = list[Combination]()
        low, high, most = min(counts), max(counts), max(counts.values())
        for width in self.widths if wild else (most,):
            length, rest = divmod(len(cards), width)
            if rest or width not in self.widths or length < self._min_length(width) or most > width:
                continue
            for start in range(max(0, high - length + 1), min(low, len(self.ranks) - length) + 1):
                found.append(self._build_run(cards, width, start, length, inverted=inverted))
        if len(found) > 1:
            found.sort(key=attrgetter("strength"), reverse=True)
        return found

    def _build_run(self, cards: Cards, width: int, start: int, length: int, *, inverted: bool) -> Combination:
        """Return these cards as a run of `length` ranks from index `start` on, with `width` cards of each rank.

        The index counts the ranks that runs may have, from low to high. `inverted`: ranks are upside down now, which
        changes the strength. The cards are not checked.
        """
        window = self.ranks[start : start + length]
        return Combination(KIND_OF_RUN[width], cards, self._strength_of_ranks(window, inverted=inverted), window[-1])

    def candidate_runs(
        self, held: Cards, on: Combination | None, *, inverted: bool, must: Card | None = None
    ) -> Iterator[Cards]:
        """Yield every different choice of held cards that is a run; with `on`, only runs that beat it.

        If `must` is given, each choice contains it.
        """
        return (cards for cards, *_ in self.candidate_runs_with_readings(held, on, inverted=inverted, must=must))

    def candidate_runs_with_readings(
        self, held: Cards, on: Combination | None, *, inverted: bool, must: Card | None = None
    ) -> Iterator[tuple[Cards, Combination | None, int]]:
        """Yield every choice of held cards that is a run, with its reading and its number of wild cards.

        With `on`, only runs that beat it; each contains `must`, if given. `inverted`: ranks are upside down now.
        Choices with wild cards have None as their run and must be read separately. Wild cards come last.
        """
        wild = tuple([card for card in held if self.card_meanings.is_wild(card)])
        families = self._group_natural_cards(held, must)
        sizes = [[len(group) for group in family] for family in families]
        most = max(map(max, sizes), default=0)
        seen, once = set[Hashable](), len(set(held)) == len(held)
        for width, lengths in self._allowed_widths_and_lengths(on):
            if most + len(wild) < width:
                continue
            lacking = [[width - size if size < width else 0 for size in each] for each in sizes]
            ends = [_furthest_run_ends(each, len(wild)) for each in lacking]
            furthest = [max(each) for each in zip(*ends, strict=True)]
            longest = max([end - start for start, end in enumerate(furthest)], default=0)
            if longest < lengths.start:
                continue
            parts = [
                [_choices_of_rank(group, width, must if must in group else None, len(wild)) for group in family]
                for family in families
            ]
            for length in range(lengths.start, min(lengths.stop, longest + 1)):
                for start in self._allowed_starts(length, on, must, inverted=inverted):
                    stop = start + length
                    if stop > furthest[start]:
                        continue
                    for part, lacks, end in zip(parts, lacking, ends, strict=True):
                        if stop > end[start]:
                            continue
                        spare = len(wild) - sum(lacks[start:stop])
                        groups = [tiers[min(spare, len(tiers) - 1)] for tiers in part[start:stop]]
                        for cards, stand_ins in _fill_up_with_wild(groups, width * length, wild):
                            if wild:
                                key = frozenset(cards) if once else tuple(sorted(cards))
                                if key in seen:
                                    continue
                                seen.add(key)
                            run = None if stand_ins else self._build_run(cards, width, start, length, inverted=inverted)
                            yield cards, run, stand_ins

    def _group_natural_cards(self, held: Cards, must: Card | None) -> list[list[Cards]]:
        """Return the held natural cards that can form runs, grouped by rank.

        If runs need one suit, there are separate groups for each suit, or only for that of `must`.
        """
        families: dict[str, list[Cards]] = {}
        for card in held:
            at = self.position_by_card.get(card)
            if at is not None:
                suit = card.suit if self.one_suit else ""
                if suit not in families:
                    families[suit] = [()] * len(self.ranks)
                families[suit][at] += (card,)
        if must is not None and self.one_suit:
            return [family for suit, family in families.items() if suit == must.suit]
        return [families[suit] for suit in sorted(families)]

    def _allowed_widths_and_lengths(self, on: Combination | None) -> Iterator[tuple[int, range]]:
        """Yield the widths (cards of each rank) of runs that may be played on `on`.

        Each comes with the possible numbers of ranks; without `on`, all are possible.
        """
        for width in self.widths:
            if on is None:
                yield width, range(self._min_length(width), len(self.ranks) + 1)
            elif on.kind == KIND_OF_RUN[width]:
                length = on.size // width
                yield width, range(length, length + 1)

    def _allowed_starts(
        self, length: int, on: Combination | None, must: Card | None, *, inverted: bool
    ) -> Sequence[int]:
        """Return the start indexes of runs of `length` ranks that beat `on` and can contain the card `must`.

        Each limit applies only if it is given.
        """
        starts: Sequence[int] = range(len(self.ranks) - length + 1)
        if must is not None:
            starts = [start for start in starts if must[0] in self.ranks[start : start + length]]
        if on is None:
            return starts
        above = self.run_strength(on, inverted=inverted)
        return [
            start
            for start in starts
            if self._strength_to_compare(self.ranks[start : start + length], inverted=inverted) > above
        ]

    def run_ranks(self, run: Combination) -> str:
        """Return the ranks of a run (cards of consecutive ranks), including those for which wild cards stand."""
        top = self.ranks.index(run.rank) + 1
        return self.ranks[top - run.size // WIDTH_OF[run.kind] : top]

    def run_strength(self, run: Combination, *, inverted: bool) -> Strength:
        """Return a run's strength in the current order of ranks, which may have changed since it was played."""
        return self._strength_of_ranks(self.run_ranks(run), inverted=inverted)

    def beats(self, new: Combination, on: Combination, *, inverted: bool) -> bool:
        """Return whether one run beats another in the current order of ranks.

        Kind and number of cards must be equal.
        """
        if new.kind != on.kind or new.size != on.size:
            return False
        level = (
            self._strength_to_compare(self.run_ranks(new), inverted=inverted)
            if self.must_be_wholly_higher
            else new.strength
        )
        return level > self.run_strength(on, inverted=inverted)

    def _strength_to_compare(self, window: str, *, inverted: bool) -> Strength:
        """Return the strength of a run that must exceed the other run's top: that of its highest or its lowest rank.

        `window` are the run's ranks, low to high. An option asks for runs that lie wholly above the other; then the
        lowest counts.
        """
        return self._strength_of_ranks(window[::-1] if self.must_be_wholly_higher else window, inverted=inverted)

    def _strength_of_ranks(self, window: str, *, inverted: bool) -> Strength:
        return (self.card_meanings.rank_level(window[0] if inverted else window[-1], inverted=inverted),)


def _fill_up_with_wild(groups: Sequence[Sequence[Cards]], total: int, wild: Cards) -> Iterator[tuple[Cards, int]]:
    """Yield one choice from each group, filled up to `total` cards with wild cards, and the number of wild cards.

    Runs are found this way. At least one card is natural.
    """
    for cards in combine_choices(groups):
        missing = total - len(cards)
        if not missing:
            yield cards, 0
        elif cards and missing <= len(wild):
            for rest in distinct_choices(wild, missing):
                yield cards + rest, missing


@lru_cache(1024)
def _choices_of_rank(group: Cards, width: int, must: Card | None, wild_to_spare: int) -> tuple[tuple[Cards, ...], ...]:
    """Return choices of up to `width` cards of one rank for a run, in tiers by the wild cards that may fill up.

    Tier 0 has the largest possible choices. Each further tier adds choices with one card less. If `must` is given, each
    choice contains it.
    """
    most, found, tiers = min(width, len(group)), tuple[Cards, ...](), list[tuple[Cards, ...]]()
    for count in range(most, max(0, most - wild_to_spare) - 1, -1):
        found += tuple([cards for cards in cached_choices(group, count) if must is None or must in cards])
        tiers.append(found)
    return tuple(tiers)


def _furthest_run_ends(missing_by_rank: Sequence[int], wild_count: int) -> list[int]:
    """Return for each start rank the index after the furthest end of a run that begins there.

    `missing_by_rank` is the number of cards that each rank lacks; `wild_count` wild cards can replace them.
    """
    ends, end, missing, size = list[int](), 0, 0, len(missing_by_rank)
    for start, lacks in enumerate(missing_by_rank):
        while end < size and missing_by_rank[end] + missing <= wild_count:
            missing += missing_by_rank[end]
            end += 1
        ends.append(end)
        if end > start:
            missing -= lacks
        else:
            end = start + 1
    return ends
