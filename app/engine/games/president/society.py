"""Society [PRES-32 … PRES-44, PRES-49]: seats, dealer, exchange, newcomers, titles. Further rules are in house/."""

from collections.abc import Mapping

from app.engine.base.options import Choice, FixedRule, Option, Options, Section
from app.engine.cards.cards import Cards
from app.engine.climbing.exchange import Exchange, Gift, GiftSelection
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.events import GameEventType

from . import decrees, titles

EXCHANGE = Option(
    id="PRES-34",
    also="tax tribute カード交換 税金 献上 jìngòng 进贡 進貢",
    key="exchange",
    domain=Choice(
        {
            "one": "One card between first and last",
            "none": "No exchange",
            "two": "Two cards between first and last",
            "two_one": "Two cards between first and last, one between second and second-last",
            "butthead": "First and last: two up, three down. Second and second-last: one up, two down",
            "three_one": "Three cards between first and last, one between second and second-last",
            "ladder": "Every pair from the outside in: half the number of players, then one card less, down to 1",
        }
    ),
    default="one",
    sentence="Sets the number of cards that players exchange after the deal. The lower player gives their "
    "best cards and gets cards back.",
    example="With “Two cards, and one …”, the last player gives 2♠ A♥ to the first, and the second-last "
    "gives K♦ to the second.",
    short={
        "one": "Next hand, first place takes last’s best card and gives back any.",
        "two": "Next hand, first place takes last’s 2 best cards and gives back any 2.",
        "two_one": "Next hand, first place takes last’s 2 best cards, second takes second-last’s best; both give "
        "back any.",
        "butthead": "Next hand, first place takes last’s 2 best cards and gives back any 3; second takes second-last’s "
        "best and gives back any 2.",
        "three_one": "Next hand, first place takes last’s 3 best cards, second takes second-last’s best; both return "
        "the same number.",
        "ladder": "Next hand, first place takes last’s best cards (half the number of players, rounded down), second "
        "takes one less from second-last, and so on. They give back any.",
    },
)
RETURNS: dict[GiftSelection, str] = {"any": "Any cards", "worst": "The worst of the cards as dealt"}
EXCHANGE_RETURN = Option(
    id="PRES-35",
    also="gift back 还贡 還貢 huángòng",
    key="exchange_return",
    label="Cards given back",
    domain=Choice(RETURNS),
    default="any",
    sentence="Decides which cards the higher player gives back.",
    example="With “The worst of the cards as dealt”, a king who was dealt 3♣ 4♦ K♠ gives the three.",
    short={"worst": "Worst cards are given back."},
)

SEATING = Option(
    id="PRES-32",
    also="change seats 席替え 换座位 musical chairs",
    key="seating",
    domain=Choice({"by_rank": "Players sit in order of their places", "fixed": "Seats stay as they are"}),
    default="by_rank",
    sentence="Decides whether players change seats after each hand: first place, then clockwise down to last place.",
    example="After the hand the new President sits first, the Scum last.",
)

SEATED_BY_RANK = GameEventType(
    "seated_by_rank", "Players sit in order of their places.", people="Players sit in order of their places: {people}."
)

DEALER = Option(
    id="PRES-33",
    also="who deals ディーラー 发牌 發牌",
    key="dealer",
    domain=Choice({"bottom": "Last place", "top": "First place", "rotate": "The next player clockwise"}),
    default="bottom",
    sentence="Decides which player deals from the second hand on. The first card always goes to the player "
    "left of the dealer.",
    example="The Scum shuffles and deals. The first card goes to the President, who sits left of the Scum.",
)

EXCHANGE_ORDER = Option(
    id="PRES-36",
    also="blind exchange",
    key="exchange_order",
    domain=Choice({"low_first": "The higher player sees the cards first", "blind": "Both choose unseen"}),
    default="low_first",
    sentence="Decides whether the higher player sees the cards they get before they give cards back.",
    example="With “Both choose unseen”, no card moves until both have chosen.",
)

NEWCOMERS = Option(
    id="PRES-42",
    also="late joiners 途中参加",
    key="newcomers",
    label="New players",
    domain=Choice({"bottom": "In last place", "middle": "In the middle"}),
    default="bottom",
    sentence="Decides the place of a player who joins between hands. A player who leaves and comes back "
    "before the next deal keeps their place.",
    example="With “In the middle”, a fifth player comes in third.",
)

SECTION = Section(
    "society",
    "Society",
    (
        SEATING,
        DEALER,
        EXCHANGE,
        EXCHANGE_RETURN,
        EXCHANGE_ORDER,
        NEWCOMERS,
        titles.SWITCH,
        decrees.SWITCH,
    ),
    (
        FixedRule(
            id="PRES-44",
            name="Leaving",
            sentence="Players may leave after any hand. The players below them move up one place. Their points stay "
            "in the totals, but no longer count for target or floor.",
            example="When the President leaves, the Vice-President becomes President.",
        ),
    ),
    importance=1,
)

OUTER_PAIR_AMOUNTS = {
    "one": (1, 1),
    "none": (0, 0),
    "two": (2, 2),
    "two_one": (2, 2),
    "butthead": (2, 3),
    "three_one": (3, 3),
}
"""Number of cards (up, down) between first and last, for each value of `exchange` except `ladder`."""
INNER_PAIR_AMOUNTS = {
    "one": (0, 0),
    "none": (0, 0),
    "two": (0, 0),
    "two_one": (1, 1),
    "butthead": (1, 2),
    "three_one": (1, 1),
}
"""Number of cards (up, down) between second and last but one, with four or more players."""


def exchange_amounts(options: Options, players: int) -> list[tuple[int, int]]:
    """Return the numbers of cards (up, down) that each pair of players exchanges in President, first with last first.

    "Up" goes from the low player to the high one, "down" the other way. Pairs that exchange nothing are left out.
    Options set the numbers.
    """
    if options[EXCHANGE] == "ladder":
        found = [(number, number) for number in range(players // 2, 0, -1)]
    else:
        found = [OUTER_PAIR_AMOUNTS[options[EXCHANGE]]] + (
            [INNER_PAIR_AMOUNTS[options[EXCHANGE]]] if players >= 4 else []
        )
    return [(up, down) for up, down in found if up or down]


def build_gifts(options: Options, hierarchy: tuple[str, ...]) -> tuple[Gift, ...]:
    """Return the gifts of a hand of President in a hierarchy, best first: for each pair the one up, then the one down.

    By an option, the gift down waits for the gift up.
    """
    gifts: list[Gift] = []
    back = options[EXCHANGE_RETURN]
    returning = EXCHANGE if back == "any" else EXCHANGE_RETURN
    for place, (up, down) in enumerate(exchange_amounts(options, len(hierarchy))):
        high, low = hierarchy[place], hierarchy[-1 - place]
        waits_for = () if options[EXCHANGE_ORDER] == "blind" else (len(gifts),)
        gifts.append(Gift(low, high, up, "best", EXCHANGE.id))
        gifts.append(Gift(high, low, down, back, returning.id, waits_for))
    return tuple(gifts)


def build_exchange(options: Options, hand: HandState) -> Exchange | None:
    """Return the exchange after the deal of a hand of President, first with last first; None without gifts.

    The low player owes the high one the best cards, and gets cards back. By options, both choose unseen, or the high
    player returns the worst.
    """
    gifts = build_gifts(options, hand.hierarchy)
    size = 2 if options[EXCHANGE_ORDER] == "blind" else 1
    bundles = tuple(tuple(range(first, first + size)) for first in range(0, len(gifts), size))
    return Exchange(gifts, bundles, dict(hand.cards)) if gifts else None


def can_pay_gifts(options: Options, exchange: Exchange, held: Mapping[str, Cards]) -> bool:
    """Return whether all players can give the cards they owe and keep at least one.

    A deal from a file may not allow it. A high player who may return any cards can use received cards, if the gift
    comes first.
    """
    gets_first = options[EXCHANGE_ORDER] == "low_first" and options[EXCHANGE_RETURN] == "any"
    for gift in exchange.gifts:
        dealt, received = (
            len(held[gift.giver]),
            sum(other.count for other in exchange.gifts if other.taker == gift.giver),
        )
        usable = dealt + (received if gift.which == "any" and gets_first else 0)
        if usable < gift.count or dealt + received <= gift.count:
            return False
    return True


def seats_for_next_hand(options: Options, seats: tuple[str, ...], hierarchy: tuple[str, ...]) -> tuple[str, ...]:
    """Return the seats for the next hand of President.

    They follow the hierarchy if the options want it, else they stay.
    """
    return hierarchy if hierarchy and options[SEATING] == "by_rank" else seats


def next_dealer(
    options: Options,
    seats: tuple[str, ...],
    hierarchy: tuple[str, ...],
    last_dealer: str | None,
    neighbour_of_departed_dealer: str | None,
) -> str:
    """Return who deals the next hand of President: the first player in the first hand, then as an option says.

    The option names the last or top player, or the next clockwise from `last_dealer` (None before the first hand). If
    the last dealer has left, `neighbour_of_departed_dealer` deals where the deal rotates. `hierarchy` is best first.
    """
    if not hierarchy:
        return seats[0]
    if options[DEALER] == "rotate":
        if last_dealer in seats:
            return seats[(seats.index(last_dealer) + 1) % len(seats)]
        return neighbour_of_departed_dealer if neighbour_of_departed_dealer in seats else seats[0]
    return hierarchy[0] if options[DEALER] == "top" else hierarchy[-1]


def newcomer_index(options: Options, count: int) -> int:
    """Return the index in a hierarchy of `count` players at which a newcomer is inserted: the middle or the end."""
    return (count + 1) // 2 if options[NEWCOMERS] == "middle" else count
