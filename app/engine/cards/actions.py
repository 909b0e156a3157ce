"""What players do: one value for each action, whatever the game.

`action_codec.py` reads them from JSON and writes them.
"""

from typing import TypeAlias

from msgspec import Struct

from app.engine.cards.cards import Card, Cards


class Play(Struct, frozen=True):
    """Put cards on the table. `as_` says what wild cards stand for; `call` calls a run (PRES-24)."""

    cards: Cards
    as_: str | None = None
    call: str | None = None


class Pass(Struct, frozen=True):
    """Let the table stand."""


class Give(Struct, frozen=True):
    """Cards owed in an exchange; `to` names them by person where several are owed at once (CEAU-23)."""

    cards: Cards = ()
    to: tuple[tuple[str, Cards], ...] = ()


class Discard(Struct, frozen=True):
    """Cards laid aside in mid-trick (PRES-66)."""

    cards: Cards = ()


class Bomb(Struct, frozen=True):
    """Ranks whose cards everybody lays aside (PRES-69)."""

    ranks: str


class Say(Struct, frozen=True):
    """Haggle aloud: a rank that one has, or wants (PRES-38)."""

    have: str | None = None
    want: str | None = None


class Offer(Struct, frozen=True):
    """Cards put forward face down; `claim` is the rank they are said to be (PRES-38)."""

    cards: Cards = ()
    claim: str | None = None


class Agree(Struct, frozen=True):
    """Accept the offers on the table."""


class BreakOff(Struct, frozen=True):
    """End the talk: then each gives a card unseen."""


class Done(Struct, frozen=True):
    """No more swaps with one's partner."""


class Clear(Struct, frozen=True):
    """The bottom takes the finished trick away (PRES-40)."""


class Touch(Struct, frozen=True):
    """Touch the pile, which is the bottom's business (PRES-40)."""


class Shuffle(Struct, frozen=True):
    """Shuffle by hand (PRES-41)."""


class OfferCut(Struct, frozen=True):
    """Offer the pack to the bottom for cutting (PRES-41)."""


class Cut(Struct, frozen=True):
    """Cut the pack after so many cards."""

    at: int | None = None


class DealOut(Struct, frozen=True):
    """Deal by hand, naming who gets the first card (PRES-41). In JSON: `deal`."""

    first: str


class Keep(Struct, frozen=True):
    """Keep one's card (Chase the Ace)."""


class Swap(Struct, frozen=True):
    """Swap with the neighbour, or the dealer with the stock (Chase the Ace)."""


class Decree(Struct, frozen=True):
    """The top's order to one player, or to all (CEAU-28)."""

    text: str
    to: str | None = None


class Obey(Struct, frozen=True):
    """Answer a decree."""


class Defy(Struct, frozen=True):
    """Answer a decree."""


class JoinMatch(Struct, frozen=True):
    """Come to the table between hands."""


class LeaveMatch(Struct, frozen=True):
    """Go between hands."""


class AskLeave(Struct, frozen=True):
    """The serf asks to go (CEAU-26)."""


class Dispense(Struct, frozen=True):
    """The king lets the serf go (CEAU-26)."""


class Refuse(Struct, frozen=True):
    """The king does not let the serf go (CEAU-26)."""


Action: TypeAlias = (
    Play
    | Pass
    | Give
    | Discard
    | Bomb
    | Say
    | Offer
    | Agree
    | BreakOff
    | Done
    | Clear
    | Touch
    | Shuffle
    | OfferCut
    | Cut
    | DealOut
    | Keep
    | Swap
    | Decree
    | Obey
    | Defy
    | JoinMatch
    | LeaveMatch
    | AskLeave
    | Dispense
    | Refuse
)

ABOUT_DECREES: frozenset[type] = frozenset((Decree, Obey, Defy))
"""What is done at any time, in a hand and between hands."""


def cards_of(action: Action) -> tuple[Card, ...]:
    """All cards that an action names."""
    match action:
        case Give(to=to) if to:
            return tuple(card for _, cards in to for card in cards)
        case Play() | Give() | Discard() | Offer():
            return action.cards
        case _:
            return ()
