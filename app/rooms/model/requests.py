"""Request numbers, which tell what a player's action answers. A late message must not count for a later turn.

An action carries the number of the request that its player was shown. `start` and `next` carry the commitment of a
deal, a vote carries the id of its question. A message whose subject is over is refused with `too_late`.
"""

from collections.abc import Mapping

from msgspec import Struct

from app.engine.cards.action_codec import REPEATABLE_ACTIONS
from app.engine.cards.actions import Action
from app.engine.match.match import Match


class ActionRequests(Struct, frozen=True):
    """The open requests of a running hand. Their numbers come from `Room.turn`, so each is used once."""

    seats: Mapping[str, int] = {}
    """Request numbers by name, for seats that are awaited or have acted since the last play."""
    play: int = 0
    """The request number of the last play, or of the deal. Plays out of turn answer it."""

    def request_number_of(self, name: str) -> int:
        """Return the number of the request that this seat would answer with an action now."""
        return self.seats.get(name, self.play)


NO_REQUESTS = ActionRequests()


def request_all_awaited(match: Match, request_number: int) -> ActionRequests:
    """Return a new request for all awaited seats: used after a deal and after an undo."""
    return ActionRequests(dict.fromkeys(match.to_act, request_number), request_number)


def requests_after_action(
    requests: ActionRequests, before: Match, match: Match, by: str, action: Action, request_number: int
) -> ActionRequests:
    """Return the requests after an action.

    A seat keeps its request while it is awaited for the same thing: others may give their cards, talk or decree. It
    gets a new one when it has acted itself, and when the phase or the play to answer has changed.
    """
    if not match.is_hand_running:
        return NO_REQUESTS
    play = requests.play if _is_same_play(before, match) else request_number
    if play == request_number or before.phase != match.phase:
        return ActionRequests(dict.fromkeys(match.to_act, request_number), play)
    asked = [name for name in match.to_act if name not in before.to_act]
    if type(action) not in REPEATABLE_ACTIONS:
        asked.append(by)
    return ActionRequests({**requests.seats, **dict.fromkeys(asked, request_number)}, play)


def _is_same_play(before: Match, match: Match) -> bool:
    return match.game.last_play(before.current_hand) is match.game.last_play(match.current_hand)
