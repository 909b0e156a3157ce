"""Endpoints for games, rules, rooms and people. Rooms and store do the work; `errors.py` answers refusals."""

import functools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, Field

from app.bots import LEVELS
from app.engine.base.errors import RuleError
from app.engine.base.short_rules import special_sentences
from app.engine.games import GAMES
from app.rooms.model.settings import TitleCarryOver
from app.rooms.people import names
from app.store.history.room_stats import start_of_month
from app.web.api.dependencies import (
    NOBODY_KNOWS_YOU,
    REFUSALS,
    InjectedAppContext,
    OptionalPerson,
    OptionalSession,
    PathSegment,
    StrictBody,
)
from app.web.assets.qr import qr_data_uri
from app.web.client_address import client_key, is_secure
from app.web.context.sessions import set_session_cookie
from app.web.context.site import AppContext
from app.web.http import cached_json, errors
from app.web.http.share_url import shareable_origin
from app.web.http.work_queue import encode_json_in_parts
from app.web.i18n.catalogues import Texts
from app.web.protocol import json_schema, server_messages
from app.web.services import room_access, rules_form, rules_link

router = APIRouter(prefix="/api", tags=["api"])

RoomPath = Annotated[PathSegment, Path(description="The code of the room.")]


class NewRoom(StrictBody):
    """A new room. Missing fields get their defaults."""

    name: Annotated[str, Field(min_length=1, max_length=64)] = Field(
        description="The name of the host, who opens the room."
    )
    game: server_messages.Word = Field(default=next(iter(GAMES)), description="The key of the game.")
    options: server_messages.Json | None = Field(
        default=None,
        description="A `preset`, and the options that differ from it; null: the first preset of the game.",
    )
    clock: server_messages.Json = Field(
        default={},
        description="Time limits in seconds: `turn` and `pause`, where null means no limit, `away` and `patience`.",
    )
    bots: Annotated[list[server_messages.Word], Field(max_length=20)] = Field(
        default=[], description="The level of each bot that gets a seat."
    )
    bots_delay: server_messages.Seconds | None = Field(
        default=None, description="Seconds that bots wait before they act; null: the default."
    )
    stake: server_messages.Json | None = Field(
        default=None, description="The price of a point, as `amount` and `unit`; null: none."
    )
    carry_titles: TitleCarryOver = Field(
        default="game", description="When titles carry over into the next match: never, in the same game, or always."
    )


class RoomOpened(BaseModel):
    """The addresses of a new room."""

    code: str = Field(description="The code of the room, as in its address.")
    room: str = Field(description="The id of the room. It stays the same if the code changes, and gives no access.")
    invite: str = Field(description="The secret part of `link`.")
    url: str = Field(description="The path of the room's page on this server.")
    link: str = Field(description="The address to share with other players.")


class NewPerson(StrictBody):
    """A new person, for a program."""

    name: Annotated[str, Field(min_length=1, max_length=64)] | None = Field(
        None, description="The name of the person, as in `PUT /api/me`; null: none yet."
    )


class PersonCreated(BaseModel):
    """The answer to a program that became a person: its secret token."""

    token: str = Field(
        description="The secret for `Authorization: Bearer`, in requests and on sockets. It is sent only once."
    )


class OptionsToCheck(StrictBody):
    """Game options to be checked before a room is opened with them."""

    game: server_messages.Word = Field(description="The key of the game.")
    options: server_messages.Json = Field(
        default_factory=dict, description="A `preset`, and the options that differ from it."
    )


class OptionsCheckResult(BaseModel):
    """Whether game options are valid; if so, with all values, otherwise with the reason."""

    ok: bool = Field(description="Whether the options are valid.")
    message: str | None = Field(None, description="The reason as a sentence; null: valid.")
    key: str | None = Field(None, description="The key of the reason in the message catalogue.")
    values: dict[str, Any] | None = Field(None, description="Values of the placeholders in the reason.")
    options: dict[str, Any] | None = Field(None, description="The value of each option; null: not valid.")
    differences: dict[str, Any] | None = Field(None, description="The options that differ from the preset.")
    players: list[int] | None = Field(None, description="Minimum and maximum number of players.")
    link: str | None = Field(None, description="The path of the form for a new room with these rules; null: not valid.")
    special: list[str] | None = Field(
        None, description="Rules that no question asks about and that differ from the basic game; null: not valid."
    )


class MonthPlaces(BaseModel):
    """How the members of a room did this month."""

    places: dict[str, int] = Field(
        description="The place of each member by name, by their mean place in this month's hands. Members with fewer "
        "than five hands are missing; empty if only one member is left."
    )


class SeatLinkRequest(StrictBody):
    """The player in a room whose seat the request is about."""

    name: Annotated[str, Field(min_length=1, max_length=64)] = Field(description="The name of the player.")


class SeatLink(BaseModel):
    """A link that gives an absent player's seat to another browser, once."""

    url: str = Field(description="The link.")
    qr: str = Field(description="The link as a QR code, as a `data:` address.")
    expires_at: int = Field(description="When the link expires, in epoch milliseconds.")


@router.get("/games")
async def list_games(request: Request, site: InjectedAppContext) -> Response:
    """Return every game with its presets and options, as forms and rules pages show them, and the kinds of bots.

    In the language of the request.
    """
    return cached_json.cached_json_response(
        request.scope, _games_json(site.templates.texts_for_request(request.scope), site.available_bot_levels)
    )


@functools.lru_cache(maxsize=64)
def _games_json(texts: Texts, levels: tuple[str, ...]) -> cached_json.CachedJson:
    signs = {kind: LEVELS[kind].sign for kind in levels}
    return cached_json.build_cached_json(
        encode_json_in_parts({"games": rules_form.game_catalogue(texts), "bots": levels, "signs": signs})
    )


@router.post("/options", responses=REFUSALS)
async def check_options(request: Request, site: InjectedAppContext, body: OptionsToCheck) -> OptionsCheckResult:
    """Return whether these options of a game are valid together; if not, the reason."""
    texts = site.templates.texts_for_request(request.scope)
    try:
        game = room_access.find_game_or_raise(body.game)
        options = game.option_schema.resolve_options(body.options)
    except RuleError as error:
        return OptionsCheckResult(ok=False, message=error.sentence, **errors.message_key_and_values(error.sentence))
    return OptionsCheckResult(
        ok=True,
        options=options.to_json(),
        differences=game.option_schema.changes_from_preset(options),
        players=list(game.player_limits(options)),
        link=rules_link.rules_url(game, options.to_json()),
        special=[texts.say(each) for each in special_sentences(game.option_schema, options)],
    )


@router.post("/rooms", status_code=201, responses=REFUSALS)
async def open_room(
    request: Request, response: Response, site: InjectedAppContext, me: OptionalPerson, body: NewRoom
) -> RoomOpened:
    """Open a room with the visitor as its host.

    A visitor who is not known yet becomes a new person and gets the cookie. Refused after too many rooms in an hour.
    """
    room_access.count_room_opening(site, request.scope)
    settings = body.model_dump(exclude={"name"}, exclude_none=True)
    return room_opened_response(
        request, response, site, await room_access.open_room(site, request.scope, me, body.name, settings)
    )


@router.get("/rooms/{code}", responses=REFUSALS)
async def get_room(
    request: Request, site: InjectedAppContext, person: OptionalPerson, code: RoomPath
) -> dict[str, Any]:
    """Return what a room is about, for a visitor with its code: game, phase, people. 404 for an unknown room."""
    actor = await room_access.find_room_or_raise(site, request.scope, code, person)
    return room_access.room_summary(actor.room)


@router.get("/rooms/{code}/month", responses=REFUSALS)
async def get_month_places(
    request: Request, site: InjectedAppContext, person: OptionalPerson, code: RoomPath
) -> MonthPlaces:
    """Return how the members of a room did this month (UTC), for their hats in the waiting room.

    404 for an unknown room. Computed from the stored hands of the month.
    """
    actor = await room_access.find_room_or_raise(site, request.scope, code, person)
    stats = site.store.room_stats
    means = await stats.mean_places(actor.id, await stats.hands_since(actor.id, start_of_month()))
    there = [member for member in actor.room.members.values() if member.person in means]
    there.sort(key=lambda member: -means[member.person or ""])
    return MonthPlaces(places={member.name: place for place, member in enumerate(there, 1)} if len(there) > 1 else {})


@router.post("/rooms/{code}/links", status_code=201, responses=REFUSALS)
async def create_seat_link(
    request: Request, site: InjectedAppContext, known: OptionalSession, code: RoomPath, body: SeatLinkRequest
) -> SeatLink:
    """Create a link that gives the seat of an absent player to another browser, once.

    Only for the host. Everybody in the room is told.
    """
    if known is None:
        raise errors.HttpError(401, "no_session", NOBODY_KNOWS_YOU())
    actor, token = await room_access.create_seat_link(site, request.scope, code, known, body.name)
    url = f"{shareable_origin(request.scope, site.settings)}/r/{actor.code}/seat/{token}"
    return SeatLink(url=url, qr=qr_data_uri(url), expires_at=actor.room.members[body.name].link_until)


@router.post("/people", status_code=201, responses=REFUSALS)
async def create_person(
    request: Request, response: Response, site: InjectedAppContext, body: NewPerson
) -> PersonCreated:
    """Create a person for a program and return their secret token.

    Browsers get one as a cookie with a room.
    """
    name = None if body.name is None else names.clean_new_name(body.name)
    _, token = await room_access.register_person(site, request.scope, name)
    response.headers["Cache-Control"] = "no-store"
    return PersonCreated(token=token)


@asynccontextmanager
async def room_opening_slot(request: Request, site: AppContext) -> AsyncIterator[None]:
    """Wait for this client's turn to open a room from a stored match, and hold it during the context.

    Raises `HttpError` if the address has opened too many rooms, or if too many jobs wait.
    """
    room_access.count_room_opening(site, request.scope)
    async with site.work_queue.worker_slot(client_key(request.scope)):
        yield


def room_opened_response(
    request: Request, response: Response, site: AppContext, opened: room_access.OpenedRoom
) -> RoomOpened:
    """Return the answer to a request that has opened a room.

    Sets the session cookie on `response` if the host is a new person.
    """
    if opened.token is not None:
        set_session_cookie(response, opened.token, secure=is_secure(request.scope))
    link = f"{shareable_origin(request.scope, site.settings)}/j/{opened.invite}"
    return RoomOpened(code=opened.code, room=opened.room, invite=opened.invite, url=f"/r/{opened.code}", link=link)


@router.get("/protocol")
async def get_protocol_schema() -> dict[str, Any]:
    """Return the JSON schema of every message of `/ws/{code}`."""
    return _cached_protocol_schema()


@functools.cache
def _cached_protocol_schema() -> dict[str, Any]:
    return json_schema.protocol_schema()
