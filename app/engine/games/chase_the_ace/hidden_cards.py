"""What one player knows of where cards are: whoever swapped knows where their card went, and sees what lies face up."""

from collections.abc import Sequence

from app.engine.cards.cards import card
from app.engine.games.chase_the_ace.lives_and_pot import DECK
from app.engine.games.chase_the_ace.trading import Trading
from app.engine.match.game import Told
from app.engine.match.hand import Unseen


def of(hand: Trading, me: str, told: Sequence[Told]) -> Unseen[Trading]:
    """A deal as a player may know it who has been told this."""
    followed = _followed(me, told)
    known = {name: hand.cards[name] for name in hand.order if name in followed or name in hand.shown}
    known.pop(me, None)
    gone = {card(event["cards"]) for event in told if event["e"] == "king_shown" and event.get("cut")}
    seen = {one for cards in (*known.values(), hand.cards[me]) for one in cards}
    hidden = tuple(sorted({*DECK} - seen - gone))
    others = [name for name in hand.order if name != me and name not in known]
    cards = dict(zip(others, ((one,) for one in hidden), strict=False)) | known | {me: hand.cards[me]}
    quiet = hand.but(cards={name: cards[name] for name in hand.order}, stock=(), seed=None, reasons=())
    return Unseen(quiet, hidden, tuple((name, 1) for name in others), known, len(hand.stock))


def _followed(me: str, told: Sequence[Told]) -> set[str]:
    """Who holds a card that this player has held."""
    found = set[str]()
    for event in told:
        match event["e"]:
            case "swapped":
                one, other = event["by"], event["to"]
                before = one in found, other in found
                found -= {one, other}
                if me in (one, other):
                    found.add(other if one == me else one)
                else:
                    found |= {name for name, was in ((other, before[0]), (one, before[1])) if was}
            case "drew_from_stock":
                found.discard(event["by"])
            case _:
                pass
    return found
