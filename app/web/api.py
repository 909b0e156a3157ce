"""The JSON endpoints. Thin: rooms and store do the work, `errors.py` answers when they refuse."""

import functools
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from app import bots as bot_kinds
from app.engine.errors import RuleError
from app.engine.games import GAMES
from app.engine.words import Sentence
from app.rooms import names
from app.web import errors, forms, opening, protocol, replay
from app.web.address import client_key, is_secure
from app.web.people import Person, remember
from app.web.qr import as_data
from app.web.sharing import leads_here_only, shared_origin
from app.web.site import Site, of
from app.web.workshop import as_json

router = APIRouter(prefix="/api", tags=["api"])

SiteHere = Annotated[Site, Depends(of)]


async def _me(request: Request, site: SiteHere) -> Person | None:
    return await site.people.known(request.scope)


NOBODY_KNOWS_YOU = Sentence(
    "web.nobody_knows_you",
    "Nobody knows you yet: open a room first, or as a program POST /api/people.",
)


async def _somebody(person: Annotated[Person | None, Depends(_me)]) -> Person:
    if person is None:
        raise errors.Refusal(401, "no_session", NOBODY_KNOWS_YOU())
    return person


Me = Annotated[Person | None, Depends(_me)]
Somebody = Annotated[Person, Depends(_somebody)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class NewRoom(_Body):
    """A room to be opened; what is left out has its default."""

    name: Annotated[str, Field(min_length=1, max_length=64)] = Field(description="Of whoever opens it: the host.")
    game: protocol.Word = next(iter(GAMES))
    options: protocol.Json = Field(default={}, description="A preset and the switches that differ from it.")
    clock: protocol.Json = Field(default={}, description="turn, pause: seconds or null; away, patience: seconds.")
    bots: Annotated[list[protocol.Word], Field(max_length=20)] = Field(default=[], description="Kinds of bots to seat.")
    bots_delay: protocol.Seconds | None = None


class RoomOpened(BaseModel):
    """Where the new room is."""

    code: str
    invite: str
    url: str = Field(description="The room's page, on this server.")
    link: str = Field(description="The address to share.")


class NewPerson(_Body):
    """Somebody new, for a program."""

    name: Annotated[str, Field(min_length=1, max_length=64)] | None = Field(None, description="As with PUT /api/me.")


class PersonMade(BaseModel):
    """What a program is somebody with."""

    token: str = Field(description="For `Authorization: Bearer`, on requests and sockets. It is told this once.")


class Proposal(_Body):
    """Options to be looked at before a room is made of them."""

    game: protocol.Word
    options: protocol.Json = {}


class Checked(BaseModel):
    """Whether they are good, and what they come to."""

    ok: bool
    message: str | None = None
    key: str | None = None
    values: dict[str, Any] | None = None
    options: dict[str, Any] | None = None
    differences: dict[str, Any] | None = None
    players: list[int] | None = None


class Error(BaseModel):
    """Every refusal."""

    code: str
    message: str
    key: str | None = Field(None, description="Of the sentence in the catalogue, for another language.")
    values: dict[str, Any] | None = Field(None, description="What fills its places.")


class Whose(_Body):
    """Somebody in a room."""

    name: Annotated[str, Field(min_length=1, max_length=64)]


class SeatLink(BaseModel):
    """A link to a seat."""

    url: str
    qr: str = Field(description="The same as a picture, for a data: address.")
    expires: int = Field(description="Epoch milliseconds.")


class NewName(_Body):
    """The name one goes by."""

    name: Annotated[str, Field(min_length=1, max_length=64)]


def _no_controls(text: str) -> str:
    if not text.isprintable():
        raise ValueError("not a code")
    return text


Code = Annotated[str, AfterValidator(_no_controls)]

REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": Error}, 401: {"model": Error}, 403: {"model": Error}, 404: {"model": Error}, 409: {"model": Error},
    413: {"model": Error}, 422: {"model": Error}, 429: {"model": Error}, 503: {"model": Error},
}  # fmt: skip


@router.get("/games")
async def games(request: Request, site: SiteHere) -> dict[str, Any]:
    """Every game with its presets and switches, as forms and rules pages show them, and the kinds of bots."""
    return {"games": forms.catalogue(site.templates.texts(request.scope)), "bots": list(bot_kinds.BOTS)}


@router.post("/options", responses=REFUSALS)
async def check(asked: Proposal) -> Checked:
    """Whether these options go together: contradictions and unknown switches are named."""
    try:
        game = opening.game_called(asked.game)
        options = game.declared.resolve(asked.options)
    except RuleError as error:
        return Checked(ok=False, message=error.sentence, **errors.keyed(error.sentence))
    return Checked(
        ok=True,
        options=options.to_json(),
        differences=game.declared.differences(options),
        players=list(game.players(options)),
    )


@router.post("/rooms", status_code=201, responses=REFUSALS)
async def open_room(request: Request, response: Response, site: SiteHere, me: Me, asked: NewRoom) -> RoomOpened:
    """Open a room; whoever opens it is its host. Sets the cookie if there is none."""
    wait = site.openings.wait(client_key(request.scope))
    if wait:
        raise errors.too_fast(wait)
    settings = asked.model_dump(exclude={"name"}, exclude_none=True)
    opened = await opening.open_room(site, request.scope, me, asked.name, settings)
    if opened.token is not None:
        remember(response, opened.token, secure=is_secure(request.scope))
    link = f"{shared_origin(request.scope, site.settings)}/j/{opened.invite}"
    return RoomOpened(code=opened.code, invite=opened.invite, url=f"/r/{opened.code}", link=link)


@router.get("/rooms/{code}", responses=REFUSALS)
async def room(request: Request, site: SiteHere, person: Me, code: Code) -> dict[str, Any]:
    """What a room is about, for somebody who has its code: game, phase, people."""
    runner = await opening.find(site, request.scope, code, person)
    return opening.summary(runner.room)


@router.post("/rooms/{code}/links", status_code=201, responses=REFUSALS)
async def link_to_seat(request: Request, site: SiteHere, person: Somebody, code: Code, asked: Whose) -> SeatLink:
    """A link, good once, that gives another browser the seat of somebody who is away. For the host; all are told."""
    runner, token = await opening.link_to_seat(site, request.scope, code, person, asked.name)
    url = f"{shared_origin(request.scope, site.settings)}/r/{runner.code}/seat/{token}"
    return SeatLink(url=url, qr=as_data(url), expires=runner.room.members[asked.name].link_until)


@router.post("/people", status_code=201, responses=REFUSALS)
async def new_person(request: Request, response: Response, site: SiteHere, asked: NewPerson) -> PersonMade:
    """Become somebody: for programs, which keep their token themselves. Browsers get it as a cookie with the room."""
    name = None if asked.name is None else names.clean(asked.name)
    _, token = await opening.newcomer(site, request.scope, name)
    response.headers["Cache-Control"] = "no-store"
    return PersonMade(token=token)


@router.get("/me", responses=REFUSALS)
async def me(person: Me) -> dict[str, Any]:
    """The name this browser's person last used."""
    return {"known": person is not None, "name": None if person is None else person.name}


@router.put("/me", responses=REFUSALS)
async def rename(site: SiteHere, person: Somebody, asked: NewName) -> dict[str, Any]:
    """Another name for next time; names in rooms stay as they are."""
    name = names.clean(asked.name)
    await site.people.rename(person, name)
    return {"known": True, "name": name}


@router.post("/me/recovery", status_code=201, responses=REFUSALS)
async def recovery(request: Request, site: SiteHere, person: Somebody) -> dict[str, Any]:
    """A link, good once, that makes another device this person's (and this one nobody's), with its QR code.

    No code where the link would mean the other device itself.
    """
    token, expires_at = await site.people.start_recovery(person)
    url = f"{shared_origin(request.scope, site.settings)}/recover/{token}"
    return {
        "url": url,
        "qr": None if leads_here_only(url) else as_data(url),
        "expires": int(expires_at.timestamp() * 1000),
    }


@router.get("/history", responses=REFUSALS)
async def history(site: SiteHere, person: Me, before: Code | None = None) -> dict[str, Any]:
    """One's own matches, newest first, a page at a time. `before` is the `next` of the page before."""
    return await replay.my_matches(site, person, before)


@router.get("/matches/{match_id}", responses=REFUSALS)
async def match(request: Request, site: SiteHere, person: Me, match_id: Code) -> Response:
    """A match and the table of its finished hands."""
    async with site.workshop.turn(client_key(request.scope)) as work:
        body = await work(as_json, await replay.match(site, match_id, person))
    return Response(body, media_type="application/json")


@router.get("/matches/{match_id}/hands/{number}", responses=REFUSALS)
async def hand(
    request: Request, site: SiteHere, match_id: Code, number: Annotated[int, Field(ge=0, le=100_000)]
) -> Response:
    """A finished hand, step by step: the table and everybody's cards after each action."""
    async with site.workshop.turn(client_key(request.scope)) as work:
        body = await work(as_json, await replay.frames(site, match_id, number))
    # A finished hand never changes; who has looked at it once needs it no more.
    return Response(body, media_type="application/json", headers={"Cache-Control": "private, max-age=3600"})


@router.get("/protocol")
async def protocol_schema() -> dict[str, Any]:
    """The JSON schema of every message of `/ws/{code}`."""
    return _protocol()


@functools.cache
def _protocol() -> dict[str, Any]:
    return protocol.schema()
