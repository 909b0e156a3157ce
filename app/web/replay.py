"""The past as the pages show it: lists of matches, one match, and one hand step by step.

A hand's frames are made by the fold of records: the match as it was before the hand, then each action. Should a rule
have been corrected since, so that an old action is no longer legal, the frames go on from what was written down then:
the events as they happened, and the cards that were played.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from app.engine import views
from app.engine.actions import Action, cards_of, parse_action
from app.engine.cards import parse_cards, show
from app.engine.events import Event
from app.engine.games import GAMES
from app.engine.match import Match
from app.engine.record import Illegal, Unusable, fold
from app.engine.record import opened as opened_record
from app.store.history import HandLine, MatchLine
from app.web import errors
from app.web.people import Person
from app.web.site import Site

PAGE = 20
MOST_FRAMES = 1500
"""Steps of one hand that are shown: of a longer one the first, and the end."""
REMEMBERED = 50
"""Places in matches where somebody may go on looking."""


async def my_matches(site: Site, person: Person | None, before: str | None = None) -> dict[str, Any]:
    """Somebody's matches, newest first."""
    if person is None:
        return {"matches": [], "next": None}
    page = await site.store.history.matches_of(person.id, limit=PAGE, before=before)
    return {"matches": [_match_line(line) for line in page.matches], "next": page.next}


async def match(site: Site, match_id: str, person: Person | None = None) -> dict[str, Any]:
    """A match with its table of hands."""
    found = await site.store.history.match(match_id, person_id=None if person is None else person.id)
    if found is None:
        raise _no_match(site)
    return {"match": _match_line(found.match), "hands": await asyncio.to_thread(_hand_lines, found.hands)}


async def record(site: Site, match_id: str) -> dict[str, Any]:
    """A match as a record file."""
    found = await site.store.history.record(match_id)
    if found is None:
        raise _no_match(site)
    return found


async def frames(site: Site, match_id: str, number: int) -> dict[str, Any]:
    """One finished hand, step by step."""
    kept, found = await asyncio.gather(site.store.history.record(match_id), site.store.history.hand(match_id, number))
    if kept is None or found is None:
        raise _no_match(site)
    # Who looks at one hand looks at the next: it begins where this one ended. Else where an earlier one did.
    first = max((n for of, n in site.looked_at if of == match_id and n <= number), default=0)
    start = site.looked_at.get((match_id, first))
    # The engine is fast, but a long match is a hundred milliseconds of it: not on the loop that serves the rooms.
    made, after = await asyncio.to_thread(_frames, kept, found.events, number, start, first)
    if after is not None:
        site.looked_at.pop((match_id, number + 1), None)
        site.looked_at[match_id, number + 1] = after
        while len(site.looked_at) > REMEMBERED:
            del site.looked_at[next(iter(site.looked_at))]
    return {"match": match_id, "number": number, "result": found.result, "fair": found.record.get("fair"), **made}


def _frames(
    kept: dict[str, Any], happened: list[dict[str, Any]], number: int, start: Match | None, first: int
) -> tuple[dict[str, Any], Match | None]:
    """The frames of a hand, and the match after it; `start` is the match before hand `first`, if that is known."""
    record = kept["hands"][number]
    frames: list[dict[str, Any]] = []
    last, place = len(record["actions"]) - 1, 0
    try:
        opened, hands = opened_record(kept, GAMES)
        state = opened if start is None else start
        for moment in fold(state, hands[: number + 1], 0 if start is None else first):
            state = moment.step.match
            if moment.hand < number or moment.between:
                continue
            if moment.place is None:
                frames.append(_frame(None, None, state, moment.step.events))
                continue
            place = moment.place + 1
            if len(frames) < MOST_FRAMES - 1 or moment.place == last:
                frames.append(_frame(moment.by, record["actions"][moment.place], state, moment.step.events))
    except (Illegal, Unusable):
        table, cards = (frames[-1]["table"], frames[-1]["cards"]) if frames else (None, dict(record["cards"]))
        rest = _from_events(table, record, happened, place, cards)
        return {"frames": _shortened([*frames, *rest]), "corrected": True}, None
    return {"frames": frames, "corrected": False}, state


def _shortened(frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return frames if len(frames) <= MOST_FRAMES else [*frames[: MOST_FRAMES - 1], frames[-1]]


def _frame(by: str | None, action: dict[str, Any] | None, state: Match, events: tuple[Event, ...]) -> dict[str, Any]:
    return {
        "by": by,
        "action": action,
        # A hand that is over hides nothing: what only some were told stands here too.
        "events": [event.to_json() for event in events],
        "table": views.table(state),
        "cards": {name: show(cards) for name, cards in state.hand.cards.items()},
    }


def _from_events(
    table: dict[str, Any] | None,
    record: dict[str, Any],
    happened: list[dict[str, Any]],
    start: int,
    cards: dict[str, str],
) -> list[dict[str, Any]]:
    """What was written down then, without asking the rules of today."""
    held = {name: list(parse_cards(text)) for name, text in cards.items()}
    frames: list[dict[str, Any]] = []
    if start == 0 and table is None:
        frames.append({"by": None, "action": None, "events": _at(happened, 0), "table": None, "cards": dict(cards)})
    for place, made in enumerate(record["actions"][start:], start + 1):
        action: Action = parse_action(made)
        for card in cards_of(action):
            if card in held.get(made["by"], ()):
                held[made["by"]].remove(card)
        shown = {name: show(each) for name, each in held.items()}
        frames.append(
            {"by": made["by"], "action": made, "events": _at(happened, place), "table": table, "cards": shown}
        )
    return frames


def _at(happened: list[dict[str, Any]], place: int) -> list[dict[str, Any]]:
    """The public events of one step; each carries the number of its action."""
    return [{key: value for key, value in event.items() if key != "n"} for event in happened if event.get("n") == place]


def _match_line(line: MatchLine) -> dict[str, Any]:
    game = GAMES.get(line.game)
    return {
        "id": line.id,
        "room": line.room,
        "game": line.game,
        "game_name": line.game if game is None else game.name,
        "options": line.options,
        "started": _ms(line.started_at),
        "ended": None if line.ended_at is None else _ms(line.ended_at),
        "hands": line.hands,
        "players": [asdict(player) for player in line.players],
        "winners": list(line.winners),
    }


def _hand_lines(lines: Iterable[HandLine]) -> list[dict[str, Any]]:
    return [{**asdict(line), "ended_at": _ms(line.ended_at)} for line in lines]


def _ms(at: Any) -> int:
    return int(at.timestamp() * 1000)


def _no_match(site: Site) -> errors.Refusal:
    return errors.not_found(site.said("error.no_match"))
