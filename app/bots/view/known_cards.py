"""What a seat knows for certain when cards are swapped face down: its own former card and cards shown openly."""

from collections.abc import Mapping
from typing import Any

from app.bots.view.seat_view import SeatReader, View


def is_certainly_not_lowest(seat: SeatReader, view: View) -> bool:
    """Return whether somebody is known to hold a lower card than the seat's only card, and can't get rid of it.

    That is a player whose turn is over. A bot then keeps its card, which can't lose.
    """
    acted = {*seat.table.get("acted", ()), *seat.table.get("silent", ())}
    return any(
        len(seat.cards) == 1 and who in acted and seat.worth(card) < seat.worth(seat.cards[0])
        for who, card in known_cards_of_others(seat.name, view).items()
    )


def known_cards_of_others(own_name: str, view: View) -> dict[str, str]:
    """Return the cards that other players are known to hold, by player: cards shown, and own cards swapped to them.

    Follows swapped cards from player to player. For games with one card each.
    """
    dealt: str = view.get("dealt", "")
    found = dict[str, str]()
    for event in view.get("told", ()):
        match event["e"]:
            case "swapped":
                one, other = event["by"], event["to"]
                before = found.pop(one, None), found.pop(other, None)
                if own_name in (one, other):
                    found[other if one == own_name else one] = dealt
                else:
                    found |= without_unknown({other: before[0], one: before[1]})
            case "got":
                dealt = event["cards"]
            case "drew_from_stock":
                found.pop(event["by"], None)
            case _:
                pass
    shown: Mapping[str, Any] = (view["table"] or {}).get("shown", {})
    return found | {name: card for name, card in shown.items() if name != own_name}


def without_unknown(cards: Mapping[str, str | None]) -> dict[str, str]:
    """Return the known cards by player, without players whose card is unknown (None)."""
    return {name: card for name, card in cards.items() if card is not None}
