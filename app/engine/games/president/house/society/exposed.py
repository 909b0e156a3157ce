"""A card turned up [PRES-37]: the first card of each pile decides who gets it."""

from collections.abc import Iterator, Mapping
from typing import Annotated, TypedDict

from app.engine.base.messages import Sentence
from app.engine.base.options import Switch, flag
from app.engine.cards.cards import card, in_words
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.events import EventType
from app.engine.display.table_display import Line, Panel, line, listed
from app.engine.games.president.house_rule import Part
from app.engine.match.hand import HandStep

TITLE = Sentence("exposed.title", "Turned up")
PILE = Sentence("exposed.pile", "{name}: {card}")

EXPOSED = EventType("exposed", "Each pile’s first card was turned up; the piles go by it.")


class ExposedShown(TypedDict):
    """What is turned up."""

    exposed: Annotated[dict[str, str], "The card turned up of each pile, by who got it (PRES-37)."]


class Exposed(Part[Mapping[str, str]]):
    """From the second hand on the highest pile goes to the top. It keeps the card turned up, by who got the pile."""

    switch = Switch(
        id="PRES-37",
        also="face-up card turned-up card 翻牌",
        key="expose_card",
        domain=flag("Everybody gets the cards dealt to them", "The first card of each pile decides who gets it"),
        default=False,
        sentence="From the second hand on the first card of each pile is turned up; the highest pile goes to the top, "
        "and so on.",
        example="Piles that show K♦, 9♣, 8♠ go to the President, the Vice-President and the Citizen.",
    )
    section = "society"
    key = "exposed"

    @classmethod
    def table(cls, hand: HandState) -> ExposedShown:
        return {"exposed": dict(cls.of(hand) or {})}

    def hands_out(self, hand: HandState) -> HandStep[HandState]:
        start = hand.seats.index(hand.left_of_dealer)
        places = hand.seats[start:] + hand.seats[:start]
        # Sorting is stable: of equal cards the pile dealt earlier comes first.
        piles = sorted((hand.cards[name] for name in places), key=lambda pile: -self.faces.worth(pile[0]))
        given = dict(zip(hand.hierarchy, piles, strict=True))
        exposed = {name: str(pile[0]) for name, pile in given.items()}
        return HandStep(self.keep(hand.but(cards=given), exposed), (EXPOSED(cards=exposed),))

    def panels(self, hand: HandState) -> Iterator[Panel]:
        kept = self.of(hand)
        if kept and hand.phase == "exchange":
            yield listed("exposed", TITLE(), [_line(name, up) for name, up in kept.items()])


def _line(name: str, up: str) -> Line:
    return line(name, PILE(name=name, card=in_words([card(up)])))
