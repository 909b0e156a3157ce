"""Joining a room by a socket, or by the form of an invitation: limits, profile, and presence until the page arrives."""

import asyncio
import secrets
import time
from collections.abc import Callable

import msgspec

from app.engine.base.messages import MessageTemplate
from app.rooms.live.command_queue import UNAVAILABLE
from app.rooms.live.connections import RoomClosed
from app.rooms.live.room_actor import RoomActor
from app.rooms.model.commands import AskForSeat, Introduce, Join, Message
from app.rooms.model.decision import CommandReply
from app.web.context.sessions import Person
from app.web.context.site import AppContext

ARRIVAL_SECONDS = 20
"""Seconds for which a guest counts as connected after they posted the form, until their page opens its socket."""

TOO_FAST = MessageTemplate("web.too_fast", "Too many requests. Wait a moment.")
TOO_MANY_SEAT_REQUESTS = MessageTemplate(
    "web.too_many_seat_requests", "Too many requests for seats. Try again in an hour."
)


def message_pace_key(actor: RoomActor, person: Person) -> str:
    """Return the key by which a person's messages to a room are limited."""
    return f"{actor.id} {person.id}"


async def handle_posted_message(
    site: AppContext, client: str, actor: RoomActor, person: Person, command: Message
) -> CommandReply:
    """Run a command that a form posted, and return the room's reply, with the limits of the room's socket.

    `client`: the key of the client's address. After a successful join, the person's profile is saved.
    """
    began = time.perf_counter()
    reply = _limit_refusal(site, client, actor, person, command)
    if reply is None:
        was_here = actor.room.find_member(person.id) is not None
        if type(command) is Join:
            command = with_saved_avatar(command, person)
        reply = await actor.handle(command)
        site.log_limits.count(client, actor.id, command, reply.log_bytes)
        if reply.ok and type(command) is Join:
            await save_profile(site, client, actor, person, command, was_here=was_here)
    site.metrics.count_command(command.t, "ok" if reply.ok else str(reply.code), time.perf_counter() - began)
    return reply


def _limit_refusal(
    site: AppContext, client: str, actor: RoomActor, person: Person, command: Message
) -> CommandReply | None:
    """Return the refusal of a command that comes too fast or too often, or None."""
    if site.message_limiter.seconds_until_allowed(message_pace_key(actor, person)):
        return CommandReply(False, code="too_fast", message=TOO_FAST())
    if type(command) is AskForSeat and site.seat_request_limiter.seconds_until_allowed(client):
        return CommandReply(False, code="too_fast", message=TOO_MANY_SEAT_REQUESTS())
    refused = site.log_limits.refusal(client, actor.id, command)
    return None if refused is None else CommandReply(False, code="too_fast", message=refused)


def with_saved_avatar(command: Join, person: Person) -> Join:
    """Return the join with the avatar of the person's profile, which replaces a choice at the entrance."""
    if person.bird is None and person.colour is None:
        return command
    return msgspec.structs.replace(command, bird=person.bird, colour=person.colour)


async def save_profile(
    site: AppContext, client: str, actor: RoomActor, person: Person, command: Join, *, was_here: bool
) -> None:
    """After a join, save the member's name and chosen avatar in their profile, and record the visit to the room.

    `was_here`: whether the person was a member before. An avatar is saved only if the profile has none. If the profile
    has changed, the member's avatar in the room is updated, too.
    """
    member = actor.room.find_member(person.id)
    if member is None:
        return
    # Programs open no page, so the visit is noted here. The note lets them in by an old code.
    now, _ = await asyncio.gather(site.people.rename(person, member.name), site.people.record_visit(person, actor.id))
    if now is None and not was_here:  # the profile may have changed
        now = await site.store.people.find_by_id(person.id) or person
    if now is not None:  # else the room already knows the profile
        if not was_here and (now.bird, now.colour) == (None, None) != (command.bird, command.colour):
            chosen = {"bird": command.bird, "colour": command.colour}
            now = await site.people.set_avatar(now, chosen) or now
        await update_avatar_in_room(site, client, actor, now)


async def update_avatar_in_room(site: AppContext, client: str, actor: RoomActor, person: Person) -> None:
    """Give a member in this room the avatar of their profile, if it differs.

    Does nothing for others.
    """
    member = actor.room.find_member(person.id)
    if member is not None and (person.bird, person.colour) != (member.bird, member.colour):
        reply = await actor.handle(Introduce(person.id, secrets.token_hex(16), person.bird, person.colour))
        site.log_limits.count_bytes(client, reply.log_bytes)


async def join_as_arriving(
    site: AppContext, client: str, actor: RoomActor, person: Person, command: Join
) -> CommandReply:
    """Let a person join by the form, and return the room's reply.

    The form has no socket, so without more the person would be absent until their page has loaded. They count as
    connected meanwhile, with a connection that `end_arrival` or a timer closes. It counts for the limits of sockets.
    """
    key = _arrival_key(actor.id, person.id)
    if key in site.arrivals:
        return await handle_posted_message(site, client, actor, person, command)
    if not site.try_count_socket(client, person.id, actor.id):
        return CommandReply(False, code="too_fast", message=TOO_FAST())
    try:
        connection = actor.connect(person.id)
    except RoomClosed:  # the room was unloaded in this moment
        site.uncount_socket(client, person.id, actor.id)
        return UNAVAILABLE

    def close() -> None:
        del site.arrivals[key]
        timer.cancel()
        connection.close()
        site.uncount_socket(client, person.id, actor.id)

    timer = asyncio.get_running_loop().call_later(ARRIVAL_SECONDS, close)
    site.arrivals[key] = close
    reply: CommandReply | None = None
    try:
        reply = await handle_posted_message(site, client, actor, person, command)
    finally:
        if reply is None or not reply.ok:
            end_arrival(site, actor.id, person.id)
    return reply


def end_arrival(site: AppContext, room: str, person: str) -> None:
    """Note that a person's page has opened its socket to the room, or won't. `room` and `person` are ids."""
    close: Callable[[], None] | None = site.arrivals.get(_arrival_key(room, person))
    if close is not None:
        close()


def _arrival_key(room: str, person: str) -> str:
    return f"{person} {room}"
