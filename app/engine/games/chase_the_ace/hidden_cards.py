"""A player's knowledge of the cards: those face up, and a card that the player gave away in a swap."""

from collections.abc import Sequence

from app.engine.cards.cards import parse_card
from app.engine.games.chase_the_ace.lives_and_pot import DECK
from app.engine.games.chase_the_ace.trading import AceHand
from app.engine.match.game import SeatEvent
from app.engine.match.hand import HandKnowledge


def build_unseen(hand: AceHand, player: str, events: Sequence[SeatEvent]) -> HandKnowledge[AceHand]:
    """Return the hand of Chase the Ace as a player knows it, given the events they have seen, for bots that search."""
    followed = _players_with_known_cards(player, events)
    known = {name: hand.cards[name] for name in hand.order if name in followed or name in hand.face_up_card_by_player}
    known.pop(player, None)
    gone = {parse_card(event["cards"]) for event in events if event["e"] == "king_shown" and event.get("cut")}
    seen = {one for cards in (*known.values(), hand.cards[player]) for one in cards}
    hidden = tuple(sorted({*DECK} - seen - gone))
    others = [name for name in hand.order if name != player and name not in known]
    cards = dict(zip(others, ((one,) for one in hidden), strict=False)) | known | {player: hand.cards[player]}
    quiet = hand.replace(cards={name: cards[name] for name in hand.order}, stock=(), seed=None, reasons=())
    return HandKnowledge(quiet, hidden, tuple((name, 1) for name in others), known, len(hand.stock))


def _players_with_known_cards(player: str, events: Sequence[SeatEvent]) -> set[str]:
    """Return the players who now hold a card that `player` has held, and so know, after swaps of Chase the Ace.

    `events` are those that the player has seen.
    """
    found = set[str]()
    for event in events:
        match event["e"]:
            case "swapped":
                one, other = event["by"], event["to"]
                before = one in found, other in found
                found -= {one, other}
                if player in (one, other):
                    found.add(other if one == player else one)
                else:
                    found |= {name for name, was in ((other, before[0]), (one, before[1])) if was}
            case "drew_from_stock":
                found.discard(event["by"])
            case _:
                pass
    return found
