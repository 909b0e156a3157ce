"""Society [PRES-32 … PRES-44]: seats, dealer, exchange, newcomers, titles. Its house rules are in house/."""

from collections.abc import Mapping

from app.engine.base.messages import Sentence
from app.engine.base.options import Choice, Options, Rule, Section, Switch
from app.engine.cards.cards import Cards
from app.engine.climbing.exchange import Exchange, Gift, Which
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.events import EventType
from app.engine.match.game import Decrees

from . import titles

DECREES = Rule(
    id="PRES-49",
    name="Decrees",
    sentence="Everybody may give orders at any time to one player below them in the society, or to all below them; who "
    "gets one may obey or defy.",
    example="The Vice-President to the Scum: “Fetch the snacks!”",
)


def _below(hierarchy: tuple[str, ...], by: str) -> tuple[str, ...]:
    return hierarchy[hierarchy.index(by) + 1 :] if by in hierarchy else ()


WHO_DECREES = Sentence(
    "president.who_decrees", "From the second hand on everybody but the bottom may give orders, to those below them."
)
ORDERS = Decrees(DECREES.id, _below, WHO_DECREES())

EXCHANGE = Switch(
    id="PRES-34",
    also="tax tribute カード交換 税金 献上 jìngòng 进贡 進貢",
    key="exchange",
    domain=Choice(
        {
            "one": "One card between first and last",
            "none": "No exchange",
            "two": "Two cards between first and last",
            "two_one": "Two cards, and one between second and last but one",
            "butthead": "Two up and three down; one up and two down",
            "three_one": "Three cards, and one between second and last but one",
            "ladder": "From the outside in: half the table’s number, one less, …, 1",
        }
    ),
    default="one",
    sentence="How many cards low players give to high players after the deal, and get back. The low player gives the "
    "best.",
    example="With “two and one” the last gives 2♠ A♥ to the first, the last but one K♦ to the second.",
)
RETURNS: dict[Which, str] = {"any": "Any cards", "worst": "The worst of the cards as dealt"}
EXCHANGE_RETURN = Switch(
    id="PRES-35",
    also="gift back 还贡 還貢 huángòng",
    key="exchange_return",
    domain=Choice(RETURNS),
    default="any",
    sentence="What the high player gives back.",
    example="With “worst” a king who was dealt 3♣ 4♦ K♠ gives the three.",
)

SEATING = Switch(
    id="PRES-32",
    also="change seats 席替え 换座位 musical chairs",
    key="seating",
    domain=Choice({"by_rank": "People sit in order of rank", "fixed": "Seats stay as they are"}),
    default="by_rank",
    sentence="Whether people change places after a hand: the top first, clockwise down to the bottom at their right.",
    example="After the hand the new President sits first, the Scum last.",
)

SEATED_BY_RANK = EventType("seated_by_rank", "Everybody sits by rank.", people="Everybody sits by rank: {people}.")

DEALER = Switch(
    id="PRES-33",
    also="who deals ディーラー 发牌 發牌",
    key="dealer",
    domain=Choice({"bottom": "The bottom", "top": "The top", "rotate": "The next clockwise"}),
    default="bottom",
    sentence="Who deals from the second hand on. The first card goes to the dealer’s left, whoever deals.",
    example="The Scum shuffles and deals, to begin with to the President at their left.",
)

EXCHANGE_ORDER = Switch(
    id="PRES-36",
    also="blind exchange",
    key="exchange_order",
    domain=Choice({"low_first": "The high player sees the gift first", "blind": "Both choose unseen"}),
    default="low_first",
    sentence="Whether the high player sees the gift before giving back.",
    example="When blind, no card moves until both have chosen.",
)

NEWCOMERS = Switch(
    id="PRES-42",
    also="late joiners 途中参加",
    key="newcomers",
    domain=Choice({"bottom": "At the bottom", "middle": "In the middle"}),
    default="bottom",
    sentence="Where a player comes in who joins between hands. A player who leaves and comes back before the next deal "
    "keeps their rank.",
    example="With “middle” a fifth player comes in third.",
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
    ),
    (
        Rule(
            id="PRES-44",
            name="Leaving",
            sentence="People may leave after any hand; those below move up one place, and their points stay in the "
            "totals but count no longer for target or floor.",
            example="When the President leaves, the Vice-President is President.",
        ),
        DECREES,
    ),
    tells=1,
)

OUTER = {"one": (1, 1), "none": (0, 0), "two": (2, 2), "two_one": (2, 2), "butthead": (2, 3), "three_one": (3, 3)}
"""Cards up and down between first and last, for each value of `exchange` but the ladder."""
INNER = {"one": (0, 0), "none": (0, 0), "two": (0, 0), "two_one": (1, 1), "butthead": (1, 2), "three_one": (1, 1)}
"""Cards up and down between second and last but one, with four players or more."""


def amounts(options: Options, count: int) -> list[tuple[int, int]]:
    """Cards up and down for each pair from the outside in; pairs that exchange nothing are left out."""
    if options[EXCHANGE] == "ladder":
        found = [(number, number) for number in range(count // 2, 0, -1)]
    else:
        found = [OUTER[options[EXCHANGE]]] + ([INNER[options[EXCHANGE]]] if count >= 4 else [])
    return [(up, down) for up, down in found if up or down]


def exchange(options: Options, hand: HandState) -> Exchange | None:
    """The gifts that this society owes after the deal, in the order of the pairs."""
    gifts: list[Gift] = []
    bundles: list[tuple[int, ...]] = []
    blind = options[EXCHANGE_ORDER] == "blind"
    back = options[EXCHANGE_RETURN]
    for place, (up, down) in enumerate(amounts(options, len(hand.hierarchy))):
        high, low = hand.hierarchy[place], hand.hierarchy[-1 - place]
        first = len(gifts)
        returning = EXCHANGE if back == "any" else EXCHANGE_RETURN
        gifts.append(Gift(low, high, up, "best", EXCHANGE.id))
        gifts.append(Gift(high, low, down, back, returning.id, () if blind else (first,)))
        bundles += [(first, first + 1)] if blind else [(first,), (first + 1,)]
    return Exchange(tuple(gifts), tuple(bundles), dict(hand.cards)) if gifts else None


def enough_for_gifts(options: Options, gifts: Exchange, held: Mapping[str, Cards]) -> bool:
    """Whether everybody was dealt the cards they owe, and has some left to play.

    A high player who gives any cards may use what they get.
    """
    gets_first = options[EXCHANGE_ORDER] == "low_first" and options[EXCHANGE_RETURN] == "any"
    for gift in gifts.gifts:
        dealt, received = len(held[gift.giver]), sum(other.count for other in gifts.gifts if other.taker == gift.giver)
        usable = dealt + (received if gift.which == "any" and gets_first else 0)
        if usable < gift.count or dealt + received <= gift.count:
            return False
    return True


def seats_after(options: Options, seats: tuple[str, ...], hierarchy: tuple[str, ...]) -> tuple[str, ...]:
    """Where people sit for the next hand."""
    return hierarchy if hierarchy and options[SEATING] == "by_rank" else seats


def dealer(
    options: Options, seats: tuple[str, ...], hierarchy: tuple[str, ...], last: str | None, heir: str | None
) -> str:
    """Who deals the next hand; `heir` sat next to a last dealer who has left."""
    if not hierarchy:
        return seats[0]
    if options[DEALER] == "rotate":
        if last in seats:
            return seats[(seats.index(last) + 1) % len(seats)]
        return heir if heir in seats else seats[0]
    return hierarchy[0] if options[DEALER] == "top" else hierarchy[-1]


def newcomer_place(options: Options, count: int) -> int:
    """The index in the hierarchy at which somebody comes in where `count` are there already."""
    return (count + 1) // 2 if options[NEWCOMERS] == "middle" else count
