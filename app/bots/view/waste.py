"""Leave out actions that even a beginner would call a waste, so that no bot considers them."""

from collections.abc import Callable, Sequence

from app.bots.view.seat_view import Action, SeatReader, cards_of_action

EARLY = 9
"""Number of cards from which on a player still needs jokers and bombs later."""
FEW = 4
"""Number of cards up to which any lead may be the best, because the end is near."""


def without_waste(seat: SeatReader, actions: Sequence[Action]) -> list[Action]:
    """Return the actions without those that waste strong cards. At least one play is always left.

    Early in a hand, leave out plays with a joker, and four of a kind if three of a kind beats the trick. While an
    opponent has one card, leave out leads of a single card.
    """
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


def _has_joker(action: Action) -> bool:
    return any(card.startswith("X") for card in cards_of_action(action))


def _is_same_rank(action: Action, count: int) -> bool:
    cards = cards_of_action(action)
    return len(cards) == count and len({card[0] for card in cards}) == 1
