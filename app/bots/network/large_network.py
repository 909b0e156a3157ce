"""What the hard bot has learnt of a game in which every card counts: a wide network, asked of all that may be done."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from app.bots.network.card_features import VERSION, Survey
from app.bots.network.two_layers import Deep, deep_of
from app.bots.view.card_order import RulesInForce
from app.bots.view.combinations import Pack, pack_of
from app.bots.view.seat_view import SeatReader

_MOVES = frozenset(("play", "pass"))


def values(seat: SeatReader, told: Sequence[Mapping[str, Any]], rules: RulesInForce) -> list[float] | None:
    """What each legal action is worth: higher is better. None where nothing was learnt of such a turn."""
    net = network(rules.game.key)
    if net is None or not {action["do"] for action in seat.legal} <= _MOVES:
        return None
    pack = _pack(rules, len(seat.table["players"]))
    if pack is None:
        return None
    seen = Survey(seat, told, pack)
    moment = net.at(seen.moment)
    return [net.value(moment, seen.of(action)) for action in seat.legal]


@lru_cache(4)
def network(game: str) -> Deep | None:
    """What was learnt of a game, with the features there are now; None if nothing was."""
    net = deep_of(game)
    return net if net is not None and net.version == VERSION else None


@lru_cache(8)
def _pack(rules: RulesInForce, players: int) -> Pack | None:
    return pack_of(rules, players)
