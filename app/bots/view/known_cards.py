"""What a seat knows for certain where cards are swapped unseen: who has its former card, and who has shown theirs."""

from collections.abc import Mapping
from typing import Any

from app.bots.view.seat_view import SeatReader, View


def is_safe(seat: SeatReader, view: View) -> bool:
    """Whether somebody who has no turn any more is known to hold a lower card than one's own."""
    acted = {*seat.table.get("acted", ()), *seat.table.get("silent", ())}
    return any(
        len(seat.cards) == 1 and who in acted and seat.worth(card) < seat.worth(seat.cards[0])
        for who, card in known(seat.name, view).items()
    )


def known(me: str, view: View) -> dict[str, str]:
    """The cards that others are known to hold, by name: those that lie open, and those that one gave them in a swap."""
    mine: str = view.get("dealt", "")
    found = dict[str, str]()
    for event in view.get("told", ()):
        match event["e"]:
            case "swapped":
                one, other = event["by"], event["to"]
                before = found.pop(one, None), found.pop(other, None)
                if me in (one, other):
                    found[other if one == me else one] = mine
                else:
                    found |= _those({other: before[0], one: before[1]})
            case "got":
                mine = event["cards"]
            case "drew_from_stock":
                found.pop(event["by"], None)
            case _:
                pass
    shown: Mapping[str, Any] = (view["table"] or {}).get("shown", {})
    return found | {name: card for name, card in shown.items() if name != me}


def _those(cards: Mapping[str, str | None]) -> dict[str, str]:
    return {name: card for name, card in cards.items() if card is not None}
