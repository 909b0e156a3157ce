"""Runs of consecutive ranks [PRES-22, PRES-75 … PRES-77]: single cards, and runs of pairs, triples and fours."""

from collections.abc import Iterator

from app.engine.cards import Card, Cards
from app.engine.climbing.combinations import Combination, Strength, choices, kind, products
from app.engine.options import Choice, Options, Switch

from .cards import HIGH, CardMeanings

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
        self.one_suit = options[SUITS] == "one"
        self.wholly = options[BEATS] == "wholly_higher"
        """Whether a run has to lie wholly above one that it beats."""

    def _shortest(self, width: int) -> int:
        return 3 if width == 1 else 2

    def readings(self, cards: Cards, *, inverted: bool) -> Iterator[Combination]:
        """Every run that these cards make; at least one of them is natural."""
        counts: dict[str, int] = {}
        wild, suits = 0, set[str]()
        for card in cards:
            if self.faces.is_wild(card):
                wild += 1
            elif (rank := self.faces.rank(card)) in self.ranks and rank != HIGH:
                counts[rank] = counts.get(rank, 0) + 1
                suits.add(card.suit)
            else:
                return
        if not counts or (self.one_suit and len(suits) > 1):
            return
        places = [self.ranks.index(rank) for rank in counts]
        for width in self.widths:
            length, rest = divmod(len(cards), width)
            if rest or length < self._shortest(width) or max(counts.values()) > width:
                continue
            for start in range(max(0, max(places) - length + 1), min(*places, len(self.ranks) - length) + 1):
                window = self.ranks[start : start + length]
                yield Combination(KINDS[width], cards, self._strength(window, inverted=inverted), window[-1])

    def candidates(
        self, held: Cards, on: Combination | None, *, inverted: bool, must: Card | None = None
    ) -> Iterator[Cards]:
        """Every different choice of held cards that may be a run: one that beats, if there is one to beat, and that has
        the card that it must have."""
        wild = tuple(card for card in held if self.faces.is_wild(card))
        groups: dict[str, list[Card]] = {rank: [] for rank in self.ranks}
        for card in held:
            if not self.faces.is_wild(card) and self.faces.rank(card) in groups:
                groups[self.faces.rank(card)].append(card)
        seen = set[tuple[str, ...]]()
        for width, window in self._windows(on, inverted=inverted):
            if must is not None and must[0] not in window:
                continue
            for suited in self._suited([groups[rank] for rank in window], must):
                for cards in self._window(suited, width, wild, must):
                    if not wild:
                        yield cards
                    elif (key := tuple(sorted(cards))) not in seen:
                        seen.add(key)
                        yield cards

    def _suited(self, window: list[list[Card]], must: Card | None) -> Iterator[list[list[Card]]]:
        """The cards of a window from which a run may be chosen: all of them, or those of each suit."""
        if not self.one_suit:
            yield window
            return
        suits = {card.suit for group in window for card in group} if must is None else {must.suit}
        for suit in sorted(suits):
            yield [[card for card in group if card.suit == suit] for group in window]

    def _windows(self, on: Combination | None, *, inverted: bool) -> Iterator[tuple[int, str]]:
        """Widths and ranks of the runs that may be played on this."""
        above = None if on is None else self.strength(on, inverted=inverted)
        for width in self.widths:
            for length in range(self._shortest(width), len(self.ranks) + 1):
                if on is not None and (on.kind != KINDS[width] or on.size != length * width):
                    continue
                for start in range(len(self.ranks) - length + 1):
                    window = self.ranks[start : start + length]
                    if above is None or self._least(window, inverted=inverted) > above:
                        yield width, window

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
        missing = sum(max(0, width - len(group)) for group in window)
        if missing > len(wild) or not any(window):
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
