"""What would beat a play in President, found by asking `Beating` about the cards of the deck.

For every number of cards and every rank it is tried whether such a set beats what lies there. Only among equals, and
where something is asked of the very cards (a suit, mostly), do these matter: there each choice is tried.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from app.engine.base.messages import Phrase, Said, Sentence, beside, either
from app.engine.cards.cards import RANK_NAMES, Card, Cards, in_words
from app.engine.climbing.combinations import KIND_OF_SET, Combination, choices
from app.engine.climbing.search_counter import look, looked_at
from app.engine.climbing.suggestion_data import OfGroup, OfKind, Proposal
from app.engine.games.president.combinations import poker_hands
from app.engine.games.president.combinations.beats import Beating
from app.engine.games.president.combinations.card_powers import HIGH_THREE, OnAJoker, Transparent
from app.engine.games.president.combinations.cards import HIGH
from app.engine.games.president.combinations.nouns import noun
from app.engine.games.president.combinations.requirements import Demand
from app.engine.games.president.combinations.sets import count_red

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
A_BOMB = Sentence("what.bomb", "a bomb (four of a rank)")
BOMB_OF_MORE = Sentence("what.bomb_of_more", "a bomb (four or more of a rank)")
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
    found += asked.bombs()
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
        self._is_open = beating.is_open(on, inverted=inverted)
        self._of_use = beating.sizes(on, self.sizes.stop)
        self._known: dict[Cards, bool] = {}
        """What was found out about choices of cards."""

    def _level(self, rank: str) -> float:
        return self.faces.level(rank, inverted=self.inverted)

    def _does(self, cards: Cards) -> bool:
        """Return whether these beat it and meet the demands."""
        known = self._known.get(cards)
        if known is None:
            look()
            known = self._known[cards] = self._tried(cards)
        return known

    def _tried(self, cards: Cards) -> bool:
        readings = self.beating.readings(cards, self.on, inverted=self.inverted)
        return any(
            self.beating.beats(reading, self.on, inverted=self.inverted) and self._is_met(reading)
            for reading in readings
        )

    def _is_met(self, reading: Combination) -> bool:
        return all(demand.is_met(reading) for demand in self.demands)

    def _try(self, rank: str, group: Cards, size: int) -> tuple[bool, list[Cards]]:
        """Whether all sets of this size beat; if not all, those that do."""
        if group[0] not in self.wild and not self._could(rank, size):
            return False, []
        is_wild, beating = group[0] in self.wild, self.beating
        by_suit = beating.colours or (beating.by_suit and size <= 2)
        # No suit that is asked for holds a bomb back.
        by_card = (bool(self.said) and not self._is_bomb(rank, size)) or (by_suit and rank in self.alike)
        if not (is_wild or by_card or rank in self.alike or self._is_special(rank, size)):
            return True, []  # rank and size alone decide
        different = choices(group, size)
        if is_wild and size > 1:  # wild cards fit every suit that is asked for, so that at most their colours count
            alike = {count_red(cards): cards for cards in different} if beating.colours else {0: group[:size]}
            reds = {red for red, cards in alike.items() if self._does(cards)}
            if len(reds) in (0, len(alike)):
                return bool(reds), []
            return False, [cards for cards in choices(group, size) if count_red(cards) in reds]
        tried = list(different) if is_wild or by_card or OnAJoker.CARD in group else [next(iter(different))]
        good = [cards for cards in tried if self._does(cards)]
        return (True, []) if len(good) == len(tried) else (False, good)

    def _could(self, rank: str, size: int) -> bool:
        """Return whether any natural set of this rank and size could do: told from rank and size alone."""
        asked = any(demand.rank not in (None, rank) for demand in self.demands)
        if asked and not (self._has_power(rank, size) or self.faces.is_joker_rank(rank)):
            return False
        return self._is_open or (
            size in self._of_use and bool(self.beating.wanted(rank, size, self.on, wild=False, inverted=self.inverted))
        )

    def _is_special(self, rank: str, size: int) -> bool:
        """Return whether a power has a say in whether a natural set of this rank and size beats it."""
        powers = self.beating.powers
        transparent = any(rank == power.rank for power in powers if isinstance(power, Transparent))
        lies = bool(self.on.role) or self.on.rank == HIGH_THREE
        return bool(powers) and (lies or transparent or self._has_power(rank, size))

    def _only_as_bomb(self, rank: str, size: int) -> bool:
        """Return whether a natural set of this rank and size beats it as a bomb alone, whatever its rank: all of these
        are proposed together."""
        bomb = self.beating.bomb
        if bomb is None or size < bomb.FEWEST or bomb.is_one(self.on) or self._is_open:
            return False
        plain = self.beating.plainly_wanted(rank, size, self.on, wild=False, inverted=self.inverted)
        return not plain and not self.faces.is_joker_rank(rank)

    def _is_bomb(self, rank: str, size: int) -> bool:
        """Return whether natural sets of this rank and size are bombs that may beat it."""
        return self.beating.bomb is not None and self.beating.bomb.may_have(rank, size, self.on, wild=False)

    def bombs(self) -> Iterator[OfGroup]:
        """Bombs, where any of them beats."""
        bomb = self.beating.bomb
        if bomb is None or bomb.is_one(self.on) or self._is_open:
            return
        groups = tuple(
            group
            for rank, group in self.natural.items()
            if len(group) >= bomb.FEWEST and not self.faces.is_joker_rank(rank)
        )
        if any(self._does(group[: bomb.FEWEST]) for group in groups[:1]):
            words = A_BOMB() if bomb.most == bomb.FEWEST else BOMB_OF_MORE()
            yield OfGroup(words, tuple(range(bomb.FEWEST, bomb.most + 1)), groups)

    def _has_power(self, rank: str, size: int) -> bool:
        """Return whether a natural set of this rank and size may be played with a power."""
        return any(power.may_have(rank, size, self.on, wild=False) for power in self.beating.powers)

    def sets(self, size: int) -> Iterator[OfGroup]:
        """The sets of this size."""
        full: list[str] = []
        partly: list[Cards] = []
        said = self._said_ranks(size)
        for rank, group in self.natural.items():
            if len(group) >= size and rank not in said and not self._only_as_bomb(rank, size):
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
        said = self._said_ranks(size)
        if any(self._does(cards) for rank in said for cards in choices(self.natural[rank], size)):
            words = self._more()(kind=self.said[0].among(self.on.kind))
            yield OfGroup(words, (size,), self._groups(said), only=self._does)
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

    def _said_ranks(self, size: int) -> list[str]:
        """Return the ranks whose sets beat it exactly if they are what is asked: higher ones without a power.

        They need not be tried one by one.
        """
        if not self.said or not self.is_set or size != self.on.size:
            return []
        return [
            rank
            for rank in self._higher(size)
            if rank not in self.alike and not self.faces.is_joker_rank(rank)
            if self._could(rank, size) and not self._has_power(rank, size)
        ]

    def larger(self) -> Iterator[OfGroup]:
        """Larger sets, where they beat."""
        sizes = [size for size in self.sizes if size > self.on.size] if self.is_set else []
        if self.demands and not (self.beating.bomb is not None and self.beating.bomb.is_one(self.on)):
            if all(demand.larger for demand in self.demands):
                yield from filter(None, map(self._larger_of_those, sizes))
            return
        alike: dict[tuple[str, ...], list[int]] = {}
        for size in sizes:
            there = [
                rank
                for rank, group in self.natural.items()
                if len(group) >= size and not self._only_as_bomb(rank, size)
            ]
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
        """Return larger sets of so many cards that meet what is asked, or None if there are none."""
        ranks = [
            rank
            for rank, group in self.natural.items()
            if len(group) >= size and self._could(rank, size) and not self._only_as_bomb(rank, size)
        ]
        if not any(self._does(cards) for rank in ranks for cards in choices(self.natural[rank], size)):
            return None
        said = RANKS[f"{self._than()} rank" if set(ranks) <= set(self._higher(size)) else "any rank"]()
        words = OF_RANK_WITH(number=size, rank=said, asked=self.demands[0].cards)
        return OfGroup(words, (size,), self._groups(ranks), only=self._does)

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
            example = self._first_run()
            if example is not None:
                yield OfKind(above, (on.kind,), (on.size,), only=self._does_as_run, examples=(example,))
            return
        poker = self.beating.poker
        assert poker is not None
        higher = poker_hands.KINDS[poker_hands.KINDS.index(on.kind) + 1 :]
        samples = [one for one in looked_at(poker.samples(self.left, on, inverted=turned)) if self._is_met(one)]
        alike = tuple(one for one in samples if one.kind == on.kind)
        beyond_it = tuple(one for one in samples if one.kind != on.kind)
        if alike:
            yield OfKind(above, (on.kind,), (on.size,), on.strength, only, alike)
        if beyond_it:
            yield OfKind(HIGHER_POKER_HAND(), higher, (on.size,), only=only, examples=beyond_it)

    def _first_run(self) -> Combination | None:
        """Return a run that beats the one that lies there and meets the demands, if there is one."""
        for cards in self.beating.sequences.candidates(self.left, self.on, inverted=self.inverted):
            if self._does(cards):
                readings = self.beating.sequences.readings(cards, inverted=self.inverted)
                return next(filter(self._does_as_run, readings), None)
        return None

    def _does_as_run(self, run: Combination) -> bool:
        """Whether a run beats the one that lies there, and meets what is asked."""
        return self.beating.sequences.beats(run, self.on, inverted=self.inverted) and self._is_met(run)

    def _may_stand_in(self, ranks: Sequence[str], size: int) -> Cards:
        """The wild cards, if they may take part in sets of these ranks."""
        if size == 1 or not self.wild:
            return ()
        enough = [rank for rank in ranks if len(self.natural[rank]) >= size]
        # If they may with the lowest, they may with the others, but for those that are special here.
        tried = [
            rank
            for rank in enough
            if rank == enough[0]
            or rank in self.alike
            or rank == HIGH
            or self.faces.is_joker_rank(rank)
            or self._has_power(rank, size)
        ]
        mixed = (self.natural[rank][: size - 1] + self.wild[:1] for rank in tried)
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
