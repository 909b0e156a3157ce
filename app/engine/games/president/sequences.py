"""Runs of consecutive ranks [PRES-22, PRES-75 … PRES-77]: single cards, and runs of pairs, triples and fours."""

from collections.abc import Iterator

from app.engine.cards import Card, Cards
from app.engine.climbing.combinations import Combination, Strength, choices, kind, products
from app.engine.options import Choice, Options, Switch

from .cards import CardMeanings

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


class Sequences:
    """The runs that some options allow."""

    def __init__(self, faces: CardMeanings, options: Options) -> None:
        self.faces = faces
        self.widths = WIDTHS[options[SWITCH]]
        # What is stripped closes the gap.
        every = options[RANKS] == "all"
        self.ranks = "".join(rank for rank in faces.natural if every or rank not in faces.top_of_runs)
        self.places = {rank: place for place, rank in enumerate(self.ranks)}
        self.one_suit = options[SUITS] == "one"
        self.wholly = options[BEATS] == "wholly_higher"
        """Whether a run has to lie wholly above one that it beats."""

    def _shortest(self, width: int) -> int:
        return 3 if width == 1 else 2

    def readings(self, cards: Cards, *, inverted: bool) -> Iterator[Combination]:
        """Every run that these cards make; at least one of them is natural."""
        counts: dict[int, int] = {}
        wild, suits = 0, set[str]()
        places, is_wild, rank = self.places, self.faces.is_wild, self.faces.rank
        for card in cards:
            if is_wild(card):
                wild += 1
            elif (place := places.get(rank(card))) is not None:
                counts[place] = counts.get(place, 0) + 1
                suits.add(card[1])
            else:
                return
        if not counts or (self.one_suit and len(suits) > 1):
            return
        low, high, most = min(counts), max(counts), max(counts.values())
        for width in self.widths if wild else (most,):
            length, rest = divmod(len(cards), width)
            if rest or width not in self.widths or length < self._shortest(width) or most > width:
                continue
            for start in range(max(0, high - length + 1), min(low, len(self.ranks) - length) + 1):
                window = self.ranks[start : start + length]
                yield Combination(KINDS[width], cards, self._strength(window, inverted=inverted), window[-1])

    def candidates(
        self, held: Cards, on: Combination | None, *, inverted: bool, must: Card | None = None
    ) -> Iterator[Cards]:
        """Every different choice of held cards that may be a run: one that beats, if there is one to beat, and that has
        the card that it must have."""
        wild = tuple(card for card in held if self.faces.is_wild(card))
        families = self._families(held, must)
        seen = set[tuple[str, ...]]()
        for width, lengths in self._shapes(on):
            ends = [_furthest(family, width, len(wild)) for family in families]
            longest = max((end - start for each in ends for start, end in enumerate(each)), default=0)
            for length in range(lengths.start, min(lengths.stop, longest + 1)):
                for start in self._starts(length, on, must, inverted=inverted):
                    for family, end in zip(families, ends, strict=True):
                        if start + length > end[start]:
                            continue
                        for cards in self._window(family[start : start + length], width, wild, must):
                            if not wild:
                                yield cards
                            elif (key := tuple(sorted(cards))) not in seen:
                                seen.add(key)
                                yield cards

    def _families(self, held: Cards, must: Card | None) -> list[list[list[Card]]]:
        """The natural cards from which a run may be chosen, those of each rank by themselves: all, or one suit's."""
        families: dict[str, list[list[Card]]] = {}
        for card in held:
            at = self.places.get(self.faces.rank(card))
            if at is not None and not self.faces.is_wild(card):
                suit = card.suit if self.one_suit else ""
                if suit not in families:
                    families[suit] = [[] for _ in self.ranks]
                families[suit][at].append(card)
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

    def _starts(self, length: int, on: Combination | None, must: Card | None, *, inverted: bool) -> Iterator[int]:
        """Where runs of so many ranks may begin that may be played on this, with the card that they must have."""
        above = None if on is None else self.strength(on, inverted=inverted)
        for start in range(len(self.ranks) - length + 1):
            window = self.ranks[start : start + length]
            if must is not None and must[0] not in window:
                continue
            if above is None or self._least(window, inverted=inverted) > above:
                yield start

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

    def _window(self, window: list[list[Card]], width: int, wild: Cards, must: Card | None) -> Iterator[Cards]:
        if not any(window):
            return
        total = width * len(window)
        for cards in products([_up_to(group, width, must, width if not wild else 0) for group in window]):
            if cards and total - len(cards) <= len(wild):
                for rest in choices(wild, total - len(cards)):
                    yield cards + rest


def _up_to(group: list[Card], width: int, must: Card | None, least: int) -> list[Cards]:
    """Choices of as many cards as possible first, down to `least`; with the card that they must have if it is here."""
    found = [cards for count in range(min(width, len(group)), least - 1, -1) for cards in choices(group, count)]
    return found if must is None or must not in group else [cards for cards in found if must in cards]


def _furthest(family: list[list[Card]], width: int, wild: int) -> list[int]:
    """For each rank how far a run of this width may go that begins there, with so many wild cards: the end of it."""
    ends, end, missing = list[int](), 0, 0
    for start in range(len(family)):
        while end < len(family) and (lacks := max(0, width - len(family[end]))) + missing <= wild:
            missing += lacks
            end += 1
        ends.append(end)
        if end > start:
            missing -= max(0, width - len(family[start]))
        else:
            end = start + 1
    return ends
