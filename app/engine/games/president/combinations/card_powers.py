"""Cards that beat by a special power [PRES-07 … PRES-10, PRES-14, PRES-73, PRES-93].

These are trumps, any-time cards, high threes, transparent cards, Toronto's power cards, the three of spades and
bombs.

A power turns a plain reading into one with a `role`. It decides what that reading beats, what beats it, and whether
it ends the trick at once. Several powers may be active. Each is a small class, created only if its option is on.
"""

from collections.abc import Iterator
from typing import ClassVar

from app.engine.base.options import Choice, Option, Options
from app.engine.cards.cards import Card, Cards
from app.engine.climbing.combinations import KIND_OF_SET, Combination
from app.engine.display.events import GameEvent, GameEventType
from app.engine.games.president.combinations.cards import CardMeanings

SPADE_THREE = Option(
    id="PRES-73",
    also="spe-san supe3 spade three reversal three-spade スペ3返し スペード3返し",
    key="spade_three",
    domain=Choice(
        {
            "none": "No special effect",
            "beats": "Beats a single joker",
            "ends": "Beats a single joker and ends the trick",
        }
    ),
    default="none",
    sentence="Decides what the three of spades does on a single joker, even if the joker stands for another rank.",
    example="Ana plays a joker, and Bob beats it with 3♠.",
    source="Daifugō",
    label="Three of spades",
    short={"beats": "3♠ beats one joker.", "ends": "3♠ beats one joker and ends the trick."},
)

BOMBS = Option(
    id="PRES-93",
    also="bomb four of a kind 炸弹 炸彈 zhàdàn",
    key="bombs",
    domain=Choice({"no": "Four of a rank are an ordinary set", "fours": "Four of a rank beat everything"}),
    default="no",
    sentence="Decides whether four natural cards of a rank are a bomb. On your turn a bomb beats any other "
    "play, and a lower bomb. With two decks, a bomb of more cards beats one of fewer.",
    example="4♣ 4♦ 4♥ 4♠ beat 2♣, a run or K♣ K♦, and are beaten by 9♣ 9♦ 9♥ 9♠.",
    source="common",
    label="Bombs",
    short={"fours": "Four equal cards beat all other plays."},
)

ENDED = GameEventType(
    "ended",
    "{by} ends the trick.",
    you="You end the trick.",
    stood_out="trick ended",
    highlighted=False,
    celebrated="cut",
)

JOKER_BEATEN = GameEventType(
    "joker_beaten",
    "{by} beats the joker with the three of spades!",
    you="You beat the joker with the three of spades!",
    tone="great",
    highlighted=True,
)
"""Not notable: records list only its consequence."""

HIGH_THREE = "h3"
"""The rank of a single high three, between ace and two, even in a revolution."""

TRUMP_ROLES = ("trump_joker", "winning_two", "trump_two")
"""Roles of trumps: no equal play on them is possible, and they interrupt a run of single cards."""

TRANSPARENT = "transparent"
TRANSPARENT_OPEN = "transparent_on_any_time"
"""The role of a transparent card on an any-time card: any play may still be made on it."""

TRANSPARENT_ROLES = (TRANSPARENT, TRANSPARENT_OPEN)
"""Roles of transparent cards. They are never equal plays and have no effects."""


def contains_rank(cards: Cards, rank: str) -> bool:
    """Return whether any of these cards has this rank printed on it."""
    return any(card[0] == rank for card in cards)


class CardPower:
    """A special power of cards in President, such as a two that beats everything; each power overrides some methods.

    `role` marks the readings (ways to count cards as a combination) that are played with it.
    """

    role = ""

    def powered_readings(self, plain: Combination, on: Combination | None, *, inverted: bool) -> Iterator[Combination]:
        """Yield the readings (ways to count cards as a combination) that this power adds to a plain set; none by
        default.

        `plain` is the set without a power. `on` is the play to beat; None for a lead.
        """
        return iter(())

    def beats(self, new: Combination, on: Combination) -> bool:
        """Return whether a play with this power beats the play on the table; False by default.

        `new` is played with this power. If it is False, ordinary rules may still let it beat.
        """
        return False

    def is_beaten_by(self, new: Combination, on: Combination) -> bool | None:
        """Return whether a play without a winning power beats a play `on` that was made with this power.

        None (the default): compare them as ordinary sets.
        """
        return None

    def wins_trick(self, new: Combination) -> bool:
        """Return whether nothing can beat a play with this power, so that the trick ends at once; False by default."""
        return False

    def play_event(self, by: str) -> GameEvent | None:
        """Return the event that announces a play with this power, or None (the default)."""
        return None

    def trick_end_event(self, by: str) -> GameEvent | None:
        """Return the event that announces the end of the trick by this power, or None (the default)."""
        return None

    def strong_cards(self) -> Cards:
        """Return the cards that this power makes stronger than their rank; none by default. Bots are told of them."""
        return ()

    def could_apply_to(self, rank: str, size: int, on: Combination, *, wild: bool) -> bool:
        """Return whether a set of this rank and size may use this power on `on`; the search for plays then tries its
        cards.

        `wild`: the set contains wild cards. By default a single card may.
        """
        return size == 1

    def max_cards(self, on: Combination) -> int:
        """Return the most cards with which this power may beat the set on the table; 1 by default."""
        return 1


class TrumpJoker(CardPower):
    """A power in President: one joker beats any combination without a joker (PRES-07 `trump`)."""

    role = "trump_joker"

    def __init__(self, faces: CardMeanings, *, can_be_beaten: bool) -> None:
        self.faces = faces
        self.can_be_beaten = can_be_beaten
        """Whether any card other than a joker beats it."""

    def powered_readings(self, plain: Combination, on: Combination | None, *, inverted: bool) -> Iterator[Combination]:
        if plain.size == 1 and plain.cards[0].is_joker:
            yield plain.replace(role=self.role)

    def beats(self, new: Combination, on: Combination) -> bool:
        if on.role == self.role:
            return new.strength > on.strength
        return not any(card.is_joker for card in on.cards)

    def is_beaten_by(self, new: Combination, on: Combination) -> bool | None:
        return False

    def wins_trick(self, new: Combination) -> bool:
        # A black joker can still be beaten by a red one that ranks higher, and any joker by the three of spades.
        return not self.can_be_beaten and not (self.faces.red_high and new.rank == "b")


class SingleTwo(CardPower):
    """A power in President of a single two (PRES-08 `single_wins`, `trump`). It is never an equal play.

    The two subclasses say what it beats.
    """

    def powered_readings(self, plain: Combination, on: Combination | None, *, inverted: bool) -> Iterator[Combination]:
        if plain.size == 1 and plain.cards[0].rank == "2":
            yield plain.replace(role=self.role)

    def is_beaten_by(self, new: Combination, on: Combination) -> bool | None:
        return False


class WinningTwo(SingleTwo):
    """A power in President: a single two beats anything but a trump joker, and ends the trick (`single_wins`)."""

    role = "winning_two"

    def __init__(self, faces: CardMeanings) -> None:
        self.jokers_are_trumps = faces.jokers_are_trumps

    def beats(self, new: Combination, on: Combination) -> bool:
        return not (self.jokers_are_trumps and any(card.is_joker for card in on.cards))

    def wins_trick(self, new: Combination) -> bool:
        return True


class TrumpTwo(SingleTwo):
    """A power in President: a single two beats any combination without a two or a trump joker (`trump`)."""

    role = "trump_two"

    def __init__(self, faces: CardMeanings, *, can_be_beaten: bool) -> None:
        self.jokers_are_trumps = faces.jokers_are_trumps
        self.can_be_beaten = can_be_beaten or faces.jokers_are_trumps
        """Whether any play beats it."""

    def beats(self, new: Combination, on: Combination) -> bool:
        joker = self.jokers_are_trumps and any(card.is_joker for card in on.cards)
        return not joker and not contains_rank(on.cards, "2")

    def wins_trick(self, new: Combination) -> bool:
        return not self.can_be_beaten


class AnyTimeCard(CardPower):
    """A power in President: a single two beats any play, and any play beats it (`any_time`).

    While ranks are inverted, it is a single ace.
    """

    role = "any_time"

    def is_any_time_card(self, single: Combination, *, inverted: bool) -> bool:
        """Return whether this single card may go on any play now: a two, or an ace while ranks are inverted."""
        return single.size == 1 and single.cards[0].rank == ("A" if inverted else "2")

    def powered_readings(self, plain: Combination, on: Combination | None, *, inverted: bool) -> Iterator[Combination]:
        if self.is_any_time_card(plain, inverted=inverted):
            yield plain.replace(role=self.role)

    def beats(self, new: Combination, on: Combination) -> bool:
        return True

    def accepts_any_play(self, on: Combination, *, inverted: bool) -> bool:
        """Return whether any play may be made on `on`, because it is a card that goes on anything.

        Ranks may have been inverted since it was played (PRES-21), which changes the card.
        """
        return on.role == TRANSPARENT_OPEN or (on.role != TRANSPARENT and self.is_any_time_card(on, inverted=inverted))


class HighThree(CardPower):
    """A power in President: a single three beats any combination without a two, three or joker (PRES-10).

    A four that stands for a three is not beaten either. The two beats such a three.
    """

    role = "high_three"

    def __init__(self, faces: CardMeanings) -> None:
        self.level = faces.high_three_level
        """Just below the two, even in a revolution."""
        self.threes = tuple(card for card in faces.deck() if card.rank == "3" and card not in faces.high_cards)

    def strong_cards(self) -> Cards:
        return self.threes

    def powered_readings(self, plain: Combination, on: Combination | None, *, inverted: bool) -> Iterator[Combination]:
        if plain.size == 1 and plain.cards[0].rank == "3":
            yield plain.replace(role=self.role, rank=HIGH_THREE, strength=(self.level,))

    def beats(self, new: Combination, on: Combination) -> bool:
        blocked = any(card[0] in "23X" for card in on.cards)
        return not blocked and on.rank != HIGH_THREE

    def is_beaten_by(self, new: Combination, on: Combination) -> bool | None:
        # Only a single card beats it, decided by rank; a two does so in any suit.
        if new.size > 1:
            return False
        return True if new.rank == "2" else None


class TransparentRank(CardPower):
    """A power in President: cards of one rank beat any set of the same size and take over its rank (PRES-09, PRES-10).

    The next play must then beat that set as before.
    """

    role = TRANSPARENT

    def __init__(self, faces: CardMeanings, any_time: AnyTimeCard | None) -> None:
        self.rank = faces.transparent_rank
        self.faces = faces
        self.any_time = any_time
        self.twos_block = faces.twos == "trump" or faces.threes_high

    def are_transparent(self, cards: Cards) -> bool:
        """Return whether all these cards are transparent: they beat any set of their size and take over its rank."""
        return all(card.rank == self.rank and card not in self.faces.high_cards for card in cards)

    def powered_readings(self, plain: Combination, on: Combination | None, *, inverted: bool) -> Iterator[Combination]:
        if on is not None and on.kind in KIND_OF_SET and on.size == plain.size and self.are_transparent(plain.cards):
            keeps_open = self.any_time is not None and self.any_time.accepts_any_play(on, inverted=inverted)
            yield Combination(
                plain.kind, plain.cards, on.strength, on.rank, TRANSPARENT_OPEN if keeps_open else self.role
            )

    def could_apply_to(self, rank: str, size: int, on: Combination, *, wild: bool) -> bool:
        return not wild and rank == self.rank and size == on.size and not self._is_trump_on_table(on)

    def beats(self, new: Combination, on: Combination) -> bool:
        return not self.is_blocked_by_trump(new.cards, on)

    def is_blocked_by_trump(self, cards: Cards, on: Combination) -> bool:
        """Return whether these cards are transparent, but can't be played because a trump lies on the table.

        A trump is a joker by an option; a two also blocks, if it is a trump or threes are high.
        """
        return self.are_transparent(cards) and self._is_trump_on_table(on)

    def _is_trump_on_table(self, on: Combination) -> bool:
        joker = self.faces.jokers_are_trumps and on.size == 1 and on.cards[0].is_joker
        return joker or (self.twos_block and contains_rank(on.cards, "2"))


class TorontoPowerCards(CardPower):
    """A power in President's Toronto variation: a few twos, jacks or jokers beat sets of lower ranks (PRES-14).

    The sets are pairs, triples and fours; a table gives the number of cards needed.
    """

    role = "power_cards"
    CARDS_NEEDED: ClassVar = {2: {"2": 1, "J": 1, "X": 1}, 3: {"2": 2, "J": 1, "X": 1}, 4: {"2": 3, "J": 2, "X": 1}}
    """For each size on the table: the number of cards of each power rank that beats it. Doubled with two decks."""
    BEATABLE_RANKS = "3456789TQKA"
    """Ranks whose sets can be beaten this way; sets of power cards are beaten only by higher sets."""

    def __init__(self, faces: CardMeanings) -> None:
        self.cards_needed = {
            size: {rank: count * faces.packs for rank, count in counts.items()}
            for size, counts in self.CARDS_NEEDED.items()
        }

    def powered_readings(self, plain: Combination, on: Combination | None, *, inverted: bool) -> Iterator[Combination]:
        if on is None or on.kind not in KIND_OF_SET or on.rank not in self.BEATABLE_RANKS:
            return
        rank = plain.cards[0][0]
        alike = all(card[0] == rank for card in plain.cards)
        if alike and self.cards_needed.get(on.size, {}).get(rank) == plain.size != on.size:
            yield plain.replace(role=self.role)

    def beats(self, new: Combination, on: Combination) -> bool:
        return True

    def could_apply_to(self, rank: str, size: int, on: Combination, *, wild: bool) -> bool:
        return not wild and size in self.cards_needed.get(on.size, {}).values() and rank not in self.BEATABLE_RANKS

    def max_cards(self, on: Combination) -> int:
        return max(self.cards_needed.get(on.size, {}).values(), default=1)


class FourOfARankBomb(CardPower):
    """A power in President: four natural cards of a rank beat everything but a larger or higher four (PRES-93).

    With two decks, more than four count, too.
    """

    role = "bomb"
    MIN_CARDS: ClassVar = 4

    def __init__(self, faces: CardMeanings) -> None:
        self.faces = faces
        self.max_bomb_size = self.MIN_CARDS * faces.packs

    def is_bomb(self, play: Combination) -> bool:
        """Return whether a play is a bomb: at least four natural cards of a rank, whether led or not."""
        return (
            play.kind in KIND_OF_SET
            and play.size >= self.MIN_CARDS
            and play.role not in TRANSPARENT_ROLES
            and not any(card.is_joker or self.faces.is_wild(card) for card in play.cards)
        )

    def powered_readings(self, plain: Combination, on: Combination | None, *, inverted: bool) -> Iterator[Combination]:
        if on is not None and self.is_bomb(plain):
            yield plain.replace(role=self.role)

    def beats(self, new: Combination, on: Combination) -> bool:
        # Bombs of the same size compare by rank, as all sets do.
        return new.size > on.size if self.is_bomb(on) else True

    def could_apply_to(self, rank: str, size: int, on: Combination, *, wild: bool) -> bool:
        bomb = not wild and size >= self.MIN_CARDS and not self.faces.is_joker_rank(rank)
        return bomb and (size >= on.size or not self.is_bomb(on))

    def max_cards(self, on: Combination) -> int:
        return self.max_bomb_size


class SpadeThreeOnJoker(CardPower):
    """A power in President: the three of spades beats a single joker (PRES-73), and may end the trick."""

    role = "spade_three"
    CARD: ClassVar = Card("3s")

    def __init__(self, faces: CardMeanings, *, ends: bool) -> None:
        self.faces, self.ends_trick = faces, ends

    def powered_readings(self, plain: Combination, on: Combination | None, *, inverted: bool) -> Iterator[Combination]:
        if on is None or plain.cards != (self.CARD,) or not self._is_lone_joker(on):
            return
        if self.faces.is_wild(self.CARD):
            plain = plain.replace(rank="3", strength=(self.faces.rank_level("3", inverted=inverted),))
        yield plain.replace(role=self.role)

    def beats(self, new: Combination, on: Combination) -> bool:
        return True

    def wins_trick(self, new: Combination) -> bool:
        return self.ends_trick

    def play_event(self, by: str) -> GameEvent | None:
        return JOKER_BEATEN(by, SPADE_THREE.id)

    def trick_end_event(self, by: str) -> GameEvent | None:
        return ENDED(by, SPADE_THREE.id)

    def could_apply_to(self, rank: str, size: int, on: Combination, *, wild: bool) -> bool:
        return size == 1 and self._is_lone_joker(on)

    def strong_cards(self) -> Cards:
        return (self.CARD,)

    def _is_lone_joker(self, on: Combination) -> bool:
        return on.size == 1 and on.cards[0].is_joker


def build_card_powers(faces: CardMeanings, options: Options) -> tuple[CardPower, ...]:
    """Return the special powers of cards that these options give; earlier ones win ties between readings.

    `faces` tells the meaning of each card under the options.
    """
    found: list[CardPower] = []
    falls = options[SPADE_THREE] != "none" and faces.jokers > 0 and "3" in faces.natural_ranks
    if falls:
        found.append(SpadeThreeOnJoker(faces, ends=options[SPADE_THREE] == "ends"))
    bombs = options[BOMBS] == "fours"
    any_time = AnyTimeCard() if faces.twos == "any_time" else None
    if faces.jokers_are_trumps:
        found.append(TrumpJoker(faces, can_be_beaten=falls or bombs))
    if faces.twos == "single_wins":
        found.append(WinningTwo(faces))
    if faces.twos == "trump":
        found.append(TrumpTwo(faces, can_be_beaten=bombs))
    if any_time is not None:
        found.append(any_time)
    if faces.threes_high:
        found.append(HighThree(faces))
    if faces.transparent_rank:
        found.append(TransparentRank(faces, any_time))
    if faces.toronto:
        found.append(TorontoPowerCards(faces))
    if bombs:
        found.append(FourOfARankBomb(faces))
    return tuple(found)
