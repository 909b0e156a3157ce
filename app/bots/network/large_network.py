"""The hard bot's large network, with a feature for every card: values of all legal plays and of passing."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from app.bots.network.card_features import VERSION, CardFeatures
from app.bots.network.two_layers import TwoLayerNetwork, load_network
from app.bots.view.card_order import RuleSet
from app.bots.view.combinations import CombinationTable, build_combination_table
from app.bots.view.seat_view import SeatReader

_MOVES = frozenset(("play", "pass"))


def action_values(seat: SeatReader, events: Sequence[Mapping[str, Any]], rules: RuleSet) -> list[float] | None:
    """Return the large network's value of each legal action of a seat, in their order: higher is better.

    `events` are the events that the seat was told in this hand. None if the game has no such network, a table of
    combinations does not suit the rules, or the seat may do more than play or pass.
    """
    net = load_current_network(rules.game.key)
    if net is None or not {action["do"] for action in seat.legal} <= _MOVES:
        return None
    pack = _cached_combination_table(rules, len(seat.table["players"]))
    if pack is None:
        return None
    seen = CardFeatures(seat, events, pack)
    table_sums = net.accumulate(seen.table_features)
    return [net.value_with_features(table_sums, seen.action_features(action)) for action in seat.legal]


@lru_cache(4)
def load_current_network(game: str) -> TwoLayerNetwork | None:
    """Load a game's large network from its file; None if it is missing or was trained with other features. Cached."""
    net = load_network(game)
    return net if net is not None and net.version == VERSION else None


@lru_cache(8)
def _cached_combination_table(rules: RuleSet, players: int) -> CombinationTable | None:
    return build_combination_table(rules, players)
