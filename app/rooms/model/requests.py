"""What a message answers. A late message must not count for a later turn, deal or vote, so each says what it is for.

An action carries the number of the request that its player was shown, `start` and `next` the commitment of the deal
that they ask for, a vote the id of its question. A message whose subject is over is refused with `too_late`.
"""

from collections.abc import Mapping

from msgspec import Struct

from app.engine.cards.action_codec import TALK
from app.engine.cards.actions import Action
from app.engine.match.match import Match


class Requests(Struct, frozen=True):
    """The requests of a running hand. Their numbers are those of `Room.turn`, so none is ever used twice."""

    seats: Mapping[str, int] = {}
    """By name, for each seat whose action is awaited or that has acted since the last play."""
    play: int = 0
    """The last play, or the deal before the first one: whoever plays out of turn answers this."""

    def of(self, name: str) -> int:
        """Return what this seat would answer with an action now."""
        return self.seats.get(name, self.play)


NO_REQUESTS = Requests()


def of_new_hand(match: Match, number: int) -> Requests:
    """Ask all whose action is awaited: after a deal, and after an action was taken back."""
    return Requests(dict.fromkeys(match.to_act, number), number)


def after_action(requests: Requests, before: Match, match: Match, by: str, action: Action, number: int) -> Requests:
    """Return the requests after an action.

    A seat keeps its request while it is awaited for the same thing: others may give their cards, talk or decree. It
    gets a new one when it has acted itself, and when the phase or the play to answer has changed.
    """
    if not match.running:
        return NO_REQUESTS
    play = requests.play if _same_play(before, match) else number
    if play == number or before.phase != match.phase:
        return Requests(dict.fromkeys(match.to_act, number), play)
    asked = [name for name in match.to_act if name not in before.to_act]
    if type(action) not in TALK:
        asked.append(by)
    return Requests({**requests.seats, **dict.fromkeys(asked, number)}, play)


def _same_play(before: Match, match: Match) -> bool:
    return match.game.last_play(before.the_hand) is match.game.last_play(match.the_hand)
