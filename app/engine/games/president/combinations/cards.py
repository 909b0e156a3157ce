"""The cards of President [PRES-01 … PRES-14]: decks, rank orders, and the meaning of special cards.

`CardMeanings` gives for each card its rank, level and whether it is wild, under some options. card_powers.py defines
how special cards beat others.
"""

from collections.abc import Callable, Iterable, Mapping

from app.engine.base.options import Choice, Conflict, Option, Options, Ranks, Section, T
from app.engine.cards.cards import JOKER, Card, Cards, build_deck

HIGH = "H"
"""The rank of high cards, above every natural rank."""
WILD = "W"
"""The rank of a set of only wild cards, if it is above every natural rank."""
LOWEST = "O"
"""The rank of a set of jokers that are only wild: below every natural rank."""

_ABOVE_NATURAL = 20
_WILD_LEVEL = 30
_JOKER_LEVEL = 40

ORDERS = {"two_high": "3456789TJQKA2", "ace_high": "23456789TJQKA", "three_high": "456789TJQKA23"}
"""Natural ranks from low to high, for each value of `rank_order`."""

HIGHEST = {"none": (), "black_threes": ("3c", "3s"), "jack_of_diamonds": ("Jd",)}
"""The high cards, which leave their rank, for each value of `high_cards`."""

PACKS = Option(
    id="PRES-01",
    also="decks two decks トランプ2組 两副牌 兩副牌",
    key="packs",
    label="Decks",
    domain=Choice({1: "One deck, 3 to 8 players", 2: "Two decks, 3 to 16 players"}),
    default=1,
    sentence="Sets the number of decks that are shuffled together. With two decks, a set may have up to eight cards.",
    example="With two decks 7♣ 7♣ 7♦ 7♦ 7♥ is a set of five.",
)

JOKERS = Option(
    id="PRES-02",
    also="ジョーカー 鬼牌 王牌",
    key="jokers",
    domain=Choice({0: "No jokers", 1: "One joker, the red one", 2: "Both jokers"}),
    default=0,
    sentence="Sets the number of jokers in each deck.",
    example="With one joker a deck has 53 cards.",
)

STRIP = Option(
    id="PRES-03",
    also="stripped deck short deck",
    key="strip",
    domain=Ranks(5),
    default="",
    sentence="Cards of these ranks (at most five) are removed from the deck.",
    example="Without 4, 5 and 6, a seven is the next rank above a three.",
    label="Removed ranks",
)

RANK_ORDER = Option(
    id="PRES-04",
    also="card order ace high deuce high カードの強さ 牌的大小",
    key="rank_order",
    domain=Choice(
        {
            "two_high": "Two is high: 3 4 5 … K A 2",
            "ace_high": "Ace is high: 2 3 4 … K A",
            "three_high": "Three is high: 4 5 … K A 2 3",
        }
    ),
    default="two_high",
    sentence="Sets the order of the ranks, from low to high.",
    example="With the ace high, an ace beats a two.",
)

HIGH_CARDS = Option(
    id="PRES-05",
    also="boss cards top cards",
    key="high_cards",
    domain=Choice(
        {
            "none": "No high cards",
            "black_threes": "The black threes",
            "jack_of_diamonds": "The jack of diamonds",
        }
    ),
    default="none",
    sentence="These cards leave their rank and form a new rank, above every natural rank and below jokers.",
    example="With the jack of diamonds high, J♦ beats 2♠, and J♦ J♣ can’t be played as a pair.",
    short={"black_threes": "Black threes are highest.", "jack_of_diamonds": "J♦ is highest."},
)

JOKER_RANK = Option(
    id="PRES-06",
    also="big joker little joker 大王 小王 red joker black joker",
    key="joker_rank",
    domain=Choice({"equal": "Jokers are equal", "red_high": "Red beats black"}),
    default="equal",
    sentence="Decides whether the red joker beats the black joker. It matters only if jokers have a rank or "
    "are trumps.",
    example="With “Red beats black”, the red joker beats the black joker, and the two can’t be played as a pair.",
    short={"red_high": "The red joker beats the black one."},
)

JOKER_ROLE = Option(
    id="PRES-07",
    also="joker ジョーカー 鬼牌 wildcard",
    key="joker_role",
    domain=Choice(
        {
            "rank": "The highest rank, beaten like any card",
            "trump": "Trump: one joker beats anything without a joker",
            "wild": "Wild: stands for any rank",
            "wild_only": "Wild, and the weakest card when alone",
        }
    ),
    default="rank",
    sentence="Decides what a joker can do.",
    example="As a trump, one joker beats 9♣ 9♦ 9♥ and the trick is over. When wild, 7♣ and a joker are two sevens.",
)

TWOS = Option(
    id="PRES-08",
    also="deuces bomb clear",
    key="twos",
    domain=Choice(
        {
            "rank": "An ordinary rank",
            "single_wins": "One two beats everything except trump jokers, and ends the trick",
            "any_time": "One two beats anything, and any play beats it",
            "trump": "Trump: one two beats any play without a trump",
        }
    ),
    default="rank",
    sentence="Decides what a single two can do. Sets of several twos are always ordinary sets of the highest rank.",
    example="As a trump, 2♣ beats 9♣ 9♦ 9♥.",
    short={
        "single_wins": "One 2 beats everything and ends the trick.",
        "any_time": "One 2 beats any play; any play beats it.",
        "trump": "One 2 beats any play without 2.",
    },
)

TRANSPARENT = Option(
    id="PRES-09",
    also="invisible see-through",
    key="transparent",
    label="Transparent rank",
    domain=Ranks(1),
    default="",
    sentence="Cards of this rank can be played on any set of the same size and count as the rank they cover. "
    "Played on a two that allows anything, a single one keeps that effect.",
    example="With transparent threes, 3♦ on K♣ counts as a king: only an ace or a two beats it.",
    short="{value} goes on any card and copies it.",
)

THREES = Option(
    id="PRES-10",
    also="magic threes clear threes",
    key="threes",
    domain=Choice({"rank": "An ordinary rank, the lowest", "high": "One three is high, and fours are transparent"}),
    default="rank",
    sentence="Decides whether a single three is high. A high three beats any play without a two, a three or a "
    "joker. Only one two, one joker or one four beats it.",
    example="3♣ beats K♣ K♦; then 2♣ or 4♦ beats the three.",
    short={"high": "One 3 beats all but 2, joker and 4; 4 goes on other cards and copies them."},
)

WILD_RANKS = Option(
    id="PRES-11",
    also="wild cards ワイルドカード 万能牌 deuces wild",
    key="wild_ranks",
    domain=Ranks(5),
    default="",
    sentence="Cards of these ranks are wild, like wild jokers.",
    example="With twos and threes wild, 7♣ 2♦ is a pair of sevens.",
)

WILD_ALONE = Option(
    id="PRES-12",
    also="lone joker single joker",
    key="wild_alone",
    label="Sets of wild cards",
    domain=Choice({"highest": "Above every natural rank", "any": "Any rank that the player names"}),
    default="highest",
    sentence="Decides the rank of a set that has only wild cards.",
    example="With “Any rank”, a wild three that is led alone may count as a five. A six beats it.",
)

WILD_TIE = Option(
    id="PRES-13",
    also="natural beats wild pure sets",
    key="wild_tie",
    label="Wild ties",
    domain=Choice(
        {"equal": "They are equal", "natural_wins": "The natural set wins", "wild_wins": "The set with wild cards wins"}
    ),
    default="equal",
    sentence="Decides which of two equal sets wins if only one of them has wild cards.",
    example="With “The natural set wins”, 6♦ 6♥ beats 6♣ and a joker.",
)

WILD_SETS = Option(
    id="PRES-74",
    also="five cards quintuple 五枚",
    key="wild_sets",
    label="Size of wild sets",
    domain=Choice({"four": "At most four (eight with two decks)", "any": "Any number up to eight"}),
    default="four",
    sentence="Limits the number of cards in a set with wild cards.",
    example="With “Any number up to eight”, four sevens and a joker are five of a kind.",
    source="Daifugō",
)

POWER_CARDS = Option(
    id="PRES-14",
    also="Toronto bombs",
    key="power_cards",
    domain=Choice({"none": "No power cards", "toronto": "Toronto: twos, jacks and jokers"}),
    default="none",
    sentence="Decides whether the Toronto rules apply. The order from the top is then joker, J, 2, A, K, Q, "
    "10 … 3. A few twos, jacks or jokers beat pairs, triples and fours.",
    example="One 2, one J or one joker beats a pair; two 2s, one J or one joker beat three of a kind.",
    short={
        "toronto": "Up to aces, a pair also loses to one joker, J or 2; three of a kind to one joker, J or 22; four of "
        "a kind to one joker, JJ or 222."
    },
)

SECTION = Section(
    "cards",
    "Cards",
    (
        PACKS,
        JOKERS,
        STRIP,
        RANK_ORDER,
        HIGH_CARDS,
        JOKER_RANK,
        JOKER_ROLE,
        TWOS,
        TRANSPARENT,
        THREES,
        WILD_RANKS,
        WILD_ALONE,
        WILD_TIE,
        POWER_CARDS,
        WILD_SETS,
    ),
    importance=2,
)


def conflict_if_ranks_overlap(one: Option[str], other: Option[str], because: str) -> Conflict[str, str]:
    """Return a conflict between two options that must not name the same rank. `because` explains it to players."""
    return Conflict(one, other, lambda ranks, others: bool(set(ranks) & set(others)), because)


def _conflict_with_special_twos(switch: Option[T], clash: Callable[[T], bool], because: str) -> Conflict[str, T]:
    return Conflict(TWOS, switch, lambda twos, other: twos != "rank" and clash(other), because)


def _conflict_with_high_threes(switch: Option[T], clash: Callable[[T], bool], because: str) -> Conflict[str, T]:
    return Conflict(THREES, switch, lambda threes, other: threes == "high" and clash(other), because)


def conflict_with_toronto(switch: Option[T]) -> Conflict[str, T]:
    """Return a conflict between the Toronto variation and any other value of the option `switch` than its default."""
    because = "With the Toronto rules this option can’t be changed."
    return Conflict(POWER_CARDS, switch, lambda powers, other: powers == "toronto" and other != switch.default, because)


CONFLICTS = (
    conflict_with_toronto(RANK_ORDER),
    conflict_with_toronto(TWOS),
    conflict_with_toronto(HIGH_CARDS),
    conflict_if_ranks_overlap(WILD_RANKS, TRANSPARENT, "A rank can’t be both wild and transparent."),
    conflict_if_ranks_overlap(WILD_RANKS, STRIP, "A wild rank must be in the deck."),
    conflict_if_ranks_overlap(TRANSPARENT, STRIP, "A transparent rank must be in the deck."),
    _conflict_with_high_threes(TRANSPARENT, bool, "With high threes, fours are transparent."),
    _conflict_with_high_threes(HIGH_CARDS, lambda high: high != "none", "High threes allow no other high cards."),
    _conflict_with_high_threes(
        STRIP, lambda strip: bool(set("34") & set(strip)), "Threes and fours must be in the deck."
    ),
    _conflict_with_high_threes(
        WILD_RANKS, lambda wild: bool(set("34") & set(wild)), "Threes and fours already have a power."
    ),
    _conflict_with_high_threes(
        RANK_ORDER, lambda order: order != "two_high", "High threes need the rank order with two high."
    ),
    _conflict_with_special_twos(WILD_RANKS, lambda wild: "2" in wild, "A two with a power can’t be wild."),
    _conflict_with_special_twos(STRIP, lambda strip: "2" in strip, "A two with a power must be in the deck."),
    _conflict_with_special_twos(
        RANK_ORDER, lambda order: order == "ace_high", "With the ace high, twos are the lowest rank."
    ),
)


class CardMeanings:
    """The meaning of each card in President under some options: its rank, whether it is wild, and each rank's level."""

    def __init__(self, options: Options) -> None:
        self.toronto = options[POWER_CARDS] == "toronto"
        """Whether Toronto's order and powers are used."""
        order = "3456789TQKA2J" if self.toronto else ORDERS[options[RANK_ORDER]]
        self.natural_ranks = "".join(rank for rank in order if rank not in options[STRIP])
        """Ranks in the deck, from low to high."""
        self.packs = options[PACKS]
        self.jokers = options[JOKERS]
        self.stripped_ranks = options[STRIP]
        self.max_wild_set_size = 8 if options[WILD_SETS] == "any" else 4 * options[PACKS]
        """Most cards in a set with wild cards."""
        self.high_cards = frozenset(HIGHEST[options[HIGH_CARDS]])
        self.red_high = options[JOKER_RANK] == "red_high" and options[JOKER_ROLE] in ("rank", "trump")
        self.joker_role = options[JOKER_ROLE]
        self.jokers_are_trumps = options[JOKER_ROLE] == "trump" and options[JOKERS] > 0
        self.wild_ranks = options[WILD_RANKS]
        self.wild_alone = options[WILD_ALONE]
        self.wild_tie = options[WILD_TIE]
        self.twos = options[TWOS]
        self.threes_high = options[THREES] == "high"
        self.transparent_rank = "4" if self.threes_high else options[TRANSPARENT]
        """The transparent rank, or an empty text."""
        self.ranks_outside_runs = "2" if options[RANK_ORDER] != "three_high" else "23"
        """Ranks that can't be in a run: twos, and threes where they are the top."""
        self.high_three_level = (self.natural_ranks + "2").index("2") + 0.5
        """The level of a single high three: above all other ranks, below the two."""
        # While inverted, the any-time card is the ace: A 2 3 4 … K from the top (PRES-21).
        inverted = self.natural_ranks[::-1]
        if self.twos == "any_time":
            inverted = "".join(rank for rank in "KQJT98765432A" if rank in self.natural_ranks)
        self._levels = {
            False: {rank: place for place, rank in enumerate(self.natural_ranks, 1)},
            True: {rank: place for place, rank in enumerate(inverted, 1)},
        }
        for upside_down, levels in self._levels.items():
            levels |= {HIGH: 0 if upside_down else _ABOVE_NATURAL, WILD: _WILD_LEVEL, LOWEST: -1}
            levels |= {JOKER: _JOKER_LEVEL, "b": _JOKER_LEVEL, "r": _JOKER_LEVEL + 1}
        self._orders = {False: self.natural_ranks, True: inverted}
        ranks = [c for c in build_deck(2) if c.rank not in self.stripped_ranks]
        self._wild_cards = frozenset(
            c
            for c in ranks
            if c not in self.high_cards
            and (c.rank in self.wild_ranks or (c.is_joker and self.joker_role in ("wild", "wild_only")))
        )
        self._rank_by_card = {c: self._compute_rank(c) for c in ranks}
        self._exchange_value_by_card = {c: self._compute_exchange_value(c) for c in ranks}
        self.ranks = frozenset(self._rank_by_card.values())
        """Every rank that a card can have."""
        # Direct references for speed: called for every candidate play.
        self.is_wild: Callable[[Card], bool] = self._wild_cards.__contains__
        """Whether a card may stand for other ranks."""
        self.rank_of: Callable[[Card], str] = self._rank_by_card.__getitem__
        """The rank of a card as itself; the jokers differ if red beats black."""

    def split_wild_and_ranks(self, held: Cards) -> tuple[Cards, tuple[tuple[str, Cards], ...]]:
        """Return the wild cards among the held ones, and the others grouped by rank."""
        wild = tuple([card for card in held if card in self._wild_cards]) if self._wild_cards else ()
        groups = self.group_by_rank([card for card in held if card not in wild] if wild else held)
        return wild, tuple([(rank, tuple(cards)) for rank, cards in groups.items()])

    def group_by_rank(self, cards: Iterable[Card]) -> dict[str, list[Card]]:
        """Return cards grouped by their rank under these options; none may be wild."""
        groups: dict[str, list[Card]] = {}
        rank = self._rank_by_card
        for card in cards:
            groups.setdefault(rank[card], []).append(card)
        return groups

    def _compute_rank(self, card: Card) -> str:
        if card.is_joker:
            return card.suit if self.red_high else JOKER
        return HIGH if card in self.high_cards else card.rank

    def cards_with_ranks(self) -> Iterable[tuple[Card, str]]:
        """Return every card that the options allow, with its rank."""
        return self._rank_by_card.items()

    def has_wild(self, cards: Cards) -> bool:
        """Return whether any of these cards is wild (may stand for other ranks) under these options."""
        return bool(self._wild_cards) and not self._wild_cards.isdisjoint(cards)

    def deck(self) -> Cards:
        """Return every card of the game under these options, in a fixed order."""
        return build_deck(self.jokers, deck_count=self.packs, removed_ranks=self.stripped_ranks)

    def rank_levels(self, *, inverted: bool) -> Mapping[str, int]:
        """Return the level of each rank in the current order; higher beats lower."""
        return self._levels[inverted]

    def rank_level(self, rank: str, *, inverted: bool) -> int:
        """Return the level of a rank in the current order; higher beats lower."""
        return self._levels[inverted][rank]

    def ranks_low_to_high(self, *, inverted: bool) -> str:
        """Return the natural ranks from low to high in the current order, which a revolution reverses."""
        return self._orders[inverted]

    def best_rank(self, *, inverted: bool) -> str:
        """Return the best rank in the current order of ranks, leaving jokers and wild ranks aside."""
        if self.high_cards and not inverted:
            return HIGH
        return next((rank for rank in reversed(self._orders[inverted]) if rank not in self.wild_ranks), "")

    def is_joker_rank(self, rank: str) -> bool:
        """Return whether this is the rank of a joker, which depends on whether red beats black."""
        return rank in (JOKER, "b", "r")

    def exchange_value(self, card: Card) -> float:
        """Return the card's value in an exchange: jokers and wild cards are best, jokers that are only wild worst."""
        return self._exchange_value_by_card[card]

    def _compute_exchange_value(self, card: Card) -> float:
        rank = self._rank_by_card[card]
        if card.is_joker:
            return self._levels[False][LOWEST if self.joker_role == "wild_only" else rank]
        if card in self._wild_cards:
            return _WILD_LEVEL
        if self.threes_high and rank == "3":
            return self.high_three_level
        return self._levels[False][rank]

    def cards_low_to_high(self, suits: str) -> tuple[Card, ...]:
        """Return natural cards, lowest first, to find the low card, which may decide who leads the first trick.

        Wild and high cards are left out. `suits` gives the order within a rank.
        """
        return tuple(
            Card(rank + suit)
            for rank in self.natural_ranks
            if rank not in self.wild_ranks and not (self.threes_high and rank == "3")
            for suit in suits
            if rank + suit not in self.high_cards
        )
