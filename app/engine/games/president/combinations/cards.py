"""The cards of President [PRES-01 … PRES-14]: packs, rank orders, and what special cards are.

`CardMeanings` says what every card is under some options: which rank it counts as, how high, whether it is wild.
How special cards beat stands in card_powers.py.
"""

from collections.abc import Callable, Iterable, Mapping

from app.engine.base.options import Choice, Conflict, Options, Ranks, Section, Switch, T
from app.engine.cards.cards import JOKER, Card, Cards, pack

HIGH = "H"
"""The rank of high cards: one of their own, above every natural rank."""
WILD = "W"
"""The rank of a set made only of wild cards, where that is above every natural rank."""
LOWEST = "O"
"""The rank of jokers that are only wild and stand alone: below every natural rank."""

_ABOVE_NATURAL = 20
_WILD_LEVEL = 30
_JOKER_LEVEL = 40

ORDERS = {"two_high": "3456789TJQKA2", "ace_high": "23456789TJQKA", "three_high": "456789TJQKA23"}
"""Natural ranks from low to high, for each `rank_order`."""

HIGHEST = {"none": (), "black_threes": ("3c", "3s"), "jack_of_diamonds": ("Jd",)}
"""The cards that leave their rank, for each `high_cards`."""

PACKS = Switch(
    id="PRES-01",
    also="decks two decks トランプ2組 两副牌 兩副牌",
    key="packs",
    domain=Choice({1: "One pack, 3 to 8 players", 2: "Two packs, 3 to 16 players"}),
    default=1,
    sentence="How many packs are shuffled together. With two, a set may have up to eight cards.",
    example="With two packs 7♣ 7♣ 7♦ 7♦ 7♥ is a set of five.",
)

JOKERS = Switch(
    id="PRES-02",
    also="ジョーカー 鬼牌 王牌",
    key="jokers",
    domain=Choice({0: "No jokers", 1: "The red joker", 2: "Both jokers"}),
    default=0,
    sentence="How many jokers there are in each pack.",
    example="With one joker a pack has 53 cards.",
)

STRIP = Switch(
    id="PRES-03",
    also="stripped deck short deck",
    key="strip",
    domain=Ranks(5),
    default="",
    sentence="Ranks that are taken out of the pack (at most five).",
    example="Without 4, 5 and 6 a seven comes right above a three.",
    label="Ranks taken out",
)

RANK_ORDER = Switch(
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
    sentence="The order of the ranks, from low to high.",
    example="With the ace high, an ace beats a two.",
)

HIGH_CARDS = Switch(
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
    sentence="These very cards leave their rank and form one of their own, above every natural rank and below jokers.",
    example="With the jack of diamonds high, J♦ beats 2♠, and J♦ J♣ is no pair.",
)

JOKER_RANK = Switch(
    id="PRES-06",
    also="big joker little joker 大王 小王 red joker black joker",
    key="joker_rank",
    domain=Choice({"equal": "Jokers are equal", "red_high": "Red beats black"}),
    default="equal",
    sentence="Whether the red joker beats the black one, where jokers have a rank or are trumps.",
    example="With red high, the red joker goes on the black one, and the two are no pair.",
)

JOKER_ROLE = Switch(
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
    sentence="What a joker does.",
    example="As a trump, one joker beats 9♣ 9♦ 9♥ and the trick is over. When wild, 7♣ and a joker are two sevens.",
)

TWOS = Switch(
    id="PRES-08",
    also="deuces bomb clear",
    key="twos",
    domain=Choice(
        {
            "rank": "A rank like any other",
            "single_wins": "One two beats everything but trump jokers, and ends the trick",
            "any_time": "One two goes on anything, and anything goes on it",
            "trump": "Trump: one two beats anything without a trump",
        }
    ),
    default="rank",
    sentence="What a single two does. Sets of twos stay ordinary sets of the highest rank.",
    example="As a trump, 2♣ beats 9♣ 9♦ 9♥.",
)

TRANSPARENT = Switch(
    id="PRES-09",
    also="invisible see-through",
    key="transparent",
    domain=Ranks(1),
    default="",
    sentence="As many cards of this rank as lie on the table beat any set and take over its rank. On a card on which "
    "anything goes, one of them keeps it so.",
    example="With transparent threes, 3♦ on K♣ counts as a king: it takes an ace or a two to beat it.",
)

THREES = Switch(
    id="PRES-10",
    also="magic threes clear threes",
    key="threes",
    domain=Choice({"rank": "The lowest rank", "high": "One three is high, and fours are transparent"}),
    default="rank",
    sentence="With high threes, one three beats anything without a two, three or joker; one two, one joker or one four "
    "beats it, and no larger set.",
    example="3♣ beats K♣ K♦; then 2♣ or 4♦ beats the three.",
)

WILD_RANKS = Switch(
    id="PRES-11",
    also="wild cards ワイルドカード 万能牌 deuces wild",
    key="wild_ranks",
    domain=Ranks(5),
    default="",
    sentence="Cards of these ranks are wild, like wild jokers.",
    example="With twos and threes wild, 7♣ 2♦ is a pair of sevens.",
)

WILD_ALONE = Switch(
    id="PRES-12",
    also="lone joker single joker",
    key="wild_alone",
    domain=Choice({"highest": "Above every natural rank", "any": "Any rank that their player names"}),
    default="highest",
    sentence="What sets made only of wild cards are.",
    example="With “any”, a wild three led alone may be called a five; a six beats it.",
)

WILD_TIE = Switch(
    id="PRES-13",
    also="natural beats wild pure sets",
    key="wild_tie",
    domain=Choice(
        {"equal": "They are equal", "natural_wins": "The natural one wins", "wild_wins": "The wild one wins"}
    ),
    default="equal",
    sentence="Between equal sets, one with wild cards and one without.",
    example="With “natural wins”, 6♦ 6♥ beats 6♣ and a joker.",
)

WILD_SETS = Switch(
    id="PRES-74",
    also="five cards quintuple 五枚",
    key="wild_sets",
    domain=Choice({"four": "No more than four (eight with two packs)", "any": "Any number up to eight"}),
    default="four",
    sentence="How many cards a set with wild cards may have.",
    example="With “any”, four sevens and a joker are five of a kind.",
    source="Daifugō",
)

POWER_CARDS = Switch(
    id="PRES-14",
    also="Toronto bombs",
    key="power_cards",
    domain=Choice({"none": "None", "toronto": "Toronto: twos, jacks and jokers"}),
    default="none",
    sentence="In Toronto the order from the top is joker, J, 2, A, K, Q, T … 3, and a few twos, jacks or jokers beat "
    "pairs, triples and fours.",
    example="One 2, one J or one joker beats a pair; two 2s, one J or one joker beat three of a kind.",
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
    tells=2,
)


def common(one: Switch[str], other: Switch[str], because: str) -> Conflict[str, str]:
    """A rank is not named by both."""
    return Conflict(one, other, lambda ranks, others: bool(set(ranks) & set(others)), because)


def _twos(switch: Switch[T], clash: Callable[[T], bool], because: str) -> Conflict[str, T]:
    return Conflict(TWOS, switch, lambda twos, other: twos != "rank" and clash(other), because)


def _threes_high(switch: Switch[T], clash: Callable[[T], bool], because: str) -> Conflict[str, T]:
    return Conflict(THREES, switch, lambda threes, other: threes == "high" and clash(other), because)


def toronto(switch: Switch[T]) -> Conflict[str, T]:
    """Toronto leaves another switch at its default."""
    because = "Toronto has its own order and powers, so this stays at its default"
    return Conflict(POWER_CARDS, switch, lambda powers, other: powers == "toronto" and other != switch.default, because)


CONFLICTS = (
    toronto(RANK_ORDER),
    toronto(TWOS),
    toronto(HIGH_CARDS),
    common(WILD_RANKS, TRANSPARENT, "a rank is wild or transparent, not both"),
    common(WILD_RANKS, STRIP, "a wild rank must be in the pack"),
    common(TRANSPARENT, STRIP, "a transparent rank must be in the pack"),
    _threes_high(TRANSPARENT, bool, "with high threes it is fours that are transparent"),
    _threes_high(HIGH_CARDS, lambda high: high != "none", "high threes leave no place for other high cards"),
    _threes_high(STRIP, lambda strip: bool(set("34") & set(strip)), "threes and fours must be in the pack"),
    _threes_high(WILD_RANKS, lambda wild: bool(set("34") & set(wild)), "threes and fours have their own power"),
    _threes_high(RANK_ORDER, lambda order: order != "two_high", "high threes belong to the order with two high"),
    _twos(WILD_RANKS, lambda wild: "2" in wild, "a two with a power can’t be wild"),
    _twos(STRIP, lambda strip: "2" in strip, "a two with a power must be in the pack"),
    _twos(RANK_ORDER, lambda order: order == "ace_high", "with the ace high, twos are the lowest rank"),
)


class CardMeanings:
    """What each card is under some options, and how high each rank stands."""

    def __init__(self, options: Options) -> None:
        self.toronto = options[POWER_CARDS] == "toronto"
        """Whether it has the order and the powers of Toronto."""
        order = "3456789TQKA2J" if self.toronto else ORDERS[options[RANK_ORDER]]
        self.natural = "".join(rank for rank in order if rank not in options[STRIP])
        """Ranks in the pack, from low to high."""
        self.packs = options[PACKS]
        self.jokers = options[JOKERS]
        self.strip = options[STRIP]
        self.largest = 8 if options[WILD_SETS] == "any" else 4 * options[PACKS]
        """Most cards in a set with wild cards."""
        self.high = frozenset(HIGHEST[options[HIGH_CARDS]])
        self.red_high = options[JOKER_RANK] == "red_high" and options[JOKER_ROLE] in ("rank", "trump")
        self.joker_role = options[JOKER_ROLE]
        self.jokers_are_trumps = options[JOKER_ROLE] == "trump" and options[JOKERS] > 0
        self.wild_ranks = options[WILD_RANKS]
        self.wild_alone = options[WILD_ALONE]
        self.wild_tie = options[WILD_TIE]
        self.twos = options[TWOS]
        self.threes_high = options[THREES] == "high"
        self.transparent = "4" if self.threes_high else options[TRANSPARENT]
        """The rank that is seen through, if there is one."""
        self.top_of_runs = "2" if options[RANK_ORDER] != "three_high" else "23"
        """The ranks that are in no run: twos, and threes where they are the top."""
        self.high_three = (self.natural + "2").index("2") + 0.5
        """How high a single high three stands: between all other ranks and the two."""
        # While inverted the any-time card is the ace: A 2 3 4 … K from the top (PRES-21).
        inverted = self.natural[::-1]
        if self.twos == "any_time":
            inverted = "".join(rank for rank in "KQJT98765432A" if rank in self.natural)
        self._levels = {
            False: {rank: place for place, rank in enumerate(self.natural, 1)},
            True: {rank: place for place, rank in enumerate(inverted, 1)},
        }
        for upside_down, levels in self._levels.items():
            levels |= {HIGH: 0 if upside_down else _ABOVE_NATURAL, WILD: _WILD_LEVEL, LOWEST: -1}
            levels |= {JOKER: _JOKER_LEVEL, "b": _JOKER_LEVEL, "r": _JOKER_LEVEL + 1}
        self._orders = {False: self.natural, True: inverted}
        ranks = [c for c in pack(2) if c.rank not in self.strip]
        self._wild = frozenset(
            c
            for c in ranks
            if c not in self.high
            and (c.rank in self.wild_ranks or (c.is_joker and self.joker_role in ("wild", "wild_only")))
        )
        self._rank = {c: self._find_rank(c) for c in ranks}
        self._worth = {c: self._find_worth(c) for c in ranks}
        self.ranks = frozenset(self._rank.values())
        """Every rank that a card has of its own."""
        # These two are asked for every card that may be played: without a step between.
        self.is_wild: Callable[[Card], bool] = self._wild.__contains__
        """Whether a card may stand for other ranks."""
        self.rank: Callable[[Card], str] = self._rank.__getitem__
        """The rank that a card has of its own; the two jokers have different ones where red beats black."""

    def grouped(self, held: Cards) -> tuple[Cards, tuple[tuple[str, Cards], ...]]:
        """Return the wild cards among these, and the others by rank."""
        wild = tuple([card for card in held if card in self._wild]) if self._wild else ()
        groups = self.by_rank([card for card in held if card not in wild] if wild else held)
        return wild, tuple([(rank, tuple(cards)) for rank, cards in groups.items()])

    def by_rank(self, cards: Iterable[Card]) -> dict[str, list[Card]]:
        """Cards of which none is wild, by the ranks that they have of their own."""
        groups: dict[str, list[Card]] = {}
        rank = self._rank
        for card in cards:
            groups.setdefault(rank[card], []).append(card)
        return groups

    def _find_rank(self, card: Card) -> str:
        if card.is_joker:
            return card.suit if self.red_high else JOKER
        return HIGH if card in self.high else card.rank

    def ranked(self) -> Iterable[tuple[Card, str]]:
        """Every card there may be with the rank that it has of its own."""
        return self._rank.items()

    def has_wild(self, cards: Cards) -> bool:
        """Whether there is a wild card among these."""
        return bool(self._wild) and not self._wild.isdisjoint(cards)

    def deck(self) -> Cards:
        """Every card of the game in a fixed order."""
        return pack(self.jokers, packs=self.packs, strip=self.strip)

    def levels(self, *, inverted: bool) -> Mapping[str, int]:
        """How high every rank stands in the order in force."""
        return self._levels[inverted]

    def level(self, rank: str, *, inverted: bool) -> int:
        """How high a rank stands in the order in force."""
        return self._levels[inverted][rank]

    def order(self, *, inverted: bool) -> str:
        """The natural ranks from low to high, as in force."""
        return self._orders[inverted]

    def best(self, *, inverted: bool) -> str:
        """The best rank in force that is no joker."""
        if self.high and not inverted:
            return HIGH
        return next((rank for rank in reversed(self._orders[inverted]) if rank not in self.wild_ranks), "")

    def is_joker_rank(self, rank: str) -> bool:
        """Whether a set of this rank is of jokers."""
        return rank in (JOKER, "b", "r")

    def worth(self, card: Card) -> float:
        """How good a card is in an exchange: jokers, then wild cards, are best; jokers that are only wild are worst."""
        return self._worth[card]

    def _find_worth(self, card: Card) -> float:
        rank = self._rank[card]
        if card.is_joker:
            return self._levels[False][LOWEST if self.joker_role == "wild_only" else rank]
        if card in self._wild:
            return _WILD_LEVEL
        if self.threes_high and rank == "3":
            return self.high_three
        return self._levels[False][rank]

    def low_cards(self, suits: str) -> tuple[Card, ...]:
        """Cards from the lowest up, as “the low card” goes: neither wild nor high; of a rank in the order of suits."""
        return tuple(
            Card(rank + suit)
            for rank in self.natural
            if rank not in self.wild_ranks and not (self.threes_high and rank == "3")
            for suit in suits
            if rank + suit not in self.high
        )
