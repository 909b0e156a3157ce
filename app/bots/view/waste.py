"""Leave out actions that even a beginner would call a waste, so that no bot considers them."""

from collections.abc import Callable, Sequence

from app.bots.view.seat_view import Action, SeatReader, cards_of_action

EARLY = 9
"""Number of cards from which on a player still needs jokers and bombs later."""
FEW = 4
"""Number of cards up to which any lead may be the best, because the end is near."""

MANY_ALIKE, CHEAPEST = 9, 3
"""Of more than 9 plays that differ only in loose cards, the 3 cheapest are kept."""


def without_waste(seat: SeatReader, actions: Sequence[Action]) -> list[Action]:
    """Return the actions without those that waste strong cards. At least one play is always left.

    Early in a hand, leave out plays with a joker, and four of a kind if three of a kind beats the trick. While an
    opponent has one card, leave out leads of a single card. Of many plays of triples that differ only in their loose
    cards, keep the cheapest.
    """
    actions = _with_cheap_loose_cards(seat, actions)
    if len(seat.cards) >= EARLY:
        actions = _unless_only(actions, _has_joker)
        if not seat.is_leading and any(_is_same_rank(action, 3) for action in actions):
            actions = _unless_only(actions, lambda action: _is_same_rank(action, 4))
    if seat.is_leading and len(seat.cards) >= FEW and seat.fewest_cards_of_opponents() == 1:
        actions = _unless_only(actions, lambda action: len(cards_of_action(action)) == 1)
    return list(actions)


def _unless_only(actions: Sequence[Action], is_waste: Callable[[Action], bool]) -> Sequence[Action]:
    useful = [action for action in actions if action["do"] != "play" or not is_waste(action)]
    return useful or actions


def _with_cheap_loose_cards(seat: SeatReader, actions: Sequence[Action]) -> Sequence[Action]:
    alike: dict[tuple[str, int], list[Action]] = {}
    for action in actions:
        ranks = [card[0] for card in cards_of_action(action)]
        triples = "".join(sorted(rank for rank in {*ranks} if ranks.count(rank) > 2))
        if triples and len(triples) < len({*ranks}):
            alike.setdefault((triples, len(ranks)), []).append(action)
    dear = {
        id(action)
        for some in alike.values()
        if len(some) > MANY_ALIKE
        for action in sorted(some, key=lambda action: _loose_cost(seat, action))[CHEAPEST:]
    }
    return [action for action in actions if id(action) not in dear] if dear else actions


def _loose_cost(seat: SeatReader, action: Action) -> float:
    """Return the cost of the cards of a play: low cards are cheap, and breaking up a set costs more."""
    ranks = [card[0] for card in cards_of_action(action)]
    torn = sum(seat.cards_per_rank[rank] > ranks.count(rank) for rank in {*ranks})
    return sum(seat.worth(rank) for rank in ranks) + 2 * torn


def _has_joker(action: Action) -> bool:
    return any(card.startswith("X") for card in cards_of_action(action))


def _is_same_rank(action: Action, count: int) -> bool:
    cards = cards_of_action(action)
    return len(cards) == count and len({card[0] for card in cards}) == 1
