"""Pages of rooms: the home page, the form for a new room, the table, links to seats.

Values for the templates, besides the context of `page.py`:

    home.html        games [{key, name, players, trick}], rooms [{code, url, game, phase, people}], matches [match line]
                     last, lesson: keys of the games of Play now and of the lesson
    room_new.html    game, preset, changes: the rules to begin with, from the link
                     problems: sentences about parts of the link that are invalid
                     last: the game that the visitor played last, for links without a game
    table.html, screen.html
                     code, room (its id), link (absolute)
                     here_only: whether the link fails on other devices
                     own_face: whether the visitor has saved a bird or colour
                     waits: whether the match has not started
                     push: the key for notifications, or None
    seat.html        code, name: the player whose seat the link gives, or None
"""

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.engine.cards.cards import describe_cards, parse_cards
from app.engine.games import GAMES
from app.rooms.model.state import Room
from app.rooms.views import room_view
from app.store import room_export
from app.text_limits import MAX_TEXT_LENGTH
from app.web.api.dependencies import PathSegment
from app.web.assets.qr import qr_svg
from app.web.http import errors
from app.web.http.work_queue import encode_json_in_parts
from app.web.i18n.catalogues import Texts
from app.web.matches import search
from app.web.pages.page import InjectedPageContext, PageContext, count_if_guess
from app.web.services import room_access, rules_form, rules_link

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

ROOMS_LISTED = 8
MATCHES_LISTED = 6
FIRST_GAME = next(iter(GAMES))
"""The key of the first game. The home page plays the lesson of this key; its first picture is static/img/table.svg."""


@router.get("/")
async def home_page(here: InjectedPageContext) -> Response:
    """Show the home page: the ways to start, the visitor's rooms and latest matches, and the games."""
    rooms = [] if here.me is None else await here.site.store.history.rooms_of_person(here.me.id, limit=ROOMS_LISTED)
    matches = await search.find_matches(here.site, here.me, search.MatchQuery.from_query({}), here.texts)
    lines = [
        _room_list_entry(room, here.texts)
        for room in (await room_access.load_rooms_readonly(here.site, [each.id for each in rooms])).values()
    ]
    games = rules_form.game_summaries(here.texts)
    page = here.render(
        "home",
        games=[{**game, "trick": _example_plays(game["key"], here.texts)} for game in games],
        rooms=lines,
        matches=matches.matches[:MATCHES_LISTED],
        last=next((line["game"] for line in lines), FIRST_GAME),
        lesson=FIRST_GAME,
    )
    return here.compress_public_page(page)


def _example_plays(game: str, texts: Texts) -> list[str]:
    """Return the last two plays of the example in a game's short rules, as texts of their cards such as “8♣ 8♦”."""
    plays = GAMES[game].option_schema.short_rules.example.plays[-2:]
    return [texts.say(describe_cards(parse_cards(play))) for play in plays]


def _room_list_entry(state: Room, texts: Texts) -> dict[str, Any]:
    """Return a room's entry in the list on the home page: code, link, game, phase, and people except spectators."""
    shown = room_view.build_room(state)
    names = texts.player_names(shown["people"])
    people = [
        {**person, "name": name}
        for person, name in zip(shown["people"], names, strict=True)
        if person["role"] != "spectator"
    ]
    return {
        "code": state.code,
        "url": f"/r/{state.code}",
        "game": shown["game"],
        "phase": shown["phase"],
        "people": people,
    }


@router.get("/new")
async def new_room_page(here: InjectedPageContext) -> Response:
    """Show the form for a new room.

    `?game=`, `?preset=` and options prefill it; its script draws the form. Parts of the query that are not understood
    are shown as sentences.
    """
    requested = rules_link.parse_rules_link(here.request.query_params)
    problems = [here.texts.say(each) for each in requested.problems]
    return here.render(
        "room_new",
        game=requested.game,
        preset=requested.preset,
        changes=requested.changes,
        problems=problems,
        last=await _last_game(here),
    )


async def _last_game(here: PageContext) -> str | None:
    """Return the key of the game in the visitor's latest room; None before their first room."""
    if here.me is None:
        return None
    rooms = await here.site.store.history.rooms_of_person(here.me.id, limit=1)
    states = await room_access.load_rooms_readonly(here.site, [each.id for each in rooms])
    return next((room_view.build_room(state)["game"] for state in states.values()), None)


@router.get("/r")
async def redirect_to_room(
    here: InjectedPageContext, code: Annotated[str, Query(max_length=MAX_TEXT_LENGTH)] = ""
) -> Response:
    """Redirect to the room whose code was typed into a form, in any spelling; 404 for a wrong code."""
    actor = await room_access.find_room_or_raise(here.site, here.request.scope, code, here.me)
    return RedirectResponse(f"/r/{actor.code}", 303)


@router.get("/j/{invite}/qr.svg")
async def invitation_qr(here: InjectedPageContext, invite: PathSegment) -> Response:
    """Return the QR code of an invitation link as SVG; 404 if the invitation is wrong."""
    await room_access.find_invited_room_or_raise(here.site, here.request.scope, invite, here.me)
    return _qr_response(f"{here.origin}/j/{invite}")


@router.get("/r/{code}/qr.svg")
async def room_qr(here: InjectedPageContext, code: PathSegment) -> Response:
    """Return the QR code of a room's invitation link as SVG, for visitors who know the room's code; else 404."""
    actor = await room_access.find_room_or_raise(here.site, here.request.scope, code, here.me)
    return _qr_response(f"{here.origin}/j/{actor.room.invite}")


def _qr_response(link: str) -> Response:
    return Response(qr_svg(link), media_type="image/svg+xml", headers={"Cache-Control": "private, max-age=3600"})


@router.get("/r/{code}")
async def room_page(here: InjectedPageContext, code: PathSegment) -> Response:
    """Show a room's page: joining, lobby and table. Its script fills it from the room's socket.

    The visit is recorded; a stranger becomes a new person. A former code redirects to the present one.
    """
    actor = await room_access.find_room_or_raise(here.site, here.request.scope, code, here.me)
    if actor.code != code:
        return RedirectResponse(f"/r/{actor.code}", 303)
    token = await here.record_visit(actor.id)
    response = here.render_room_page("table", actor)
    return here.set_session_cookie(here.set_room_cookie(response, code, actor.id), token)


@router.get("/r/{code}/screen")
async def screen_page(here: InjectedPageContext, code: PathSegment) -> Response:
    """Show a room's table for a large screen that all can see; players hold their cards on their phones.

    The visit is recorded as for the room's page. A former code redirects to the present one. The page's script reads
    `key`, the key of a member's link.
    """
    actor = await room_access.find_room_or_raise(here.site, here.request.scope, code, here.me)
    if actor.code != code:
        query = here.request.url.query
        return RedirectResponse(f"/r/{actor.code}/screen{query and '?'}{query}", 303)
    token = await here.record_visit(actor.id)
    response = here.render_room_page("screen", actor)
    return here.set_session_cookie(here.set_room_cookie(response, code, actor.id), token)


@router.get("/r/{code}/export.json")
async def export_room(here: InjectedPageContext, code: PathSegment) -> Response:
    """Send a whole room, with its matches, as a JSON file to one of its members; 403 for others."""
    actor = await room_access.find_room_or_raise(here.site, here.request.scope, code, here.me)
    if here.me is None or actor.room.find_member(here.me.id) is None:
        raise errors.HttpError(403, "not_a_member", here.site.message("error.not_of_room"))
    now = datetime.now(UTC)
    async with here.worker_slot() as work:
        room = await room_export.export_room(here.site.store, actor.room, now)
        body: bytes = await work(encode_json_in_parts, room, room_export.DEPTH)
    headers = {"Content-Disposition": f'attachment; filename="room-{now:%Y-%m-%d}.json"'}
    return Response(body, media_type="application/json", headers=headers)


@router.get("/r/{code}/seat/{token}")
async def seat_link_page(here: InjectedPageContext, code: PathSegment, token: PathSegment) -> Response:
    """Show the page of a link to an absent player's seat; 404 if the link is wrong or has ended.

    Opening the page changes nothing; its button takes the seat.
    """
    actor = await room_access.find_room_or_raise(here.site, here.request.scope, code, here.me)
    name = await count_if_guess(here, await room_access.find_player_by_seat_link(here.site, actor, token))
    return here.render("seat", 404 if name is None else 200, code=actor.code, name=name)


@router.post("/r/{code}/seat/{token}")
async def take_seat(here: InjectedPageContext, code: PathSegment, token: PathSegment) -> Response:
    """Handle the button on the page of a seat link: give the seat to the visitor, and redirect to the room.

    A stranger becomes a new person. 404 if the link is wrong or has ended.
    """
    actor = await room_access.find_room_or_raise(here.site, here.request.scope, code, here.me)
    if await count_if_guess(here, await room_access.find_player_by_seat_link(here.site, actor, token)) is None:
        return here.render("seat", 404, code=actor.code, name=None)
    person, new_token = await here.person_or_new()
    await room_access.redeem_seat_link(here.site, here.request.scope, actor, person, token)
    await here.site.people.record_visit(person, actor.id)
    return here.set_session_cookie(RedirectResponse(f"/r/{actor.code}", 303), new_token)
