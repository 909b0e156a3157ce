"""What would beat a play in President, found by asking `Beating` about the cards of the deck.

For every number of cards and every rank it is tried whether such a set beats what lies there. Only among equals, and
where the suit has to be followed, do the very cards matter: there each choice is tried.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from app.engine.cards import RANK_NAMES, Card, Cards, in_words
from app.engine.climbing.combinations import KIND_OF_SET, Combination, choices
from app.engine.proposals import OfGroup, OfKind, Proposal, either

from . import poker_hands
from .beating import Beating
from .cards import HIGH

COUNTS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight")
SHOWN = 3
"""Very cards that are named, at most."""


def proposals(beating: Beating, on: Combination, *, inverted: bool) -> list[Proposal]:
    """Everything that beats a combination, in the order of a sentence."""
    if on.role == "any_time":
        return [OfKind("any combination")]
    asked = _Asked(beating, on, inverted)
    found: list[Proposal] = list(asked.runs())
    for size in sorted(asked.sizes, key=lambda size: (size != on.size, -size)):
        if size <= on.size or on.kind not in KIND_OF_SET:
            found += asked.sets(size)
    return [*found, *asked.larger()]


class _Asked:
    """One question: what beats `on`?"""

    def __init__(self, beating: Beating, on: Combination, inverted: bool) -> None:
        self.beating, self.faces, self.on, self.inverted = beating, beating.faces, on, inverted
        self.is_set = on.kind in KIND_OF_SET
        left = list((Counter(self.faces.deck()) - Counter(on.cards)).elements())
        self.left: Cards = tuple(left)
        self.wild: Cards = tuple(card for card in left if self.faces.is_wild(card))
        natural: dict[str, list[Card]] = {}
        wild: dict[str, list[Card]] = {}
        for card in left:
            if self.faces.is_wild(card):
                wild.setdefault(card[0], []).append(card)
            else:
                natural.setdefault(self.faces.rank(card), []).append(card)
        self.natural = {rank: tuple(natural[rank]) for rank in sorted(natural, key=self._level)}
        """What is left of each rank, from the lowest in force."""
        self.alone = {rank: tuple(cards) for rank, cards in wild.items()}
        """Wild cards by what is printed on them."""
        self.sizes = range(1, max(map(len, (*self.natural.values(), *self.alone.values())), default=0) + 1)
        self.alike = {on.rank, *map(self.faces.rank, on.cards)}

    def _level(self, rank: str) -> float:
        return self.faces.level(rank, inverted=self.inverted)

    def _does(self, cards: Cards) -> bool:
        readings = self.beating.readings(cards, self.on, inverted=self.inverted)
        return any(self.beating.beats(reading, self.on, inverted=self.inverted) for reading in readings)

    def _try(self, rank: str, group: Cards, size: int) -> tuple[bool, list[Cards]]:
        """Whether all sets of this size beat; if not all, those that do."""
        different = choices(group, size)
        matters = rank in self.alike or group[0] in self.wild or (self.beating.follow_suit and size == 1)
        tried = list(different) if matters else [next(iter(different))]
        good = [cards for cards in tried if self._does(cards)]
        return (True, []) if len(good) == len(tried) else (False, good)

    def sets(self, size: int) -> Iterator[OfGroup]:
        """The sets of this size."""
        full: list[str] = []
        partly: list[Cards] = []
        for rank, group in self.natural.items():
            if len(group) >= size:
                all_do, some = self._try(rank, group, size)
                full += [rank] if all_do else []
                partly += some
        if self.is_set and size == self.on.size:
            yield from self._beside_it(full, partly)
        else:
            yield from (self._of(rank, size) for rank in full)
            yield from _very(partly)
        for rank, group in self.alone.items():
            if len(group) >= size:
                all_do, some = self._try(rank, group, size)
                if all_do:
                    yield OfGroup(_named(rank, size, wild=True), (size,), (group,))
                else:
                    yield from _very(some)

    def _beside_it(self, full: list[str], partly: list[Cards]) -> Iterator[OfGroup]:
        """Of as many cards as lie there: higher ones, equal ones, the others by name."""
        size = self.on.size
        what = self.on.kind if size > 1 else "card"
        higher = self._higher(size)
        if higher and set(higher) <= set(full):
            yield OfGroup(f"{self._than()} {what}", (size,), self._groups(higher), self._may_stand_in(higher, size))
            full = [rank for rank in full if rank not in higher]
        if self.on.rank in full:
            yield OfGroup("an equal one" if higher else f"an equal {what}", (size,), (self.natural[self.on.rank],))
            full = [rank for rank in full if rank != self.on.rank]
        suited = self._suited(partly) if size == 1 else ()
        if suited:
            yield OfGroup(f"{self._than()} card of the same suit", (1,), suited)
            partly = [cards for cards in partly if cards not in suited]
        yield from (self._of(rank, size) for rank in full)
        yield from _very(partly)

    def _higher(self, size: int) -> list[str]:
        """The ranks above the one that lies there, of which so many cards are left; turned round, jokers apart."""
        level = self.beating.level(self.on.rank, inverted=self.inverted)
        return [
            rank
            for rank, group in self.natural.items()
            if len(group) >= size
            and self._level(rank) > level
            and not (self.inverted and self.faces.is_joker_rank(rank))
        ]

    def _suited(self, partly: list[Cards]) -> tuple[Cards, ...]:
        """All the higher cards of the suit that has to be followed; nothing, if one of them would not do."""
        suit, higher = self.on.cards[0].suit, self._higher(1)
        if not self.beating.follow_suit:
            return ()
        wanted = tuple((c,) for rank in higher for c in dict.fromkeys(self.natural[rank]) if c.suit == suit)
        return wanted if set(wanted) <= set(partly) else ()

    def larger(self) -> Iterator[OfGroup]:
        """Larger sets, where they beat."""
        sizes = [size for size in self.sizes if size > self.on.size] if self.is_set else []
        alike: dict[tuple[str, ...], list[int]] = {}
        for size in sizes:
            there = [rank for rank, group in self.natural.items() if len(group) >= size]
            good = [rank for rank in there if self._try(rank, self.natural[rank], size)[0]]
            above = [rank for rank in self._higher(size) if rank in good]
            if not good:
                continue
            if good == there:
                alike.setdefault(("any rank",), []).append(size)
            elif good == [rank for rank in there if rank not in self.alike]:
                alike.setdefault(("any other rank",), []).append(size)
            elif above == good:
                alike.setdefault((f"{self._than()} rank",), []).append(size)
            else:
                alike.setdefault(tuple(good), []).append(size)
        for label, found in alike.items():
            yield from self._larger(label, found, whole=found == sizes)

    def _larger(self, label: tuple[str, ...], sizes: list[int], *, whole: bool) -> Iterator[OfGroup]:
        if not label[0].endswith("rank"):
            yield from (self._of(rank, size) for size in sizes for rank in label)
            return
        ranks = [
            rank
            for rank in (self._higher(sizes[0]) if label[0].startswith(self._than()) else self.natural)
            if label[0] != "any other rank" or rank not in self.alike
        ]
        more = "more" if label[0].startswith(self._than()) else f"more than {self.on.size}"
        count = more if whole else either(map(str, sizes))
        stand_ins = self.wild if all(self._may_stand_in(ranks, size) for size in sizes) else ()
        yield OfGroup(f"{count} of {label[0]}", tuple(sizes), self._groups(ranks), stand_ins)

    def runs(self) -> Iterator[OfKind]:
        """Runs and poker hands, of the kind that lies there or a higher one."""
        on, turned = self.on, self.inverted
        if self.is_set:
            return
        above = f"{self._than()} {on.kind.replace('_', ' ')}"
        if on.kind not in poker_hands.KINDS:
            if next(self.beating.sequences.candidates(self.left, on, inverted=turned), None) is not None:
                yield OfKind(above, (on.kind,), (on.size,), on.strength)
            return
        poker = self.beating.poker
        assert poker is not None
        higher = poker_hands.KINDS[poker_hands.KINDS.index(on.kind) + 1 :]
        found = set[str]()
        for cards in poker.candidates(self.left, on, inverted=turned):
            reading = poker.reading(cards, inverted=turned)
            if reading is not None and poker.beats(reading, on):
                found.add(reading.kind)
                if {on.kind, higher[-1] if higher else on.kind} <= found:
                    break
        if on.kind in found:
            yield OfKind(above, (on.kind,), (on.size,), on.strength)
        if found & set(higher):
            yield OfKind("a higher kind of poker hand", higher)

    def _may_stand_in(self, ranks: Sequence[str], size: int) -> Cards:
        """The wild cards, if they may take part in sets of these ranks."""
        if size == 1 or not self.wild:
            return ()
        mixed = (self.natural[rank][: size - 1] + self.wild[:1] for rank in ranks if len(self.natural[rank]) >= size)
        return self.wild if all(map(self._does, mixed)) else ()

    def _than(self) -> str:
        return "a lower" if self.inverted else "a higher"

    def _groups(self, ranks: Sequence[str]) -> tuple[Cards, ...]:
        return tuple(self.natural[rank] for rank in ranks)

    def _of(self, rank: str, size: int) -> OfGroup:
        group = self.natural[rank]
        return OfGroup(in_words(group) if rank == HIGH and size == 1 else _named(rank, size), (size,), (group,))


def _very(found: list[Cards]) -> Iterator[OfGroup]:
    """Very cards: some of them, where there are many."""
    if found:
        words = either(in_words(cards) for cards in found[:SHOWN])
        more = "cards such as " if len(found) > SHOWN else ""
        yield OfGroup(f"{more}{words}", (len(found[0]),), tuple(found))


def _named(rank: str, size: int, *, wild: bool = False) -> str:
    """Cards of a rank for a sentence: “one two”, “three sixes”."""
    name = {"b": "black joker", "r": "red joker", HIGH: "high card"}.get(rank) or RANK_NAMES[rank]
    plural = name if size == 1 else f"{name}{'es' if name.endswith('x') else 's'}"
    return f"{COUNTS[size]} {'wild ' if wild and rank != 'X' else ''}{plural}"
