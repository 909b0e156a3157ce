"""What one seat, or a watcher, may see. The only place that decides it, by listing what may be seen.

`table` is for everybody, `seat` for one player. Neither is made by taking things away from a whole state: what a
game wants shown it lists in `Game.table` and `Game.own`. The proof is in app/soak/leaks.py: exchange cards that a
viewer can't know, and every byte stays the same.
"""

from collections.abc import Iterable
from itertools import islice
from typing import Any

from .actions import Action, action_json
from .cards import show
from .errors import RuleError
from .events import Event
from .hands import places_json
from .match import Match

LEGAL_LIMIT = 300
"""Legal actions listed for a seat; `more` says that there are others, which the client asks about by selecting."""


def table(match: Match) -> dict[str, Any]:
    """All that everybody may know of the match: JSON-ready, whole.

    Keys: `game`, `number` (of the hand, from 1), `phase`, `seats` (clockwise), `dealer`, `to_act`, `players` (by name:
    `cards` as a count, `title`, `place` in the hierarchy, `total`), `standing` so far, `last` (how the last hand
    ended), `over`, `winners`, `decrees` (by name, what each may still obey or defy) and what the game lists
    (climbing games: `trick`, `last_trick`, `direction`, `inverted`, `exchange` …).
    """
    hand = match.hand
    seats = match.seats if hand is None else hand.seats
    titles = match.game.titles(match)
    places = {name: place for place, name in enumerate(match.hierarchy, 1)}
    out: dict[str, Any] = {
        "game": match.game.key,
        "number": match.dealt,
        "phase": match.phase,
        "seats": list(seats),
        "dealer": match.dealer,
        "to_act": list(match.to_act),
        "players": {
            name: {
                "cards": len(hand.cards.get(name, ())) if hand is not None else 0,
                "title": titles.get(name),
                "place": places.get(name),
                "total": match.totals.get(name, 0),
                **match.game.at_seat(match, hand, name),
            }
            for name in seats
        },
        "standing": places_json(match.standing()),
        "last": None if match.last is None else last(match),
        "over": match.over,
        "winners": list(match.winners()),
        "decree_waits": sorted(match.decreed()),
        "decrees": match.decreed(),
    }
    out.update(match.game.face(match, hand))
    out.update(match.game.lasting(match) if hand is None else match.game.table(hand))
    return out


def last(match: Match) -> dict[str, Any]:
    """How the last finished hand ended, with the totals after it."""
    result = match.last
    assert result is not None
    return {**result.to_json(), "totals": dict(match.totals), "next_seats": list(match.seats)}


def seat(match: Match, player: str) -> dict[str, Any]:
    """What only this player may know: `cards`, `legal` (at most `LEGAL_LIMIT`, `more` if there are others), `may`
    (what it may do besides, at its own time), `subjects` (whom it may give orders, `decree` if there are any), and the
    game's own."""
    hand = match.hand
    out: dict[str, Any] = {"name": player, "cards": "", "legal": [], "more": False}
    out["subjects"] = list(match.subjects(player))
    out["decree"] = bool(out["subjects"])
    out["may"] = [action_json(action) for action in match.game.unlisted(match) if _possible(match, player, action)]
    if hand is None or player not in hand.seats:
        return out
    own = match.game.own(hand, player)
    out["cards"] = show(hand.cards.get(player, ()))
    actions = [action for _, action in islice(match.legal(player), LEGAL_LIMIT + 1)]
    out["more"] = len(actions) > LEGAL_LIMIT
    out["legal"] = [action_json(action) for action in actions[:LEGAL_LIMIT]]
    out.update(own)
    return out


def _possible(match: Match, player: str, action: Action) -> bool:
    """Whether this may be done now. States are values, so trying it is asking."""
    if match.over:
        return False
    try:
        (match.act if match.running else match.between)(player, action)
    except RuleError:
        return False
    return True


def events_for(events: Iterable[Event], viewer: str | None) -> list[dict[str, Any]]:
    """The events that a viewer may know (None: a watcher), as JSON. Public ones come for everybody alike."""
    return [event.to_json() for event in events if event.to is None or (viewer is not None and viewer in event.to)]
