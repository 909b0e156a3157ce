"""Check whole matches: saving and loading, or replaying the record, must give the same match."""

import json
from collections.abc import Mapping
from typing import Any

from app.engine.cards.action_codec import parse_action
from app.engine.games import GAMES
from app.engine.match import record, views
from app.engine.match.hand import Deal
from app.engine.match.match import Match

from .errors import PropertyViolation
from .ledgers import check_ledgers
from .playout import Playout


def check_match(playout: Playout, hands: int) -> None:
    """Play up to `hands` hands of a random match with all checks, fewer if the match ends earlier.

    After each hand, saving, loading and the points are checked; at the end, a replay of the match is. A failed check
    raises `PropertyViolation`, `FalseRefusal` or `ExpensiveRefusal`, which are all `AssertionError`s.
    """
    for _ in range(hands):
        if playout.match.over:
            break
        playout.play_hand()
        check_save_and_load(playout)
        check_ledgers(playout.match, playout.extra_reasons, playout.results())
    check_replay(playout)


def check_save_and_load(playout: Playout) -> None:
    """Check that the match stays the same when it is saved and loaded, and that its last hand replays from there.

    Raises `PropertyViolation` otherwise.
    """
    kept = _json_round_trip(playout.match.to_json())
    if Match.from_json(kept, _games_with_match_game(playout)).to_json() != kept:
        raise PropertyViolation("a match changes by being saved and loaded")
    element = playout.hand_records[-1]
    step = Match.from_json(
        _json_round_trip(playout.match_before_hand.to_json()), _games_with_match_game(playout)
    ).begin_hand(Deal.from_json(element))
    told = [*step.events]
    for asked in element["actions"]:
        step = step.match.apply_action(asked["by"], parse_action(_json_round_trip(asked)))
        told += step.events
    if told != playout.hand_events:
        raise PropertyViolation("a hand tells something else when it is played once more from what was saved")
    if step.match.to_json() != playout.match.to_json() or views.table_view(step.match) != views.table_view(
        playout.match
    ):
        raise PropertyViolation("a hand comes to something else when it is played once more from what was saved")


def check_replay(playout: Playout) -> None:
    """Check that replaying the match's record gives the same results and final position.

    Raises `PropertyViolation` otherwise.
    """
    out = record.replay_record(_json_round_trip(playout.record()), _games_with_match_game(playout))
    if not out["ok"]:
        raise PropertyViolation(f"the replay refuses what was played: {out['error']}")
    if out["totals"] != dict(playout.match.totals) or out["match_over"] != playout.match.over:
        raise PropertyViolation(f"the replay ends differently: {out['totals']}, {dict(playout.match.totals)}")
    if out["hands"] != [result.to_json() for result in playout.results()]:
        raise PropertyViolation("the replay tells of a hand what it did not come to")
    if out["state"] != record.position_to_json(playout.match):
        raise PropertyViolation("the replay ends in another position")


def _games_with_match_game(playout: Playout) -> Mapping[str, Any]:
    return GAMES | {playout.match.game.key: playout.match.game}


def _json_round_trip(value: Any) -> Any:
    """Return a value after encoding it as JSON and decoding it, as if it had been saved."""
    return json.loads(json.dumps(value))
