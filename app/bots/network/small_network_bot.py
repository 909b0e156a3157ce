"""The medium bot: a small neural network values each action, from the seat's view and the events it was told.

Decisions other than play, pass and give are left to the easy bot. How the network was trained: docs/bots.md.
"""

import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import itemgetter

from app.bots.network.features import FEATURES, VERSION, FeatureState
from app.bots.network.one_layer import OneLayerNetwork, load_network
from app.bots.simple import easy_bot
from app.bots.view import known_cards
from app.bots.view.card_order import rule_set_of
from app.bots.view.seat_view import Action, SeatReader, View, cards_of_action
from app.bots.view.waste import without_waste

MOST = 18
"""Largest number of plays or gives that the network values at a turn; larger lists are thinned out evenly."""
DOUBT = 0.04
"""Bonus for the easy bot's choice: another action must have a value higher by this amount.

Under options that were rare in training, the network's values are nearly equal for all actions.
"""
_MOVES = frozenset(("play", "give"))
_PLAIN = 2
"""Number of fields of an action that only has `do` and `cards`."""

ChooseAmong = Callable[[FeatureState, Sequence[Action]], Action]


def choose(view: View, rng: random.Random) -> Action:
    """Choose the medium bot's action: at plays, passes and gifts a sure win, else what the small network rates best.

    The easy bot chooses at other turns, and in games without a network.
    """
    net = load_current_network(view["room"].get("game", ""))

    def among(seen: FeatureState, actions: Sequence[Action]) -> Action:
        return easy_bot.choose(view, rng) if net is None else best_action(net, seen, actions)[0]

    return choose_with(view, rng, among, FEATURES if net is None else net.features)


def choose_with(view: View, rng: random.Random, choose_among: ChooseAmong, features: int = FEATURES) -> Action:
    """Choose an action with `choose_among` if there are several plays, passes or gives worth considering.

    A single candidate is returned without asking. At other turns the easy bot chooses, but a card that is certainly not
    the lowest is kept. `features`: number of features that `choose_among` uses.
    """
    seat, rules = SeatReader(view), rule_set_of(view["room"])
    if rules is None or not can_evaluate(seat):
        return next(
            iter(seat.legal_actions_of_kind("keep") if known_cards.is_certainly_not_lowest(seat, view) else ()), None
        ) or easy_bot.choose(view, rng)
    actions = candidate_actions(seat)
    if len(actions) == 1:
        return actions[0]
    return choose_among(FeatureState(seat, view["told"], rules, features), actions)


def best_action(net: OneLayerNetwork, seen: FeatureState, actions: Sequence[Action]) -> tuple[Action, float]:
    """Return the medium bot's choice among actions, and its value.

    `net` is the network, and `seen` the features of the seat's turn. The choice is a sure win if there is one, else the
    action with the highest value. A sure win is a play that no like combination beats, after which the remaining cards
    go out in one turn. Values include the bonus for the easy bot's choice (`DOUBT`).
    """
    worths = action_values(net, seen, actions)
    by_worth = sorted(zip(actions, worths, strict=True), key=itemgetter(1), reverse=True)
    return next((one for one in by_worth if seen.is_sure_to_win(one[0])), by_worth[0])


def action_values(net: OneLayerNetwork, seen: FeatureState, actions: Sequence[Action]) -> list[float]:
    """Return the small network's value of each action, in their order: higher is better.

    `seen` has the features of the seat's turn. The easy bot's choice gets a bonus (`DOUBT`), so that small differences
    do not override it.
    """
    table_sums, plain = net.accumulate(seen.table_features), easy_bot.best_by_rules_of_thumb(seen.seat, actions)
    return [
        net.value_after_changes(table_sums, *seen.feature_changes(action)) + DOUBT * (action is plain)
        for action in actions
    ]


def candidate_actions(seat: SeatReader) -> list[Action]:
    """Return the legal actions that are worth evaluating.

    If the player can go out without a foul, that is the only candidate. Going out by a foul is left out if there is
    another action. Of actions with the same ranks, the first is kept and, where suits count, also the last. So is one
    of the suits on the table, unless suits have an order. If more than `MOST` plays or gives are left, evenly spaced
    ones are kept. Wasteful plays are left out (view/waste.py).
    """
    plays = [
        (action["cards"][::3] if "cards" in action else _ranks_of_action(action), action)
        for action in seat.legal
        if action["do"] in _MOVES
    ]
    many = len(seat.cards)
    out = [action for ranks, action in plays if len(ranks) == many]
    if out and not seat.own_view.get("foul"):
        return out[:1]
    if out:
        plays = [play for play in plays if play[1] not in out]
    lowest, highest, suited = dict[object, Action](), dict[object, Action](), seat.suits_count
    like_table = dict[object, Action]()
    on = seat.suits_on_table() if suited and not seat.table.get("suits") else []
    in_order = {ranks: "".join(sorted(ranks)) for ranks in {ranks for ranks, _ in plays}}
    for ranks, action in plays:
        alike: object = in_order[ranks]
        # Most actions only have `do` and `cards`; skip the other fields for them, to save time.
        if len(action) > _PLAIN or "cards" not in action:
            alike = (alike, action.get("as"), action.get("call"), _ranks_by_recipient(action))
        if alike not in lowest:
            lowest[alike] = action
        elif suited:
            if on and sorted(action.get("cards", "")[1::3]) == on:
                like_table[alike] = action
            highest[alike] = action
    some = [*lowest.values(), *highest.values()]
    some += [action for action in like_table.values() if action not in some]
    some = without_waste(seat, some)
    some = some[:: len(some) // MOST + 1]
    return seat.legal_actions_of_kind("pass") + some or list(seat.legal)


def _ranks_of_action(action: Action) -> str:
    """Return the ranks of the cards that an action names, as one string: "77" for two sevens."""
    return "".join([card[0] for card in cards_of_action(action)])


def _ranks_by_recipient(action: Action) -> tuple[tuple[str, str], ...]:
    """Return the ranks given to each receiver, if an action gives cards to several players; else ().

    Actions that give equal ranks to each count as alike.
    """
    to = action.get("to")
    return tuple([(name, cards[::3]) for name, cards in to.items()]) if isinstance(to, dict) else ()


def can_evaluate(seat: SeatReader) -> bool:
    """Return whether the network can value this seat's turn: all legal actions are play or pass, or all are give.

    Choices in the middle of a trick are not.
    """
    kinds = {action["do"] for action in seat.legal}
    return not seat.table.get("choice") and (kinds <= {"play", "pass"} or kinds == {"give"})


@lru_cache(16)
def load_current_network(game: str) -> OneLayerNetwork | None:
    """Load a game's small network from its file; None if it is missing or was trained with other features. Cached."""
    net = load_network(game)
    return net if net is not None and net.version == VERSION else None
