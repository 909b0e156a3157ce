"""Pages of rooms: the home page, the form for a new room, invitations, the table, links to seats.

Templates, with what they get beside the context of `page.py`:

    home.html        games [{key, name, players}], rooms [{code, url, game, phase, people}], matches [match line],
                     last (the key of the game that is offered first), lessons [{key, name, game}]
    room_new.html    game, preset (keys to begin with, or None), changes {switch: value}, problems (sentences: parts of
                     the link that were not understood)
    table.html       code, room (its id), link (absolute), here_only (whether the link fails on other devices),
                     waits (whether the match has not started), push (the key with which browsers subscribe to
                     notifications, or None)
    screen.html      as table.html
    seat.html        code, name (of the player whose seat the link gives; None if it gives none)
"""

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.engine.games import GAMES
from app.rooms.model.state import Room
from app.rooms.views import room_view
from app.store import room_export
from app.text_limits import LONGEST
from app.web.api.dependencies import Code
from app.web.assets.qr import as_svg
from app.web.http import errors
from app.web.http.work_queue import as_json
from app.web.matches import search
from app.web.pages.page import Here, counted
from app.web.services import lessons, room_access, rules_form, rules_link

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

ROOMS_LISTED = 8
MATCHES_LISTED = 6


@router.get("/")
async def home(here: Here) -> Response:
    """Open a room; your rooms, your matches."""
    rooms = [] if here.me is None else await here.site.store.history.rooms_of(here.me.id, limit=ROOMS_LISTED)
    matches = await search.find(here.site, here.me, search.HistoryAsked.of({}), here.texts)
    lines = [_room_line(room) for room in (await room_access.peek_all(here.site, [each.id for each in rooms])).values()]
    return here.page(
        "home",
        games=rules_form.names(here.texts),
        rooms=lines,
        matches=matches.matches[:MATCHES_LISTED],
        last=next((line["game"] for line in lines), next(iter(GAMES))),
        lessons=lessons.listed(here.texts),
    )


def _room_line(state: Room) -> dict[str, Any]:
    """A room in somebody's list."""
    shown = room_view.room(state)
    people = [person for person in shown["people"] if person["role"] != "watcher"]
    return {
        "code": state.code,
        "url": f"/r/{state.code}",
        "game": shown["game"],
        "phase": shown["phase"],
        "people": people,
    }


@router.get("/new")
async def new(here: Here) -> Response:
    """The form for a room, which its script draws; with `?game=`, `?preset=` or `?<switch>=` it begins with those."""
    asked = rules_link.understood(here.request.query_params)
    problems = [here.texts.say(each) for each in asked.problems]
    return here.page("room_new", game=asked.game, preset=asked.preset, changes=asked.changes, problems=problems)


@router.get("/r")
async def by_code(here: Here, code: Annotated[str, Query(max_length=LONGEST)] = "") -> Response:
    """Lead to the room with a code that was typed into a form."""
    runner = await room_access.find(here.site, here.request.scope, code, here.me)
    return RedirectResponse(f"/r/{runner.code}", 303)


@router.get("/j/{invite}")
async def invited(here: Here, invite: Code) -> Response:
    """Where a shared link leads: the room's page."""
    lead = await room_access.invited(here.site, here.request.scope, invite, here.me)
    token = await here.come_into(lead.room)
    response = here.of_room(RedirectResponse(f"/r/{lead.code}", 303), lead.code, lead.room)
    return here.remember(response, token)


@router.get("/j/{invite}/qr.svg")
async def invitation_qr(here: Here, invite: Code) -> Response:
    """Draw the invitation as a picture for phones."""
    await room_access.invited(here.site, here.request.scope, invite, here.me)
    return _picture(f"{here.origin}/j/{invite}")


@router.get("/r/{code}/qr.svg")
async def room_qr(here: Here, code: Code) -> Response:
    """Draw the link to a room as a picture for phones, for who knows its code."""
    runner = await room_access.find(here.site, here.request.scope, code, here.me)
    return _picture(f"{here.origin}/j/{runner.room.invite}")


def _picture(link: str) -> Response:
    return Response(as_svg(link), media_type="image/svg+xml", headers={"Cache-Control": "private, max-age=3600"})


@router.get("/r/{code}")
async def room(here: Here, code: Code) -> Response:
    """The room: joining, waiting, the table. One page; its script and the socket do the rest."""
    runner = await room_access.find(here.site, here.request.scope, code, here.me)
    if runner.code != code:
        return RedirectResponse(f"/r/{runner.code}", 303)
    token = await here.come_into(runner.id)
    response = here.page_of_room("table", runner)
    return here.remember(here.of_room(response, code, runner.id), token)


@router.get("/r/{code}/screen")
async def screen(here: Here, code: Code) -> Response:
    """The table for a room full of people, on a television: it watches, and phones are the hands."""
    runner = await room_access.find(here.site, here.request.scope, code, here.me)
    if runner.code != code:
        return RedirectResponse(f"/r/{runner.code}/screen", 303)
    token = await here.come_into(runner.id)
    response = here.page_of_room("screen", runner)
    return here.remember(here.of_room(response, code, runner.id), token)


@router.get("/r/{code}/export.json")
async def whole_room(here: Here, code: Code) -> Response:
    """The whole room as a file, for its people."""
    runner = await room_access.find(here.site, here.request.scope, code, here.me)
    if here.me is None or runner.room.member_of(here.me.id) is None:
        raise errors.Refusal(403, "not_a_member", here.site.said("error.not_of_room"))
    now = datetime.now(UTC)
    async with here.turn() as work:
        room = await room_export.whole_room(here.site.store, runner.room, now)
        body: bytes = await work(as_json, room, room_export.DEPTH)
    headers = {"Content-Disposition": f'attachment; filename="room-{now:%Y-%m-%d}.json"'}
    return Response(body, media_type="application/json", headers=headers)


@router.get("/r/{code}/seat/{token}")
async def seat(here: Here, code: Code, token: Code) -> Response:
    """A link to the seat of somebody who lost their device. Opening it changes nothing: a button does."""
    runner = await room_access.find(here.site, here.request.scope, code, here.me)
    name = await counted(here, await room_access.linked(here.site, runner, token))
    return here.page("seat", 404 if name is None else 200, code=runner.code, name=name)


@router.post("/r/{code}/seat/{token}")
async def take_seat(here: Here, code: Code, token: Code) -> Response:
    """The button: the seat is this browser's, and no other's."""
    runner = await room_access.find(here.site, here.request.scope, code, here.me)
    if await counted(here, await room_access.linked(here.site, runner, token)) is None:
        return here.page("seat", 404, code=runner.code, name=None)
    person, new_token = await here.somebody()
    await room_access.take_seat(runner, person, token)
    await here.site.people.visit(person, runner.id)
    return here.remember(RedirectResponse(f"/r/{runner.code}", 303), new_token)
