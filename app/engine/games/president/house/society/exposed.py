"""A card turned up [PRES-37]: the first card of each pile decides which player gets the pile."""

from collections.abc import Iterator, Mapping
from typing import Annotated, TypedDict

from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Option, on_off_choice
from app.engine.cards.cards import describe_cards, parse_card
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.events import GameEventType
from app.engine.display.table_display import Line, Panel, panel_line, text_panel
from app.engine.games.president.house_rule import HouseRule
from app.engine.match.hand import HandTransition

TITLE = MessageTemplate("exposed.title", "Turned up")
PILE = MessageTemplate("exposed.pile", "{name}: {card}")

EXPOSED = GameEventType(
    "exposed", "The first card of each pile was turned up. The highest pile goes to first place.", takes_piles=True
)


class ExposedView(TypedDict):
    """Exposed cards."""

    exposed: Annotated[dict[str, str], "The exposed card of each pile, by the player who got the pile (PRES-37)."]


class ExposedPiles(HouseRule[Mapping[str, str]]):
    """A house rule of President: from the second hand on, the first card of each pile decides who gets it.

    The highest pile goes to the top player, the next to the second, and so on. The rule's memory holds the card turned
    up, by the player who got the pile.
    """

    switch = Option(
        id="PRES-37",
        also="face-up card turned-up card 翻牌",
        key="expose_card",
        label="Exposed cards",
        domain=on_off_choice(
            "Each player gets the cards dealt to them", "The first card of each pile decides which player gets it"
        ),
        default=False,
        sentence="Decides whether places choose the dealt piles. From the second hand on, the first card of each "
        "pile is turned up. First place gets the pile with the highest card, second place the next, and "
        "so on.",
        example="Piles that show K♦, 9♣, 8♠ go to the President, the Vice-President and the Citizen.",
        short={True: "Places choose their piles by the first card."},
    )
    section = "society"
    memory_key = "exposed"

    @classmethod
    def table(cls, hand: HandState) -> ExposedView:
        return {"exposed": dict(cls.read_memory(hand) or {})}

    def prepare_exchange(self, hand: HandState) -> HandTransition[HandState]:
        start = hand.seats.index(hand.left_of_dealer)
        places = hand.seats[start:] + hand.seats[:start]
        # Sorting is stable: among equal cards, the pile dealt earlier comes first.
        piles = sorted(
            (hand.cards[name] for name in places), key=lambda pile: -self.card_meanings.exchange_value(pile[0])
        )
        given = dict(zip(hand.hierarchy, piles, strict=True))
        exposed = {name: str(pile[0]) for name, pile in given.items()}
        return HandTransition(self.with_memory(hand.replace(cards=given), exposed), (EXPOSED(cards=exposed),))

    def panels(self, hand: HandState) -> Iterator[Panel]:
        memory = self.read_memory(hand)
        if memory and hand.phase == "exchange":
            yield text_panel("exposed", TITLE(), [_exposed_card_line(name, up) for name, up in memory.items()])


def _exposed_card_line(name: str, up: str) -> Line:
    return panel_line(name, PILE(name=name, card=describe_cards([parse_card(up)])))
