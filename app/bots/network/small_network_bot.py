"""A bot that has learnt: a small network says what each action is worth, by what the seat sees and has been told.

What is no play, pass or gift it leaves to the greedy bot. How the network was made: docs/bots.md.
"""

import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import itemgetter

from app.bots.network.features import FEATURES, VERSION, Glimpse
from app.bots.network.one_layer import Net, net_of
from app.bots.simple import greedy
from app.bots.view import known_cards
from app.bots.view.card_order import rules_of
from app.bots.view.seat_view import Action, SeatReader, View, cards_in

MOST = 18
"""Actions that are weighed."""
DOUBT = 0.04
"""By so much more than of what rules of thumb say the network has to think of something else. Where it knows little, as
of switches that it has seldom met, it thinks nearly the same of everything."""
_MOVES = frozenset(("play", "give"))
_PLAIN = 2
"""So much an action says that has no particulars: what is done, and with which cards."""

Valued = Callable[[Glimpse, Sequence[Action]], Action]


def choose(view: View, rng: random.Random) -> Action:
    """Choose what to do now."""

    net = network(view["room"].get("game", ""))

    def among(seen: Glimpse, actions: Sequence[Action]) -> Action:
        return greedy.choose(view, rng) if net is None else best(net, seen, actions)[0]

    return chosen(view, rng, among, FEATURES if net is None else net.features)


def chosen(view: View, rng: random.Random, among: Valued, features: int = FEATURES) -> Action:
    """What a function chooses that is asked where there is a choice of plays or gifts, and the greedy bot elsewhere.
    `features`: how many it goes by."""
    seat, rules = SeatReader(view), rules_of(view["room"])
    if rules is None or not understands(seat):
        return next(iter(seat.doing("keep") if known_cards.is_safe(seat, view) else ()), None) or greedy.choose(
            view, rng
        )
    actions = weighed(seat)
    if len(actions) == 1:
        return actions[0]
    return among(Glimpse(seat, view["told"], rules, features), actions)


def best(net: Net, seen: Glimpse, actions: Sequence[Action]) -> tuple[Action, float]:
    """Who can play what nobody beats, and the rest of the cards next, does; else it is the action that the network
    thinks most of, and what rules of thumb say where it is in doubt. With it, what the network thinks of it."""
    worths = values(net, seen, actions)
    by_worth = sorted(zip(actions, worths, strict=True), key=itemgetter(1), reverse=True)
    return next((one for one in by_worth if seen.is_sure(one[0])), by_worth[0])


def values(net: Net, seen: Glimpse, actions: Sequence[Action]) -> list[float]:
    """What the network thinks of each, and a little more of what rules of thumb say."""
    moment, plain = net.at(seen.moment), greedy.thumb(seen.seat, actions)
    return [net.value(moment, *seen.of(action)) + DOUBT * (action is plain) for action in actions]


def weighed(seat: SeatReader) -> list[Action]:
    """The actions that are worth a thought. Who can go out does; a finish that is a foul comes last of all. Of plays of
    the same ranks these are the first and, where suits count, the last; of more than `MOST`, evenly spread ones."""
    plays = [
        (action["cards"][::3] if "cards" in action else _ranks(action), action)
        for action in seat.legal
        if action["do"] in _MOVES
    ]
    many = len(seat.cards)
    out = [action for ranks, action in plays if len(ranks) == many]
    if out and not seat.you.get("foul"):
        return out[:1]
    if out:
        plays = [play for play in plays if play[1] not in out]
    lowest, highest, suited = dict[object, Action](), dict[object, Action](), "suits" in seat.table
    in_order = {ranks: "".join(sorted(ranks)) for ranks in {ranks for ranks, _ in plays}}
    for ranks, action in plays:
        alike: object = in_order[ranks]
        # What says nothing besides what is done and with which cards has no particulars.
        if len(action) > _PLAIN or "cards" not in action:
            alike = (alike, action.get("as"), action.get("call"), _shares(action))
        if alike not in lowest:
            lowest[alike] = action
        elif suited:
            highest[alike] = action
    some = [*lowest.values(), *highest.values()]
    some = some[:: len(some) // MOST + 1]
    return seat.doing("pass") + some or list(seat.legal)


def _ranks(action: Action) -> str:
    """The rank of each card that an action names."""
    return "".join([card[0] for card in cards_in(action)])


def _shares(action: Action) -> tuple[tuple[str, str], ...]:
    """Who gets which ranks, where several get some."""
    to = action.get("to")
    return tuple([(name, cards[::3]) for name, cards in to.items()]) if isinstance(to, dict) else ()


def understands(seat: SeatReader) -> bool:
    """Whether all that may be done is to play and pass, or to give."""
    kinds = {action["do"] for action in seat.legal}
    return not seat.table.get("choice") and (kinds <= {"play", "pass"} or kinds == {"give"})


@lru_cache(16)
def network(game: str) -> Net | None:
    """What was learnt of a game, with the features there are now; None if nothing was."""
    net = net_of(game)
    return net if net is not None and net.version == VERSION else None
