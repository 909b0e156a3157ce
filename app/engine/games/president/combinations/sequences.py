"""Runs of consecutive ranks [PRES-22, PRES-75 … PRES-77]: single cards, and runs of pairs, triples and fours."""

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter

from app.engine.base.options import Choice, Options, Switch
from app.engine.cards.cards import Card, Cards
from app.engine.climbing.combinations import Combination, Strength, choices, chosen, kind, products
from app.engine.games.president.combinations.cards import CardMeanings

SWITCH = Switch(
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
    sentence="Whether runs of consecutive ranks may be played; a run is beaten by one of as many cards with a higher "
    "top.",
    example="4♦ 5♣ 6♣ beats 3♣ 4♣ 5♦. Jokers and high cards are in no run, nor are twos unless "
    "the switch below says so.",
)

SUITS = Switch(
    id="PRES-75",
    also="kaidan 階段 same suit sequence",
    key="sequence_suits",
    domain=Choice({"any": "Of any suits", "one": "Of one suit"}),
    default="any",
    sentence="Whether the natural cards of a run have to be of one suit. Runs of pairs then need two packs.",
    example="With “one suit” 4♥ 5♥ 6♥ is a run, and 4♥ 5♥ 6♣ is none.",
    source="Daifugō",
)
RANKS = Switch(
    id="PRES-76",
    also="kaidan 階段 K A 2",
    key="sequence_ranks",
    domain=Choice({"no_twos": "Up to the ace", "all": "Every rank of the pack"}),
    default="no_twos",
    sentence="Which ranks may be in a run, from the lowest to the highest and no further.",
    example="With every rank K♣ A♦ 2♥ is a run, and A♣ 2♦ 3♥ is none.",
    source="UECda",
    label="Ranks in runs",
)
BEATS = Switch(
    id="PRES-77",
    also="kaidan 階段",
    key="sequence_beats",
    domain=Choice({"higher_top": "One with a higher top", "wholly_higher": "One that lies wholly above it"}),
    default="higher_top",
    sentence="What beats a run.",
    example="On 4♣ 5♦ 6♥ a run has to begin with a seven where it must lie wholly above.",
    source="UECda",
)

KINDS = {
    1: kind("run", "run"),
    2: kind("run_of_pairs", "run of pairs"),
    3: kind("run_of_triples", "run of triples"),
    4: kind("run_of_fours", "run of fours"),
}
"""By how many cards of each rank there are."""
WIDTH_OF = {name: width for width, name in KINDS.items()}

WIDTHS = {"none": (), "single": (1,), "all": (1, 2, 3, 4)}
"""How many cards of each rank a run may have, for each value of the switch."""

SHORTEST_RUN = 3
"""Cards in the shortest of all."""


class Sequences:
    """The runs that some options allow."""

    def __init__(self, faces: CardMeanings, options: Options) -> None:
        self.faces = faces
        self.widths = WIDTHS[options[SWITCH]]
        # What is stripped closes the gap.
        every = options[RANKS] == "all"
        self.ranks = "".join(rank for rank in faces.natural if every or rank not in faces.top_of_runs)
        self.places = {rank: place for place, rank in enumerate(self.ranks)}
        self.place = {
            card: self.places[rank] for card, rank in faces.ranked() if rank in self.places and not faces.is_wild(card)
        }
        """Where in a run each card stands that is not wild."""
        self.one_suit = options[SUITS] == "one"
        self.wholly = options[BEATS] == "wholly_higher"
        """Whether a run has to lie wholly above one that it beats."""

    def _shortest(self, width: int) -> int:
        return SHORTEST_RUN if width == 1 else 2

    def readings(self, cards: Cards, *, inverted: bool) -> Sequence[Combination]:
        """Every run that these cards make, strongest first; at least one of them is natural."""
        counts: dict[int, int] = {}
        wild, suits = 0, set[str]()
        for card in cards:
            place = self.place.get(card)
            if place is not None:
                counts[place] = counts.get(place, 0) + 1
                suits.add(card[1])
            elif self.faces.is_wild(card):
                wild += 1
            else:
                return ()
        if not counts or (self.one_suit and len(suits) > 1):
            return ()
        found = list[Combination]()
        low, high, most = min(counts), max(counts), max(counts.values())
        for width in self.widths if wild else (most,):
            length, rest = divmod(len(cards), width)
            if rest or width not in self.widths or length < self._shortest(width) or most > width:
                continue
            for start in range(max(0, high - length + 1), min(low, len(self.ranks) - length) + 1):
                found.append(self._run(cards, width, start, length, inverted=inverted))
        if len(found) > 1:
            found.sort(key=attrgetter("strength"), reverse=True)
        return found

    def _run(self, cards: Cards, width: int, start: int, length: int, *, inverted: bool) -> Combination:
        """These cards as a run of so many ranks that begins there."""
        window = self.ranks[start : start + length]
        return Combination(KINDS[width], cards, self._strength(window, inverted=inverted), window[-1])

    def candidates(
        self, held: Cards, on: Combination | None, *, inverted: bool, must: Card | None = None
    ) -> Iterator[Cards]:
        """Every different choice of held cards that may be a run: one that beats, if there is one to beat, and that has
        the card that it must have."""
        return (cards for cards, *_ in self.chosen(held, on, inverted=inverted, must=must))

    def chosen(
        self, held: Cards, on: Combination | None, *, inverted: bool, must: Card | None = None
    ) -> Iterator[tuple[Cards, Combination | None, int]]:
        """The same, each with the run that it is, None where wild cards are among them, so that it has to be read; and
        how many are, which come last."""
        wild = tuple([card for card in held if self.faces.is_wild(card)])
        families = self._families(held, must)
        sizes = [[len(group) for group in family] for family in families]
        most = max(map(max, sizes), default=0)
        seen, once = set[Hashable](), len(set(held)) == len(held)
        for width, lengths in self._shapes(on):
            if most + len(wild) < width:
                continue
            lacking = [[width - size if size < width else 0 for size in each] for each in sizes]
            ends = [_furthest(each, len(wild)) for each in lacking]
            furthest = [max(each) for each in zip(*ends, strict=True)]
            longest = max([end - start for start, end in enumerate(furthest)], default=0)
            if longest < lengths.start:
                continue
            parts = [
                [_choices(group, width, must if must in group else None, len(wild)) for group in family]
                for family in families
            ]
            for length in range(lengths.start, min(lengths.stop, longest + 1)):
                for start in self._starts(length, on, must, inverted=inverted):
                    stop = start + length
                    if stop > furthest[start]:
                        continue
                    for part, lacks, end in zip(parts, lacking, ends, strict=True):
                        if stop > end[start]:
                            continue
                        spare = len(wild) - sum(lacks[start:stop])
                        groups = [tiers[min(spare, len(tiers) - 1)] for tiers in part[start:stop]]
                        for cards, stand_ins in _joined(groups, width * length, wild):
                            if wild:
                                key = frozenset(cards) if once else tuple(sorted(cards))
                                if key in seen:
                                    continue
                                seen.add(key)
                            run = None if stand_ins else self._run(cards, width, start, length, inverted=inverted)
                            yield cards, run, stand_ins

    def _families(self, held: Cards, must: Card | None) -> list[list[Cards]]:
        """The natural cards from which a run may be chosen, those of each rank by themselves: all, or one suit's."""
        families: dict[str, list[Cards]] = {}
        for card in held:
            at = self.place.get(card)
            if at is not None:
                suit = card.suit if self.one_suit else ""
                if suit not in families:
                    families[suit] = [()] * len(self.ranks)
                families[suit][at] += (card,)
        if must is not None and self.one_suit:
            return [family for suit, family in families.items() if suit == must.suit]
        return [families[suit] for suit in sorted(families)]

    def _shapes(self, on: Combination | None) -> Iterator[tuple[int, range]]:
        """The widths of runs that may be played on this, and how many ranks they may have."""
        for width in self.widths:
            if on is None:
                yield width, range(self._shortest(width), len(self.ranks) + 1)
            elif on.kind == KINDS[width]:
                length = on.size // width
                yield width, range(length, length + 1)

    def _starts(self, length: int, on: Combination | None, must: Card | None, *, inverted: bool) -> Sequence[int]:
        """Where runs of so many ranks may begin that may be played on this, with the card that they must have."""
        starts: Sequence[int] = range(len(self.ranks) - length + 1)
        if must is not None:
            starts = [start for start in starts if must[0] in self.ranks[start : start + length]]
        if on is None:
            return starts
        above = self.strength(on, inverted=inverted)
        return [start for start in starts if self._least(self.ranks[start : start + length], inverted=inverted) > above]

    def window(self, run: Combination) -> str:
        """The ranks of a run, those that wild cards stand for included."""
        top = self.ranks.index(run.rank) + 1
        return self.ranks[top - run.size // WIDTH_OF[run.kind] : top]

    def strength(self, run: Combination, *, inverted: bool) -> Strength:
        """How strong a run is by the ranks now in force: they may have been turned since it was played."""
        return self._strength(self.window(run), inverted=inverted)

    def beats(self, new: Combination, on: Combination, *, inverted: bool) -> bool:
        """Whether one run beats another, by the ranks now in force."""
        if new.kind != on.kind or new.size != on.size:
            return False
        mine = self._least(self.window(new), inverted=inverted) if self.wholly else new.strength
        return mine > self.strength(on, inverted=inverted)

    def _least(self, window: str, *, inverted: bool) -> Strength:
        """What of a run has to be higher than another: its top, or its lowest."""
        return self._strength(window[::-1] if self.wholly else window, inverted=inverted)

    def _strength(self, window: str, *, inverted: bool) -> Strength:
        return (self.faces.level(window[0] if inverted else window[-1], inverted=inverted),)


def _joined(groups: Sequence[Sequence[Cards]], total: int, wild: Cards) -> Iterator[tuple[Cards, int]]:
    """One choice of each group, with the wild cards that are missing, and how many these are: not all are wild."""
    for cards in products(groups):
        missing = total - len(cards)
        if not missing:
            yield cards, 0
        elif cards and missing <= len(wild):
            for rest in choices(wild, missing):
                yield cards + rest, missing


@lru_cache(1024)
def _choices(group: Cards, width: int, must: Card | None, spare: int) -> tuple[tuple[Cards, ...], ...]:
    """Choices of up to so many cards of a rank, with the card that they must have: the most there may be, and then
    besides those of a card less, of two … as many as there are wild cards to spare."""
    most, found, tiers = min(width, len(group)), tuple[Cards, ...](), list[tuple[Cards, ...]]()
    for count in range(most, max(0, most - spare) - 1, -1):
        found += tuple([cards for cards in chosen(group, count) if must is None or must in cards])
        tiers.append(found)
    return tuple(tiers)


def _furthest(lacking: Sequence[int], wild: int) -> list[int]:
    """For each rank how far a run may go that begins there, where ranks lack so many cards and so many are wild: the
    end of it."""
    ends, end, missing, size = list[int](), 0, 0, len(lacking)
    for start, lacks in enumerate(lacking):
        while end < size and lacking[end] + missing <= wild:
            missing += lacking[end]
            end += 1
        ends.append(end)
        if end > start:
            missing -= lacks
        else:
            end = start + 1
    return ends
