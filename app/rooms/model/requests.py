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
    """The request numbers of a running hand, which players' actions must name so that late ones are refused.

    The numbers come from `Room.turn`, so no number is used for two requests.
    """

    seats: Mapping[str, int] = {}
    """Request numbers by name, for seats that are awaited or have acted since the last play."""
    play: int = 0
    """The request number of the last play, or of the deal. Plays out of turn answer it."""

    def request_number_of(self, name: str) -> int:
        """Return the request number that this player's action must carry now, so that it is not refused as too late.

        Players who are not awaited use the number of the last play.
        """
        return self.seats.get(name, self.play)


NO_REQUESTS = ActionRequests()


def request_all_awaited(match: Match, request_number: int) -> ActionRequests:
    """Return requests that give all awaited players this new number: used after a deal and after an undo."""
    return ActionRequests(dict.fromkeys(match.to_act, request_number), request_number)


def requests_after_action(
    requests: ActionRequests, before: Match, match: Match, by: str, action: Action, request_number: int
) -> ActionRequests:
    """Return the open requests after an action of player `by`; a new request gets number `request_number`.

    A player keeps their request while the same thing is awaited: others may give their cards, talk or decree. New
    requests follow the player's own action, and a new phase or play.
    """
    if not match.is_hand_running:
        return NO_REQUESTS
    play = requests.play if _is_same_play(before, match) else request_number
    if play == request_number or before.phase != match.phase:
        return ActionRequests(dict.fromkeys(match.to_act, request_number), play)
    added = [name for name in match.to_act if name not in before.to_act]
    if type(action) not in REPEATABLE_ACTIONS:
        added.append(by)
    return ActionRequests({**requests.seats, **dict.fromkeys(added, request_number)}, play)


def _is_same_play(before: Match, match: Match) -> bool:
    return match.game.last_play(before.current_hand) is match.game.last_play(match.current_hand)
