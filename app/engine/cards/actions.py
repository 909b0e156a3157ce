"""The actions of players in all games: one class for each.

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
    """Pass: leave the play on the table unbeaten."""


class Give(Struct, frozen=True):
    """Give cards in the exchange. If a player gives to several players, `to` lists the cards by receiver (CEAU-23)."""

    cards: Cards = ()
    to: tuple[tuple[str, Cards], ...] = ()


class Discard(Struct, frozen=True):
    """Discard cards in mid-trick (PRES-66)."""

    cards: Cards = ()


class Bomb(Struct, frozen=True):
    """Name ranks; all players must discard their cards of these ranks (PRES-69)."""

    ranks: str


class AnnounceRank(Struct, frozen=True):
    """Announce in a trade a rank that the player has or wants (PRES-38)."""

    have: str | None = None
    want: str | None = None


class Offer(Struct, frozen=True):
    """Offer cards face down in a trade. `claim` is the rank that the player says they are (PRES-38)."""

    cards: Cards = ()
    claim: str | None = None


class AcceptOffers(Struct, frozen=True):
    """Accept the offers on the table in a trade."""


class EndTalks(Struct, frozen=True):
    """Break off a trade. Each of the two players then gives a card unseen."""


class EndSwaps(Struct, frozen=True):
    """End the swaps between partners."""


class ClearTrick(Struct, frozen=True):
    """Clear the finished trick away, as the last player's duty (PRES-40)."""


class TouchPile(Struct, frozen=True):
    """Touch the pile of played cards; any player but the last in the hierarchy finishes last for it (PRES-40)."""


class Shuffle(Struct, frozen=True):
    """Shuffle the deck by hand (PRES-41)."""


class OfferCut(Struct, frozen=True):
    """Offer the deck to the last player for cutting (PRES-41)."""


class Cut(Struct, frozen=True):
    """Cut the deck after `at` cards."""

    at: int | None = None


class DealByHand(Struct, frozen=True):
    """Deal by hand, naming who gets the first card (PRES-41). In JSON: `deal`."""

    first: str


class Keep(Struct, frozen=True):
    """Keep the card (Chase the Ace)."""


class Swap(Struct, frozen=True):
    """Swap the card with the next player, or as dealer with the stock (Chase the Ace)."""


class Decree(Struct, frozen=True):
    """Proclaim a decree of the top player, to one player or to all (CEAU-28)."""

    text: str
    to: str | None = None


class Obey(Struct, frozen=True):
    """Obey a decree."""


class Defy(Struct, frozen=True):
    """Defy a decree."""


class JoinMatch(Struct, frozen=True):
    """Join the match between hands."""


class LeaveMatch(Struct, frozen=True):
    """Leave the match between hands."""


class RequestLeave(Struct, frozen=True):
    """Ask, as the serf, for leave to go (CEAU-26)."""


class GrantLeave(Struct, frozen=True):
    """Grant, as the king, the serf leave to go (CEAU-26)."""


class RefuseLeave(Struct, frozen=True):
    """Refuse, as the king, to let the serf go (CEAU-26)."""


Action: TypeAlias = (
    Play
    | Pass
    | Give
    | Discard
    | Bomb
    | AnnounceRank
    | Offer
    | AcceptOffers
    | EndTalks
    | EndSwaps
    | ClearTrick
    | TouchPile
    | Shuffle
    | OfferCut
    | Cut
    | DealByHand
    | Keep
    | Swap
    | Decree
    | Obey
    | Defy
    | JoinMatch
    | LeaveMatch
    | RequestLeave
    | GrantLeave
    | RefuseLeave
)

DECREE_ACTIONS: frozenset[type] = frozenset((Decree, Obey, Defy))
"""Actions that are possible at any time, in a hand and between hands."""


def cards_in_action(action: Action) -> tuple[Card, ...]:
    """Return all cards that an action names."""
    match action:
        case Give(to=to) if to:
            return tuple(card for _, cards in to for card in cards)
        case Play() | Give() | Discard() | Offer():
            return action.cards
        case _:
            return ()
