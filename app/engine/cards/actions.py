"""The actions of players in all games: one class for each.

`action_codec.py` reads them from JSON and writes them.
"""

from typing import TypeAlias

from msgspec import Struct

from app.engine.cards.cards import Card, Cards


class Play(Struct, frozen=True):
    """A player's action: put cards on the table.

    `as_` says what wild cards stand for; `call` announces a run, in which the next plays must go up in rank (PRES-24).
    """

    cards: Cards
    as_: str | None = None
    call: str | None = None


class Pass(Struct, frozen=True):
    """A player's action: pass, which leaves the play on the table unbeaten."""


class Give(Struct, frozen=True):
    """A player's action: give cards in the exchange between hands.

    If a player gives to several players, `to` lists the cards by receiver and `cards` is empty (CEAU-23).
    """

    cards: Cards = ()
    to: tuple[tuple[str, Cards], ...] = ()


class Discard(Struct, frozen=True):
    """A player's action: discard own cards in mid-trick, as the effect of a play allows or demands (PRES-66)."""

    cards: Cards = ()


class Bomb(Struct, frozen=True):
    """A player's action: name ranks to bomb; all players must discard their cards of these ranks (PRES-69)."""

    ranks: str


class AnnounceRank(Struct, frozen=True):
    """A player's action: announce in a trade one rank that the player has or wants (PRES-38).

    One of `have` and `want` is given. Lists of legal actions leave both open (None), for the player to choose.
    """

    have: str | None = None
    want: str | None = None


class Offer(Struct, frozen=True):
    """A player's action: offer cards face down to another player, in a trade or in swaps between partners.

    `claim` is the rank that the player says the card has, true or not (PRES-38).
    """

    cards: Cards = ()
    claim: str | None = None


class AcceptOffers(Struct, frozen=True):
    """A player's action: accept the offers on the table, so that the two players swap these cards."""


class EndTalks(Struct, frozen=True):
    """A player's action: break off a trade (PRES-38). Each of the two players then gives a card unseen."""


class EndSwaps(Struct, frozen=True):
    """A player's action: end the swaps of cards between two partners, which come before play (PRES-38)."""


class ClearTrick(Struct, frozen=True):
    """A player's action: clear the finished trick away, which is the duty of the player ranked last (PRES-40)."""


class TouchPile(Struct, frozen=True):
    """A player's action: touch the pile of played cards.

    Only the player ranked last may do so safely; any other player finishes last for it (PRES-40).
    """


class Shuffle(Struct, frozen=True):
    """The dealer's action: shuffle the deck, where players deal by hand and may make faults (PRES-41)."""


class OfferCut(Struct, frozen=True):
    """The dealer's action: offer the deck to the player ranked last for cutting (PRES-41)."""


class Cut(Struct, frozen=True):
    """A player's action: cut the deck after `at` cards.

    Legal actions list it with None, for a number that the player is to choose.
    """

    at: int | None = None


class DealByHand(Struct, frozen=True):
    """The dealer's action: deal by hand, naming the player who gets the first card (PRES-41). In JSON: `deal`."""

    first: str


class Keep(Struct, frozen=True):
    """A player's action in Chase the Ace: keep the one card."""


class Swap(Struct, frozen=True):
    """A player's action in Chase the Ace: swap the one card with the next player, or as dealer with the stock."""


class Decree(Struct, frozen=True):
    """A player's action at any time in a match: proclaim a decree, to the player `to` or to all who may get it.

    A decree is a free text that asks for something at the real table; players obey or defy it. In Ceausescu the king
    sends them (CEAU-28), in President any player to those ranked lower (PRES-49).
    """

    text: str
    to: str | None = None


class Obey(Struct, frozen=True):
    """A player's action at any time in a match: obey a decree, which a higher player has proclaimed.

    It answers the oldest decree that waits for this player.
    """


class Defy(Struct, frozen=True):
    """A player's action at any time in a match: defy a decree, which a higher player has proclaimed.

    It answers the oldest decree that waits for this player.
    """


class JoinMatch(Struct, frozen=True):
    """An action between hands: somebody joins the match."""


class LeaveMatch(Struct, frozen=True):
    """An action between hands: a player leaves the match."""


class RequestLeave(Struct, frozen=True):
    """An action of the serf, who is ranked last, between hands: ask the king for leave to quit (CEAU-26)."""


class GrantLeave(Struct, frozen=True):
    """An action of the king, the top player, between hands: let the serf, who asked, quit the match (CEAU-26)."""


class RefuseLeave(Struct, frozen=True):
    """An action of the king, the top player, between hands: refuse to let the serf quit the match (CEAU-26)."""


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
    """Return all cards that an action names, for all receivers; empty for actions without cards."""
    match action:
        case Give(to=to) if to:
            return tuple(card for _, cards in to for card in cards)
        case Play() | Give() | Discard() | Offer():
            return action.cards
        case _:
            return ()
