"""The past as the pages show it: one match, and one hand step by step.

A hand's frames are made by the fold of records: the match as it was before the hand, then each action. Should a rule
have been corrected since, so that an old action is no longer legal, the frames go on from what was written down then:
the events as they happened, and the cards that were played.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import asdict
from typing import Annotated, Any, TypeAlias, TypedDict

from app.engine.base.messages import Sentence
from app.engine.cards.action_codec import ActionJson, parse_action
from app.engine.cards.actions import Action, cards_of
from app.engine.cards.cards import parse_cards, show
from app.engine.display.events import Event, EventJson, in_full, motions, tones
from app.engine.display.table_display import Panel
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.match import Match
from app.engine.match.record import Illegal, Unusable, fold
from app.engine.match.record import opened as opened_record
from app.rooms.model import colours
from app.rooms.model.state import milliseconds
from app.stats.highlights import highlights, spoken_of
from app.store.history.match_history import HandDetail, HandLine, MatchLine
from app.store.repositories.imported_matches import NewHand
from app.web.context.sessions import Person
from app.web.context.site import Site
from app.web.http import errors
from app.web.services import room_access

TableJson: TypeAlias = Annotated[dict[str, Any], "Table"]
"""What everybody may know of the match, as the wire has it."""
MOST_FRAMES = 1500
"""Steps of one hand that are shown: of a longer one the first, and the end."""
REMEMBERED = 400
"""Places in matches where somebody may go on looking."""
STRIDE = 10
"""Of the hands on the way to another so many are left out among those places."""


NOBODY_PLAYED = Sentence("web.nobody_played", "Nobody called {name} played this hand.")


class FrameShown(TypedDict):
    """One step of a hand that is over: nothing is hidden in it, or what one seat did not know then."""

    by: Annotated[str | None, "Who acted; null as the cards are dealt, and where a seat could not know."]
    action: Annotated[ActionJson | None, "What they did; from a seat's view its own actions only."]
    events: Annotated[list[EventJson], "What happened."]
    table: Annotated[TableJson | None, "As it was afterwards; null of a hand that today's rules can't play again."]
    cards: Annotated[dict[str, str], "Everybody's, by name; from a seat's view its own."]
    panels: Annotated[list[Panel], "What only the seat that looks on may read."]
    moment: Annotated[bool, "Whether people will speak of it, or the hand was decided by it."]


async def match(site: Site, match_id: str, person: Person | None = None) -> dict[str, Any]:
    """A match with its table of hands."""
    who = None if person is None else person.id
    found = await site.store.history.match(match_id, person_id=who)
    if found is None:
        found = await site.store.imports.match(match_id, person_id=who)
    if found is None:
        raise _no_match(site)
    return {"match": match_line(found.match), "hands": await asyncio.to_thread(_hand_lines, found.hands)}


async def record(site: Site, match_id: str) -> dict[str, Any]:
    """A match as a record file."""
    found = await site.store.history.record(match_id) or await site.store.imports.record(match_id)
    if found is None:
        raise _no_match(site)
    return found


async def frames(site: Site, match_id: str, number: int, seat: str | None = None) -> dict[str, Any]:
    """One finished hand, step by step: with everybody's cards, or as this seat saw it."""
    found = await site.store.history.hand(match_id, number) or await site.store.imports.hand(match_id, number)
    if found is None:
        raise _no_match(site)
    check_seat(seat, found.record)
    dressed = await _dressed(site, found)
    since = await site.store.history.since(match_id, number) or await site.store.imports.since(match_id, number)
    if since is not None:
        first, some = since
        made, _ = await asyncio.to_thread(_frames, some, found.events, found.result, number - first, seat, None, 0)
        return {
            "match": match_id,
            **_told(number, found.record, found.result, seat),
            **dressed,
            **made,
        }
    kept = await record(site, match_id)
    # Of no hand it is known yet how it began (backfill_hand_starts.py): those before it are played, too.
    # Who looks at one hand looks at it again, or at the next: it begins where an earlier one did.
    first = max((n for of, n in site.looked_at if of == match_id and n <= number), default=0)
    start = site.looked_at.get((match_id, first))
    # The engine is fast, but a long match is a hundred milliseconds of it: not on the loop that serves the rooms.
    made, places = await asyncio.to_thread(_frames, kept, found.events, found.result, number, seat, start, first)
    for at, place in places.items():
        site.looked_at.pop((match_id, at), None)
        site.looked_at[match_id, at] = place
    while len(site.looked_at) > REMEMBERED:
        del site.looked_at[next(iter(site.looked_at))]
    return {"match": match_id, **_told(number, found.record, found.result, seat), **dressed, **made}


async def _dressed(site: Site, found: HandDetail) -> dict[str, Any]:
    """Return what the players of a hand look like: what they chose, and the colours that their room gave them."""
    room = None if found.room is None else await room_access.peek(site, found.room)
    if room is None:
        return {"looks": found.looks, "hues": {}}
    given = {name: colours.of_player(room, person, name) for name, person in found.persons.items()}
    return {"looks": found.looks, "hues": {name: hue for name, hue in given.items() if hue is not None}}


def frames_of(kept: dict[str, Any], hand: NewHand, seat: str | None = None) -> dict[str, Any]:
    """A hand of a match that is not kept, step by step."""
    check_seat(seat, hand.record)
    made, _ = _frames(kept, hand.events, hand.result, hand.number, seat, None, 0)
    return {"match": None, **_told(hand.number, hand.record, hand.result, seat), **made}


def _told(number: int, record: dict[str, Any], result: dict[str, Any], seat: str | None) -> dict[str, Any]:
    """What is told of a hand besides its steps."""
    # Who knows the proof of a deal knows everybody's cards.
    proof = {"fair": record.get("fair")} if seat is None else {}
    players = list(record["cards"])
    return {
        "number": number,
        "seat": seat,
        "players": players,
        "result": result,
        **proof,
        "tones": tones(),
        "motions": motions(),
    }


def check_seat(seat: str | None, record: dict[str, Any]) -> None:
    """Refuse the view of somebody who has not played a hand."""
    if seat is not None and seat not in record["cards"]:
        raise errors.not_found(NOBODY_PLAYED(name=seat[:64]))


def _frames(
    kept: dict[str, Any],
    happened: list[dict[str, Any]],
    result: dict[str, Any],
    number: int,
    seat: str | None,
    start: Match | None,
    first: int,
) -> tuple[dict[str, Any], dict[int, Match]]:
    """The frames of a hand, and the match as it was before this hand, the next and some on the way, by their numbers.

    `start` is the match before hand `first`, if that is known.
    """
    record = kept["hands"][number]
    frames: list[dict[str, Any]] = []
    places = dict[int, Match]()
    last, place = len(record["actions"]) - 1, 0
    spoken = _spoken_of(record, happened, result)
    try:
        opened, hands = opened_record(kept, GAMES)
        state = opened if start is None else start
        for moment in fold(state, hands[: number + 1], 0 if start is None else first):
            if moment.hand and moment.hand not in places and (moment.hand == number or moment.hand % STRIDE == 0):
                places[moment.hand] = state
            state = moment.step.match
            if moment.hand < number or moment.between:
                continue
            if moment.place is None:
                frames.append(frame(None, None, state, moment.step.events, seat, moment=0 in spoken))
                continue
            place = moment.place + 1
            if len(frames) < MOST_FRAMES - 1 or moment.place == last:
                done = record["actions"][moment.place]
                frames.append(frame(moment.by, done, state, moment.step.events, seat, moment=place in spoken))
    except (Illegal, Unusable):
        table, cards = (frames[-1]["table"], frames[-1]["cards"]) if frames else (None, _dealt_to(record, seat))
        rest = _from_events(table, record, happened, spoken, place, cards, seat)
        return {"frames": _shortened([*frames, *rest]), "corrected": True}, places
    return {"frames": frames, "corrected": False}, places | {number + 1: state}


def _spoken_of(record: dict[str, Any], happened: list[dict[str, Any]], result: dict[str, Any]) -> frozenset[int | None]:
    """The moves that a replay leads to."""
    found = highlights(spoken_of(happened, result), happened, result, len(record["cards"]))
    return frozenset(n for n, _ in found)


def _shortened(frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return frames if len(frames) <= MOST_FRAMES else [*frames[: MOST_FRAMES - 1], frames[-1]]


def _dealt_to(record: dict[str, Any], seat: str | None) -> dict[str, str]:
    """The cards that were dealt, as far as they are shown."""
    return {name: cards for name, cards in record["cards"].items() if seat in (None, name)}


def frame(
    by: str | None,
    action: dict[str, Any] | None,
    state: Match,
    events: tuple[Event, ...],
    seat: str | None,
    *,
    moment: bool = False,
) -> dict[str, Any]:
    """A step as it is shown: whole, since a hand that is over hides nothing, or as it was seen from a seat."""
    heard = in_full(event for event in events if event.to is None or seat is None or seat in event.to)
    told = [event.to_json() for event in heard]
    own = None if seat is None else views.seat(state, seat)
    everybody = state.the_hand.cards
    return {
        **_done(by, action, told, seat),
        "events": told,
        "table": views.table(state),
        "cards": {name: show(cards) for name, cards in everybody.items()} if own is None else {seat: own["cards"]},
        "panels": [] if own is None else own.get("panels", []),
        "moment": moment,
    }


def _done(
    by: str | None, action: dict[str, Any] | None, told: list[dict[str, Any]], seat: str | None
) -> dict[str, Any]:
    """What was done, and by whom: of what others do a seat knows only what it was told."""
    if seat is None or by == seat:
        return {"by": by, "action": action}
    return {"by": by if any(event.get("by") == by for event in told) else None, "action": None}


def _from_events(
    table: dict[str, Any] | None,
    record: dict[str, Any],
    happened: list[dict[str, Any]],
    spoken: frozenset[int | None],
    start: int,
    cards: dict[str, str],
    seat: str | None,
) -> list[dict[str, Any]]:
    """What was written down then, without asking the rules of today."""
    held = {name: list(parse_cards(text)) for name, text in cards.items()}
    frames: list[dict[str, Any]] = []

    def add(made: dict[str, Any] | None, place: int) -> None:
        told = _at(happened, place)
        frames.append(
            {
                **_done(None if made is None else made["by"], made, told, seat),
                "events": told,
                "table": table,
                "cards": {name: show(each) for name, each in held.items()},
                "panels": [],
                "moment": place in spoken,
            }
        )

    if start == 0 and table is None:
        add(None, 0)
    for place, made in enumerate(record["actions"][start:], start + 1):
        action: Action = parse_action(made)
        for card in cards_of(action):
            if card in held.get(made["by"], ()):
                held[made["by"]].remove(card)
        add(made, place)
    return frames


def _at(happened: list[dict[str, Any]], place: int) -> list[dict[str, Any]]:
    """The public events of one step; each carries the number of its action."""
    return [{key: value for key, value in event.items() if key != "n"} for event in happened if event.get("n") == place]


def match_line(line: MatchLine) -> dict[str, Any]:
    """A match in a list."""
    game = GAMES.get(line.game)
    return {
        "id": line.id,
        "room": line.room,
        "game": line.game,
        "game_name": line.game if game is None else game.name,
        "options": line.options,
        "started": milliseconds(line.started_at),
        "ended": None if line.ended_at is None else milliseconds(line.ended_at),
        "hands": line.hands,
        "with_bots": line.with_bots,
        "players": [asdict(player) for player in line.players],
        "winners": list(line.winners),
        "origin": line.origin,
        "imported": None
        if (came := line.imported) is None
        else {"by": came.by, "at": milliseconds(came.at), "yours": came.yours},
    }


def _hand_lines(lines: Iterable[HandLine]) -> list[dict[str, Any]]:
    return [{**_fields(line), "ended_at": milliseconds(line.ended_at)} for line in lines]


def _fields(line: HandLine) -> dict[str, Any]:
    """What it is made of, as it is: `asdict` would copy every reason of every hand."""
    return {name: getattr(line, name) for name in HandLine.__slots__}


def _no_match(site: Site) -> errors.Refusal:
    return errors.not_found(site.said("error.no_match"))
