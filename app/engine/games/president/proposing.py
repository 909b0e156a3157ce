"""What would beat a play in President, found by asking `Beating` about the cards of the deck.

For every number of cards and every rank it is tried whether such a set beats what lies there. Only among equals, and
where something is asked of the very cards (a suit, mostly), do these matter: there each choice is tried.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from app.engine.cards import RANK_NAMES, Card, Cards, in_words
from app.engine.climbing.combinations import KIND_OF_SET, Combination, choices
from app.engine.climbing.proposals import OfGroup, OfKind, Proposal
from app.engine.words import Phrase, Said, Sentence, beside, either

from . import poker_hands
from .beating import Beating
from .cards import HIGH
from .demands import Demand
from .nouns import noun
from .powers import OnAJoker

COUNTS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight")
NUMBERS = {n: Sentence(f"number.{n}", name) for n, name in enumerate(COUNTS) if n}
ANY_COMBINATION = Sentence("what.any_combination", "any combination")
BECAUSE = Sentence("what.because", "{what}: {because}")
HIGHER = Sentence("what.higher", "a higher {kind}")
LOWER = Sentence("what.lower", "a lower {kind}")
EQUAL = Sentence("what.equal", "an equal {kind}")
EQUAL_ONE = Sentence("what.equal_one", "an equal one")
CARD = Sentence("noun.card", "card")
RANKS = {
    rank: Sentence(f"what.{rank.replace(' ', '_')}", rank)
    for rank in ("any rank", "any other rank", "a higher rank", "a lower rank")
}
OF_RANK = Sentence("what.of_rank", "{number} of {rank}")
OF_RANK_WITH = Sentence("what.of_rank_with", "{number} of {rank} {asked}")
MORE = Sentence("what.more", "more")
MORE_THAN = Sentence("what.more_than", "more than {number}")
WHOLLY_BEYOND = Sentence("what.wholly_beyond", "wholly beyond it")
HIGHER_POKER_HAND = Sentence("what.higher_poker_hand", "a higher kind of poker hand")
SUCH_AS = Sentence("what.such_as", "cards such as {cards}")
SHOWN = 3
"""Very cards that are named, at most."""


def proposals(beating: Beating, on: Combination, demands: Sequence[Demand], *, inverted: bool) -> list[Proposal]:
    """Everything that beats a combination and meets what is asked, in the order of a sentence."""
    if not demands and beating.is_open(on, inverted=inverted):
        return [OfKind(ANY_COMBINATION())]
    asked = _Asked(beating, on, demands, inverted)
    found: list[Proposal] = list(asked.runs())
    for size in sorted(asked.sizes, key=lambda size: (size != on.size, -size)):
        if size <= on.size or on.kind not in KIND_OF_SET:
            found += asked.sets(size)
    found += asked.larger()
    found += asked.with_wild_cards()
    # A reason is given once, at the end.
    because = demands[0].because if demands else ""
    if found and because:
        found[-1] = replace(found[-1], words=BECAUSE(what=found[-1].words, because=because))
    return found


class _Asked:
    """One question: what beats `on`, and meets these demands?"""

    def __init__(self, beating: Beating, on: Combination, demands: Sequence[Demand], inverted: bool) -> None:
        self.beating, self.faces, self.on, self.inverted = beating, beating.faces, on, inverted
        self.demands = demands
        self.said = [*demands, *beating.demands(on)]
        """What is asked of the very cards, by the rules of beating too: these judge it themselves."""
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
        return any(
            self.beating.beats(reading, self.on, inverted=self.inverted) and self._is_met(reading)
            for reading in readings
        )

    def _is_met(self, reading: Combination) -> bool:
        return all(demand.is_met(reading) for demand in self.demands)

    def _try(self, rank: str, group: Cards, size: int) -> tuple[bool, list[Cards]]:
        """Whether all sets of this size beat; if not all, those that do."""
        different = choices(group, size)
        matters = rank in self.alike or group[0] in self.wild or self.said or OnAJoker.CARD in group
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
        what = noun(self.on.kind) if size > 1 else CARD()
        higher = self._higher(size)
        if higher and set(higher) <= set(full):
            yield OfGroup(self._more()(kind=what), (size,), self._groups(higher), self._may_stand_in(higher, size))
            full = [rank for rank in full if rank not in higher]
        if self.on.rank in full:
            yield OfGroup(EQUAL_ONE() if higher else EQUAL(kind=what), (size,), (self.natural[self.on.rank],))
            full = [rank for rank in full if rank != self.on.rank]
        wanted = self._wanted(size)
        if wanted:
            yield OfGroup(self._more()(kind=self.said[0].among(self.on.kind)), (size,), wanted)
            partly = [cards for cards in partly if cards not in wanted]
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

    def _wanted(self, size: int) -> tuple[Cards, ...]:
        """All the higher ones that are what is asked; nothing, if one of them would not do."""
        if not self.said:
            return ()
        ranks = [rank for rank in self._higher(size) if not self.faces.is_joker_rank(rank)]
        higher = (cards for rank in ranks for cards in choices(self.natural[rank], size))
        wanted = tuple(cards for cards in higher if self._is_said(cards))
        return wanted if all(map(self._does, wanted)) else ()

    def _is_said(self, cards: Cards) -> bool:
        """Whether these are what is asked for as they are, without a power that they might have."""
        plain = (one.but(role="") for one in self.beating.readings(cards, self.on, inverted=self.inverted))
        return any(all(demand.is_met(one) for demand in self.said) for one in plain)

    def larger(self) -> Iterator[OfGroup]:
        """Larger sets, where they beat."""
        sizes = [size for size in self.sizes if size > self.on.size] if self.is_set else []
        if self.demands:
            yield from filter(None, map(self._larger_of_those, sizes))
            return
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

    def _larger_of_those(self, size: int) -> OfGroup | None:
        """Larger sets of so many cards that meet what is asked."""
        groups = (group for group in self.natural.values() if len(group) >= size)
        good = tuple(cards for group in groups for cards in choices(group, size) if self._does(cards))
        if not good:
            return None
        higher = {self.faces.rank(cards[0]) for cards in good} <= set(self._higher(size))
        rank = RANKS[f"{self._than()} rank" if higher else "any rank"]()
        return OfGroup(OF_RANK_WITH(number=size, rank=rank, asked=self.demands[0].cards), (size,), good)

    def _larger(self, label: tuple[str, ...], sizes: list[int], *, whole: bool) -> Iterator[OfGroup]:
        if not label[0].endswith("rank"):
            yield from (self._of(rank, size) for size in sizes for rank in label)
            return
        ranks = [
            rank
            for rank in (self._higher(sizes[0]) if label[0].startswith(self._than()) else self.natural)
            if label[0] != "any other rank" or rank not in self.alike
        ]
        more = MORE() if label[0].startswith(self._than()) else MORE_THAN(number=self.on.size)
        count = more if whole else either(map(str, sizes))
        stand_ins = self.wild if all(self._may_stand_in(ranks, size) for size in sizes) else ()
        yield OfGroup(OF_RANK(number=count, rank=RANKS[label[0]]()), tuple(sizes), self._groups(ranks), stand_ins)

    def with_wild_cards(self) -> Iterator[OfKind]:
        """Sets as large as the one that lies there, where there are too few cards of a rank without wild ones."""
        size = self.on.size
        if not self.is_set or size < self.sizes.stop or not self.wild:
            return
        higher = (rank for rank in self.natural if self._level(rank) > self._level(self.on.rank))
        filled = ((*self.natural[rank], *self.wild)[:size] for rank in higher)
        if any(len(cards) == size and self._does(cards) for cards in filled):
            above, only = (self._level(self.on.rank),), self._is_met if self.demands else None
            yield OfKind(self._more()(kind=noun(self.on.kind)), (self.on.kind,), (size,), above, only)

    def runs(self) -> Iterator[OfKind]:
        """Runs and poker hands, of the kind that lies there or a higher one."""
        on, turned = self.on, self.inverted
        if self.is_set:
            return
        beyond = (WHOLLY_BEYOND(),) if self.beating.sequences.wholly and on.kind not in poker_hands.KINDS else ()
        above = self._more()(kind=beside((noun(on.kind), *beyond, *(demand.cards for demand in self.demands))))
        only = self._is_met if self.demands else None
        if on.kind not in poker_hands.KINDS:
            if any(map(self._does, self.beating.sequences.candidates(self.left, on, inverted=turned))):
                yield OfKind(above, (on.kind,), (on.size,), only=self._does_as_run)
            return
        poker = self.beating.poker
        assert poker is not None
        higher = poker_hands.KINDS[poker_hands.KINDS.index(on.kind) + 1 :]
        found = set[str]()
        for cards in poker.candidates(self.left, on, inverted=turned):
            reading = poker.reading(cards, inverted=turned)
            if reading is not None and poker.beats(reading, on) and self._is_met(reading):
                found.add(reading.kind)
                if {on.kind, higher[-1] if higher else on.kind} <= found:
                    break
        if on.kind in found:
            yield OfKind(above, (on.kind,), (on.size,), on.strength, only)
        if found & set(higher):
            yield OfKind(HIGHER_POKER_HAND(), higher, only=only)

    def _does_as_run(self, run: Combination) -> bool:
        """Whether a run beats the one that lies there, and meets what is asked."""
        return self.beating.sequences.beats(run, self.on, inverted=self.inverted) and self._is_met(run)

    def _may_stand_in(self, ranks: Sequence[str], size: int) -> Cards:
        """The wild cards, if they may take part in sets of these ranks."""
        if size == 1 or not self.wild:
            return ()
        mixed = (self.natural[rank][: size - 1] + self.wild[:1] for rank in ranks if len(self.natural[rank]) >= size)
        return self.wild if all(map(self._does, mixed)) else ()

    def _more(self) -> Sentence:
        return LOWER if self.inverted else HIGHER

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
        words: Phrase = either(in_words(cards) for cards in found[:SHOWN])
        if len(found) > SHOWN:
            words = SUCH_AS(cards=words)
        yield OfGroup(words, (len(found[0]),), tuple(found))


def _of_rank(key: str, name: str) -> Sentence:
    plural = f"{name}{'es' if name.endswith('x') else 's'}"
    return Sentence(key, {"one": f"{{number}} {name}", "other": f"{{number}} {plural}"})


_NAMES = {**RANK_NAMES, "b": "black joker", "r": "red joker", HIGH: "high card"}
OF_RANKS = {rank: _of_rank(f"what.of.{rank}", name) for rank, name in _NAMES.items()}
WILD = {rank: _of_rank(f"what.wild.{rank}", f"wild {name}") for rank, name in _NAMES.items() if rank != "X"}


def _named(rank: str, size: int, *, wild: bool = False) -> Said:
    """Cards of a rank for a sentence: “one two”, “three sixes”."""
    of = WILD if wild and rank in WILD else OF_RANKS
    return of[rank](count=size, number=NUMBERS[size]())
