"""Cards that beat by a power of their own [PRES-07 … PRES-10, PRES-14, PRES-73, PRES-93]: trumps, any-time cards, high
threes, transparent cards, Toronto's power cards, the three of spades and bombs.

A power turns a plain reading into one with a `role`, says what that beats, what may beat it when it lies on the table,
and whether it ends the trick at once. Several may be in force; each is one small class, made only where its switch asks
for it.
"""

from collections.abc import Iterator
from typing import ClassVar

from app.engine.base.options import Choice, Options, Switch
from app.engine.cards.cards import Card, Cards
from app.engine.climbing.combinations import KIND_OF_SET, Combination
from app.engine.display.events import Event, EventType
from app.engine.games.president.combinations.cards import CardMeanings

SPADE_THREE = Switch(
    id="PRES-73",
    also="spe-san supe3 spade three reversal three-spade スペ3返し スペード3返し",
    key="spade_three",
    domain=Choice(
        {"none": "A three like others", "beats": "Beats a lone joker", "ends": "Beats a lone joker and ends the trick"}
    ),
    default="none",
    sentence="What the three of spades does on a joker that lies there alone, whatever that stands for.",
    example="Ana plays a joker, Bob 3♠: he has beaten it.",
    source="Daifugō",
    label="Three of spades",
)

BOMBS = Switch(
    id="PRES-93",
    also="bomb four of a kind 炸弹 炸彈 zhàdàn",
    key="bombs",
    domain=Choice({"no": "Four of a rank are a set like others", "fours": "Four of a rank beat everything"}),
    default="no",
    sentence="Four natural cards of a rank are a bomb. On your turn it beats any play that is no bomb, and a lower "
    "bomb. With two packs more cards of a rank beat fewer.",
    example="4♣ 4♦ 4♥ 4♠ beat 2♣, a run or K♣ K♦, and are beaten by 9♣ 9♦ 9♥ 9♠.",
    source="common",
    label="Bombs",
)

ENDED = EventType(
    "ended",
    "{by} ends the trick.",
    you="You end the trick.",
    stood_out="trick ended",
    moment=False,
    celebrated="cut",
)

JOKER_BEATEN = EventType(
    "joker_beaten",
    "{by} beats the joker with the three of spades!",
    you="You beat the joker with the three of spades!",
    tone="great",
    moment=True,
)
"""For all to see; what comes of it, records list."""

HIGH_THREE = "h3"
"""The rank of a single high three: between ace and two, and a revolution leaves that so."""

TRUMPS = ("trump_joker", "winning_two", "trump_two")
"""Roles that win by themselves: nothing equals them, and they break a run of single cards."""

TRANSPARENT = "transparent"
OPEN = "transparent_on_any_time"
"""The role of a transparent card on an any-time card: it is transparent, and keeps that open."""

SEEN_THROUGH = (TRANSPARENT, OPEN)
"""Roles of transparent cards: never an equal play, and they set nothing off."""


def has(cards: Cards, rank: str) -> bool:
    """Whether a card of this rank is among them."""
    return any(card[0] == rank for card in cards)


class Power:
    """One power. `role` marks readings that were played with it."""

    role = ""

    def readings(self, plain: Combination, on: Combination | None, *, inverted: bool) -> Iterator[Combination]:
        """What a plain set becomes by this power at this table."""
        return iter(())

    def beats(self, new: Combination, on: Combination) -> bool:
        """Whether a play with this power beats what is on the table."""
        return False

    def beaten(self, new: Combination, on: Combination) -> bool | None:
        """Whether a play without a power that wins here beats this one on the table; None: as sets of its rank go."""
        return None

    def ends(self, new: Combination) -> bool:
        """Whether nothing may beat it, so that the trick is over at once."""
        return False

    def tells(self, by: str) -> Event | None:
        """What is told of a play with it, if that does not go without saying."""
        return None

    def tells_end(self, by: str) -> Event | None:
        """What is told of the end of the trick, likewise."""
        return None

    def strong(self) -> Cards:
        """Cards that are worth more by it than their rank says."""
        return ()

    def may_have(self, rank: str, size: int, on: Combination, *, wild: bool) -> bool:
        """Whether some set of this rank and size, with or without wild cards, may be played with this power on this."""
        return size == 1

    def most_cards(self, on: Combination) -> int:
        """The most cards that it may take to beat this set."""
        return 1


class TrumpJoker(Power):
    """One joker beats any combination without a joker (PRES-07 `trump`)."""

    role = "trump_joker"

    def __init__(self, faces: CardMeanings, *, falls: bool) -> None:
        self.faces = faces
        self.falls = falls
        """Whether something beats it that is no joker."""

    def readings(self, plain: Combination, on: Combination | None, *, inverted: bool) -> Iterator[Combination]:
        if plain.size == 1 and plain.cards[0].is_joker:
            yield plain.but(role=self.role)

    def beats(self, new: Combination, on: Combination) -> bool:
        if on.role == self.role:
            return new.strength > on.strength
        return not any(card.is_joker for card in on.cards)

    def beaten(self, new: Combination, on: Combination) -> bool | None:
        return False

    def ends(self, new: Combination) -> bool:
        # Where red beats black, a black one with a red one in the pack can still be beaten; or by the three of spades.
        return not self.falls and not (self.faces.red_high and new.rank == "b")


class SingleTwo(Power):
    """One two with a power (PRES-08 `single_wins`, `trump`): it is never part of an equal play."""

    def readings(self, plain: Combination, on: Combination | None, *, inverted: bool) -> Iterator[Combination]:
        if plain.size == 1 and plain.cards[0].rank == "2":
            yield plain.but(role=self.role)

    def beaten(self, new: Combination, on: Combination) -> bool | None:
        return False


class WinningTwo(SingleTwo):
    """One two beats any combination without a trump joker, and ends the trick (`single_wins`)."""

    role = "winning_two"

    def __init__(self, faces: CardMeanings) -> None:
        self.jokers_are_trumps = faces.jokers_are_trumps

    def beats(self, new: Combination, on: Combination) -> bool:
        return not (self.jokers_are_trumps and any(card.is_joker for card in on.cards))

    def ends(self, new: Combination) -> bool:
        return True


class TrumpTwo(SingleTwo):
    """One two beats any combination that has no trump in it (`trump`)."""

    role = "trump_two"

    def __init__(self, faces: CardMeanings, *, falls: bool) -> None:
        self.jokers_are_trumps = faces.jokers_are_trumps
        self.falls = falls or faces.jokers_are_trumps
        """Whether something beats it."""

    def beats(self, new: Combination, on: Combination) -> bool:
        joker = self.jokers_are_trumps and any(card.is_joker for card in on.cards)
        return not joker and not has(on.cards, "2")

    def ends(self, new: Combination) -> bool:
        return not self.falls


class AnyTime(Power):
    """One two (an ace while inverted) goes on anything, and anything goes on it (`any_time`)."""

    role = "any_time"

    def is_one(self, single: Combination, *, inverted: bool) -> bool:
        """Whether this is the card that it is by the ranks now in force."""
        return single.size == 1 and single.cards[0].rank == ("A" if inverted else "2")

    def readings(self, plain: Combination, on: Combination | None, *, inverted: bool) -> Iterator[Combination]:
        if self.is_one(plain, inverted=inverted):
            yield plain.but(role=self.role)

    def beats(self, new: Combination, on: Combination) -> bool:
        return True

    def opens(self, on: Combination, *, inverted: bool) -> bool:
        """Whether anything at all may be played on this: it may have been turned since it was played (PRES-21)."""
        return on.role == OPEN or (on.role != TRANSPARENT and self.is_one(on, inverted=inverted))


class HighThree(Power):
    """One three beats any combination without a two, a three or four standing for one, or a joker (PRES-10)."""

    role = "high_three"

    def __init__(self, faces: CardMeanings) -> None:
        self.level = faces.high_three
        """Right below the two, and a revolution leaves that so."""
        self.threes = tuple(card for card in faces.deck() if card.rank == "3" and card not in faces.high)

    def strong(self) -> Cards:
        return self.threes

    def readings(self, plain: Combination, on: Combination | None, *, inverted: bool) -> Iterator[Combination]:
        if plain.size == 1 and plain.cards[0].rank == "3":
            yield plain.but(role=self.role, rank=HIGH_THREE, strength=(self.level,))

    def beats(self, new: Combination, on: Combination) -> bool:
        blocked = any(card[0] in "23X" for card in on.cards)
        return not blocked and on.rank != HIGH_THREE

    def beaten(self, new: Combination, on: Combination) -> bool | None:
        # One card only, whatever sizes beat others; which one, its rank says, but a two needs no suit.
        if new.size > 1:
            return False
        return True if new.rank == "2" else None


class Transparent(Power):
    """As many of a rank as lie on the table beat any set and take over its rank (PRES-09; fours by PRES-10)."""

    role = TRANSPARENT

    def __init__(self, faces: CardMeanings, any_time: AnyTime | None) -> None:
        self.rank = faces.transparent
        self.faces = faces
        self.any_time = any_time
        self.stopped_by_twos = faces.twos == "trump" or faces.threes_high

    def stands(self, cards: Cards) -> bool:
        """Whether these are transparent cards and nothing else."""
        return all(card.rank == self.rank and card not in self.faces.high for card in cards)

    def readings(self, plain: Combination, on: Combination | None, *, inverted: bool) -> Iterator[Combination]:
        if on is not None and on.kind in KIND_OF_SET and on.size == plain.size and self.stands(plain.cards):
            keeps_open = self.any_time is not None and self.any_time.opens(on, inverted=inverted)
            yield Combination(plain.kind, plain.cards, on.strength, on.rank, OPEN if keeps_open else self.role)

    def may_have(self, rank: str, size: int, on: Combination, *, wild: bool) -> bool:
        return not wild and rank == self.rank and size == on.size and not self._stopped(on)

    def beats(self, new: Combination, on: Combination) -> bool:
        return not self.never_beats(new.cards, on)

    def never_beats(self, cards: Cards, on: Combination) -> bool:
        """Whether these are transparent cards and there is a trump on the table, or with high threes a two."""
        return self.stands(cards) and self._stopped(on)

    def _stopped(self, on: Combination) -> bool:
        joker = self.faces.jokers_are_trumps and on.size == 1 and on.cards[0].is_joker
        return joker or (self.stopped_by_twos and has(on.cards, "2"))


class PowerCards(Power):
    """Toronto: a few twos, jacks or jokers beat pairs, triples and fours of lower ranks (PRES-14)."""

    role = "power_cards"
    NEEDED: ClassVar = {2: {"2": 1, "J": 1, "X": 1}, 3: {"2": 2, "J": 1, "X": 1}, 4: {"2": 3, "J": 2, "X": 1}}
    """By size on the table: how many of which, with one pack; twice as many with two."""
    BEATEN = "3456789TQKA"
    """Sets of these ranks are; those of power cards are beaten by higher sets only."""

    def __init__(self, faces: CardMeanings) -> None:
        self.needed = {
            size: {rank: count * faces.packs for rank, count in counts.items()} for size, counts in self.NEEDED.items()
        }

    def readings(self, plain: Combination, on: Combination | None, *, inverted: bool) -> Iterator[Combination]:
        if on is None or on.kind not in KIND_OF_SET or on.rank not in self.BEATEN:
            return
        rank = plain.cards[0][0]
        alike = all(card[0] == rank for card in plain.cards)
        if alike and self.needed.get(on.size, {}).get(rank) == plain.size != on.size:
            yield plain.but(role=self.role)

    def beats(self, new: Combination, on: Combination) -> bool:
        return True

    def may_have(self, rank: str, size: int, on: Combination, *, wild: bool) -> bool:
        return not wild and size in self.needed.get(on.size, {}).values() and rank not in self.BEATEN

    def most_cards(self, on: Combination) -> int:
        return max(self.needed.get(on.size, {}).values(), default=1)


class FourOfARank(Power):
    """Four natural cards of a rank, with two packs more of them too (PRES-93)."""

    role = "bomb"
    FEWEST: ClassVar = 4

    def __init__(self, faces: CardMeanings) -> None:
        self.faces = faces
        self.most = self.FEWEST * faces.packs

    def is_one(self, play: Combination) -> bool:
        """Return whether a play is a bomb, with whatever it beat or if it was led."""
        return (
            play.kind in KIND_OF_SET
            and play.size >= self.FEWEST
            and play.role not in SEEN_THROUGH
            and not any(card.is_joker or self.faces.is_wild(card) for card in play.cards)
        )

    def readings(self, plain: Combination, on: Combination | None, *, inverted: bool) -> Iterator[Combination]:
        if on is not None and self.is_one(plain):
            yield plain.but(role=self.role)

    def beats(self, new: Combination, on: Combination) -> bool:
        # Of as many cards the higher rank beats, as with all sets.
        return new.size > on.size if self.is_one(on) else True

    def may_have(self, rank: str, size: int, on: Combination, *, wild: bool) -> bool:
        bomb = not wild and size >= self.FEWEST and not self.faces.is_joker_rank(rank)
        return bomb and (size >= on.size or not self.is_one(on))

    def most_cards(self, on: Combination) -> int:
        return self.most


class OnAJoker(Power):
    """The three of spades beats a joker that lies there alone (PRES-73)."""

    role = "spade_three"
    CARD: ClassVar = Card("3s")

    def __init__(self, faces: CardMeanings, *, ends: bool) -> None:
        self.faces, self.ends_trick = faces, ends

    def readings(self, plain: Combination, on: Combination | None, *, inverted: bool) -> Iterator[Combination]:
        if on is None or plain.cards != (self.CARD,) or not self._lies(on):
            return
        if self.faces.is_wild(self.CARD):
            plain = plain.but(rank="3", strength=(self.faces.level("3", inverted=inverted),))
        yield plain.but(role=self.role)

    def beats(self, new: Combination, on: Combination) -> bool:
        return True

    def ends(self, new: Combination) -> bool:
        return self.ends_trick

    def tells(self, by: str) -> Event | None:
        return JOKER_BEATEN(by, SPADE_THREE.id)

    def tells_end(self, by: str) -> Event | None:
        return ENDED(by, SPADE_THREE.id)

    def may_have(self, rank: str, size: int, on: Combination, *, wild: bool) -> bool:
        return size == 1 and self._lies(on)

    def strong(self) -> Cards:
        return (self.CARD,)

    def _lies(self, on: Combination) -> bool:
        return on.size == 1 and on.cards[0].is_joker


def powers(faces: CardMeanings, options: Options) -> tuple[Power, ...]:
    """The powers that these cards have, first the ones that win ties between readings."""
    found: list[Power] = []
    falls = options[SPADE_THREE] != "none" and faces.jokers > 0 and "3" in faces.natural
    if falls:
        found.append(OnAJoker(faces, ends=options[SPADE_THREE] == "ends"))
    bombs = options[BOMBS] == "fours"
    any_time = AnyTime() if faces.twos == "any_time" else None
    if faces.jokers_are_trumps:
        found.append(TrumpJoker(faces, falls=falls or bombs))
    if faces.twos == "single_wins":
        found.append(WinningTwo(faces))
    if faces.twos == "trump":
        found.append(TrumpTwo(faces, falls=bombs))
    if any_time is not None:
        found.append(any_time)
    if faces.threes_high:
        found.append(HighThree(faces))
    if faces.transparent:
        found.append(Transparent(faces, any_time))
    if faces.toronto:
        found.append(PowerCards(faces))
    if bombs:
        found.append(FourOfARank(faces))
    return tuple(found)
