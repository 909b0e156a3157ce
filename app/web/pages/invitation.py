"""The page of an invitation: the form to join a room, without a script. Members are redirected to the room.

Values for `join.html`, besides the context of `page.py`:

    code, room    for the room's socket
    waits         whether the match has not started
    title, said   the title, and sentences about the room
    people        [{bird, hue, bot, away}]
    blocked       whether nobody new may join
    may_watch     whether the guest may watch without joining
    name, wanted  the name and the face to begin with
    faces, seats  the choices: [{value, bird, hue, label}] and [{value, label}]
    problem       why the posted form was refused, or ""
    away          {name, question}: an absent player who the guest may be
    preview       {site, title, description} of the link in chat programs, in the host's language; or None
"""

import json
import secrets
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from fastapi import APIRouter
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.rooms.live.room_actor import RoomActor
from app.rooms.model import faces
from app.rooms.model.commands import Join, Message
from app.rooms.model.decision import CommandReply
from app.rooms.model.member import Member
from app.rooms.model.state import Room
from app.rooms.people import names
from app.rooms.people.avatars import PlayerFace
from app.rooms.views import room_view
from app.web.api.dependencies import PathSegment
from app.web.client_address import client_key
from app.web.context.sessions import Person
from app.web.http import errors
from app.web.i18n.catalogues import Texts
from app.web.pages.page import InjectedPageContext, PageContext
from app.web.protocol import client_messages
from app.web.protocol.message_errors import BadMessage
from app.web.services import joining, room_access

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

NOTHING_POSTED: Mapping[str, str] = MappingProxyType({})
PEOPLE_DRAWN = 8
"""People whose birds the page shows. Its sentences name all people."""


@router.get("/j/{invite}")
async def invitation_page(here: InjectedPageContext, invite: PathSegment) -> Response:
    """Show the form to join the room of an invitation link; 404 if the link is wrong.

    People who have been in the room are redirected to its page. A stranger becomes a new person and gets the cookie, so
    that a form that is posted twice lets one person in.
    """
    lead = await room_access.find_invited_room_or_raise(here.site, here.request.scope, invite, here.me)
    room = await room_access.load_room_readonly(here.site, lead.room)
    if room is None or (here.me is not None and await _has_been_in(here, here.me, room)):
        return _redirect_to_room(here, lead.code, lead.room, await here.record_visit(lead.room))
    person, token = await here.person_or_new()
    preview = await room_access.texts_of_host(here.site, room, here.texts)
    return here.set_session_cookie(_render_form(here, room, person, preview=preview), token)


async def _has_been_in(here: PageContext, person: Person, room: Room) -> bool:
    return room.find_member(person.id) is not None or await here.site.people.has_visited(person, room.id)


def _redirect_to_room(here: PageContext, code: str, room: str, token: str | None, part: str = "") -> Response:
    """Redirect to (a part of) the page of the room with this code and id, with the cookie that routes to its node."""
    response = here.set_room_cookie(RedirectResponse(f"/r/{code}{part}", 303), code, room)
    return here.set_session_cookie(response, token)


@router.post("/j/{invite}")
async def join_by_form(here: InjectedPageContext, invite: PathSegment) -> Response:
    """Handle the form: let the visitor join and redirect to the room, or show the form again with the refusal.

    Fields: `name`, `face` (bird and colour), `chair` (a bot whose seat is wanted). With `ask`, the visitor asks for the
    seat of the absent player `name`; with `watch`, the visitor only watches. Checks, limits and refusals are those of
    the messages `join` and `ask_for_seat`.
    """
    actor = await room_access.load_invited_room_or_raise(here.site, here.request.scope, invite, here.me)
    form = await here.read_form()
    if "watch" in form:
        return _redirect_to_room(here, actor.code, actor.id, await here.record_visit(actor.id), "#watch")
    person, token = await here.person_or_new()
    reply = await _run_form(here, form, actor, person)
    if reply.ok:
        return _redirect_to_room(here, actor.code, actor.id, token)
    return here.set_session_cookie(_render_form(here, actor.room, person, form, reply), token)


async def _run_form(here: PageContext, form: Mapping[str, str], actor: RoomActor, person: Person) -> CommandReply:
    """Run the commands of a posted form, and return the reply to the first one."""
    site, client, name = here.site, client_key(here.request.scope), form.get("name", "").strip()
    if name == "":
        return CommandReply(False, code="bad_name", message=site.message("name.empty"))
    bird, _, colour = form.get("face", "").partition(" ")
    face = {"bird": bird, "colour": colour} if colour else {}
    try:
        first = _message(person, {"t": "ask_for_seat"} if "ask" in form else {"t": "join", **face}, name)
        take_seat = _message(person, {"t": "take_bot_seat"}, form["chair"]) if form.get("chair") else None
    except BadMessage as bad:
        return CommandReply(False, code="bad_message", message=bad.sentence)
    if not isinstance(first, Join):
        reply = await joining.handle_posted_message(site, client, actor, person, first)
        if reply.ok:
            await site.people.record_visit(person, actor.id)
        return reply
    reply = await joining.join_as_arriving(site, client, actor, person, first)
    if reply.ok and take_seat is not None:
        # If it is refused, the room's page offers the seats that can be taken then.
        await joining.handle_posted_message(site, client, actor, person, take_seat)
    return reply


def _message(person: Person, fields: Mapping[str, str], name: str) -> Message:
    """Return a message with these fields, checked as if it came over the person's socket. Raises `BadMessage`."""
    return client_messages.parse_message(json.dumps({"id": secrets.token_hex(16), "name": name, **fields}), person.id)


# What the form shows ------------------------------------------------------------------------------------------------


def _render_form(
    here: PageContext,
    room: Room,
    person: Person,
    form: Mapping[str, str] = NOTHING_POSTED,
    reply: CommandReply | None = None,
    preview: Texts | None = None,
) -> Response:
    """Return the page with the form, filled in with the posted `form`. `reply` is its refusal, or None.

    `preview`: the texts of the preview that chat programs show for the link.
    """
    here.texts = here.texts.with_bots((member.name, member.bot is not None) for member in room.members.values())
    texts, shown = here.texts, room_view.build_room(room)
    blocked = room.join_refusal(person.id)
    typed = form.get("name", "").strip()
    free = () if person.bird or person.colour else faces.free_faces(room, person.id)
    status = 200
    if reply is not None:
        status = 429 if reply.code == "too_fast" else errors.STATUS.get(str(reply.code), 400)
    return here.render(
        "join",
        status,
        code=room.code,
        room=room.id,
        waits=room.phase == "lobby",
        title=_title(room, shown, texts, blocked=blocked is not None),
        said=[*_people_sentences(room, texts), texts.say(blocked) if blocked else _seat_sentence(room, shown, texts)],
        people=_people(room, shown),
        blocked=blocked is not None,
        may_watch=room.may_watch(person.id),
        name=typed or person.name or "",
        wanted=form.get("face", ""),
        faces=[_face_choice(face, texts) for face in free] if len(free) > 1 else [],
        seats=_seat_choices(shown, texts),
        problem="" if reply is None or reply.message is None else texts.say(reply.message),
        away=_absent_player(room, typed, texts) if reply is not None and reply.code == "name_taken" else None,
        preview=preview and _preview(room, shown, preview),
    )


def _title(room: Room, shown: Mapping[str, Any], texts: Texts, *, blocked: bool) -> str:
    """Return the heading: the invitation of the host, or why the guest gets no free seat."""
    plan = shown["seat_plan"]
    if blocked:
        return texts.t("join.shut")
    if plan["free"] == 0:
        return texts.t("full.title.bots" if plan["bots"] else "full.title")
    host = None if room.host is None else room.members[room.host]
    return texts.t("join.title.empty") if host is None else texts.t("join.title", host=_current_name(host))


def _preview(room: Room, shown: Mapping[str, Any], texts: Texts) -> Mapping[str, str]:
    """Return the title and the description of the link to a room, in one language."""
    game = f"game.{room.settings.game.key}"
    return {
        "site": texts.t("site.name"),
        "title": _title(room, shown, texts, blocked=False),
        "description": texts.labelled(texts.t(game), texts.t(f"{game}.sentence")),
    }


def _current_name(member: Member) -> str:
    return member.called or member.name


def _people_sentences(room: Room, texts: Texts) -> list[str]:
    """Return sentences with the names of all people and bots in the room, which no guest can take."""
    players, watching = (
        [_current_name(each) for each in room.members.values() if (each.role == "spectator") == watches]
        for watches in (False, True)
    )
    game = texts.t(f"game.{room.settings.game.key}")
    first = texts.t("join.nobody", game=game)
    if players:
        first = texts.t("join.who", names=texts.join_list(players), game=game, count=len(players))
    if not watching:
        return [first]
    return [first, texts.t("join.watch", names=texts.join_list(watching), count=len(watching))]


def _seat_sentence(room: Room, shown: Mapping[str, Any], texts: Texts) -> str:
    """Return a sentence about when the guest plays, and whether a seat is free; "" if they play at once."""
    plan, table = shown["seat_plan"], room_view.build_table(room)
    if plan["free"] == 0:
        full = "full.bots.now" if room.phase == "lobby" else "full.bots"
        return texts.t(full if plan["bots"] else "full.none")
    if room.phase == "finished":
        return texts.t("late.match")
    if table is None or room.phase == "lobby":
        return ""
    if table["newcomers_text"] is not None:
        return texts.t(table["newcomers_text"]["key"], **table["newcomers_text"]["values"])
    if room.phase == "between_hands":
        return texts.t("late.pause")
    return texts.t("late.hand", count=sum(player["cards"] for player in table["players"].values()))


def _people(room: Room, shown: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the looks of the first people and bots with a seat, whose birds no guest can take."""
    return [
        {
            "bird": shown["birds"][member.name],
            "hue": shown["hues"][member.name],
            "bot": member.bot is not None or member.program,
            "away": member.bot is None and not member.is_connected,
        }
        for member in room.members.values()
        if member.role != "spectator"
    ][:PEOPLE_DRAWN]


def _face_choice(face: PlayerFace, texts: Texts) -> Mapping[str, Any]:
    label = texts.join_list([texts.t(f"mine.bird.{face.bird}"), texts.t(f"mine.colour.{face.colour}")])
    return {"value": f"{face.bird} {face.colour}", "bird": face.bird, "hue": face.hue, "label": label}


def _seat_choices(shown: Mapping[str, Any], texts: Texts) -> Sequence[Mapping[str, str]]:
    """Return the choice of a seat: a free one, that of a bot, or waiting. Empty if there is nothing to choose."""
    free, bots = shown["seat_plan"]["free"], shown["seat_plan"]["bots"]
    if not bots or (shown["phase"] == "lobby" and free > 0):
        return []
    replace = [{"value": bot, "label": texts.t("join.chair.bot", name=bot)} for bot in bots]
    if free > 0:
        return [{"value": "", "label": texts.t("join.chair.own")}, *replace]
    return [*replace, {"value": "", "label": texts.t("join.chair.wait")}]


def _absent_player(room: Room, typed: str, texts: Texts) -> Mapping[str, str] | None:
    """Return `name` of the absent person whose name the guest typed, and the `question` whether it is the guest.

    None if there is nobody. `typed`: a name that the room has refused as taken, so its length is checked.
    """
    for member in (*room.members.values(), *room.departed):
        if member.person is not None and not member.is_connected and names.look_alike(_current_name(member), typed):
            question = "back.is_it_you" if member.name in room.members else "back.is_it_you.left"
            return {"name": member.name, "question": texts.t(question, name=member.name)}
    return None
