"""What must hold of a whole match: saved and loaded, or replayed from its record, it comes to the same."""

import json
from collections.abc import Mapping
from typing import Any

from app.engine.cards.action_codec import parse_action
from app.engine.games import GAMES
from app.engine.match import record, views
from app.engine.match.hand import Deal
from app.engine.match.match import Match

from .errors import Broken
from .ledgers import check_books
from .playout import Playout


def check_match(playout: Playout, hands: int) -> None:
    """Play so many hands, or until the match is over, with every check; `Broken` if one fails."""
    for _ in range(hands):
        if playout.match.over:
            break
        playout.hand()
        check_saved(playout)
        check_books(playout.match, playout.entered, playout.results())
    check_replay(playout)


def check_saved(playout: Playout) -> None:
    """`Broken` unless the last hand, played once more from what is saved before and after it, is the same."""
    kept = _kept(playout.match.save())
    if Match.load(kept, _games(playout)).save() != kept:
        raise Broken("a match changes by being saved and loaded")
    element = playout.elements[-1]
    step = Match.load(_kept(playout.before.save()), _games(playout)).begin(Deal.from_json(element))
    told = [*step.events]
    for asked in element["actions"]:
        step = step.match.act(asked["by"], parse_action(_kept(asked)))
        told += step.events
    if told != playout.told:
        raise Broken("a hand tells something else when it is played once more from what was saved")
    if step.match.save() != playout.match.save() or views.table(step.match) != views.table(playout.match):
        raise Broken("a hand comes to something else when it is played once more from what was saved")


def check_replay(playout: Playout) -> None:
    """`Broken` unless replaying the record gives what was played."""
    out = record.replay(_kept(playout.record()), _games(playout))
    if not out["ok"]:
        raise Broken(f"the replay refuses what was played: {out['error']}")
    if out["totals"] != dict(playout.match.totals) or out["match_over"] != playout.match.over:
        raise Broken(f"the replay ends differently: {out['totals']}, {dict(playout.match.totals)}")
    if out["hands"] != [result.to_json() for result in playout.results()]:
        raise Broken("the replay tells of a hand what it did not come to")
    if out["state"] != record.state(playout.match):
        raise Broken("the replay ends in another position")


def _games(playout: Playout) -> Mapping[str, Any]:
    return GAMES | {playout.match.game.key: playout.match.game}


def _kept(value: Any) -> Any:
    """What comes back of JSON that was kept."""
    return json.loads(json.dumps(value))
