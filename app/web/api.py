"""The JSON endpoints. Thin: rooms and store do the work, `errors.py` answers when they refuse."""

import functools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from app.bots import LEVELS
from app.engine.errors import RuleError
from app.engine.games import GAMES
from app.engine.words import Sentence
from app.rooms import names
from app.rooms.settings import Lasting
from app.web import (
    errors,
    forms,
    hindsight,
    history,
    opening,
    protocol,
    replay,
    rule_links,
    same_for_all,
    story,
    variations,
)
from app.web.address import client_key, is_secure
from app.web.people import Known, Person, remember
from app.web.qr import as_data
from app.web.sharing import shared_origin
from app.web.site import Site, of
from app.web.slow_work import as_json
from app.web.texts import Texts

router = APIRouter(prefix="/api", tags=["api"])

SiteHere = Annotated[Site, Depends(of)]


async def _known(request: Request, site: SiteHere) -> Known | None:
    return await site.people.known(request.scope)


async def _me(known: Annotated[Known | None, Depends(_known)]) -> Person | None:
    return None if known is None else known.person


NOBODY_KNOWS_YOU = Sentence(
    "web.nobody_knows_you",
    "Nobody knows you yet: open a room first, or as a program POST /api/people.",
)


async def _somebody(person: Annotated[Person | None, Depends(_me)]) -> Person:
    if person is None:
        raise errors.Refusal(401, "no_session", NOBODY_KNOWS_YOU())
    return person


Me = Annotated[Person | None, Depends(_me)]
KnownHere = Annotated[Known | None, Depends(_known)]
Somebody = Annotated[Person, Depends(_somebody)]


class Body(BaseModel):
    """What is sent: closed, and of strict types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewRoom(Body):
    """A room to be opened; what is left out has its default."""

    name: Annotated[str, Field(min_length=1, max_length=64)] = Field(description="Of whoever opens it: the host.")
    game: protocol.Word = next(iter(GAMES))
    options: protocol.Json = Field(default={}, description="A preset and the switches that differ from it.")
    clock: protocol.Json = Field(default={}, description="turn, pause: seconds or null; away, patience: seconds.")
    bots: Annotated[list[protocol.Word], Field(max_length=20)] = Field(default=[], description="Kinds of bots to seat.")
    bots_delay: protocol.Seconds | None = None
    stake: protocol.Json | None = Field(default=None, description="What is paid for each point: amount and unit.")
    ranks: Lasting = Field(default="game", description="When the hierarchy lasts into the next match.")


class RoomOpened(BaseModel):
    """Where the new room is."""

    code: str
    room: str = Field(description="Its id, which it keeps when it gets another code. It opens nothing.")
    invite: str
    url: str = Field(description="The room's page, on this server.")
    link: str = Field(description="The address to share.")


class VariationAsked(Body):
    """Where a variation begins, and who sits where."""

    move: Annotated[int, Field(ge=0, le=100_000)] = Field(description="How many actions of the hand are made already.")
    chair: Annotated[str, Field(min_length=1, max_length=64)] = Field(description="Of whoever opens it: a name.")
    friends: bool = Field(False, description="Whether the other chairs wait a while for people before bots play.")


class DealsAsked(Body):
    """Who plays the deals of a match again."""

    name: Annotated[str, Field(min_length=1, max_length=64)] = Field(description="Of whoever opens the room: the host.")


class NewPerson(Body):
    """Somebody new, for a program."""

    name: Annotated[str, Field(min_length=1, max_length=64)] | None = Field(None, description="As with PUT /api/me.")


class PersonMade(BaseModel):
    """What a program is somebody with."""

    token: str = Field(description="For `Authorization: Bearer`, on requests and sockets. It is told this once.")


class Proposal(Body):
    """Options to be looked at before a room is made of them."""

    game: protocol.Word
    options: protocol.Json = {}


LONGEST_CODE = 128
"""Characters in a part of an address: a code, an id, a token, or the name of a seat."""
Typed = Annotated[str, Field(max_length=LONGEST_CODE)]
"""A field of the form that looks for matches."""


class Sought(BaseModel):
    """Which matches are asked for; what is left out may be anything."""

    room: Typed = Field("", description="The code of a room that one has been in: all its matches, not only one’s own.")
    person: Typed = Field("", description="Somebody who played, by their name as in the match or as now.")
    game: Typed = ""
    first: Typed = Field("", alias="from", description="A day, such as 2026-11-22: begun then or later.")
    last: Typed = Field("", alias="to", description="A day: begun then or earlier.")
    q: Typed = Field(
        "",
        description="Words that must all be there: of names, the game, a code of your room, decrees.",
    )
    before: Typed = Field("", description="The `next` of the page before.")
    offset: Typed = Field("", description="Minutes by which days are ahead of UTC.")


class Checked(BaseModel):
    """Whether they are good, and what they come to."""

    ok: bool
    message: str | None = None
    key: str | None = None
    values: dict[str, Any] | None = None
    options: dict[str, Any] | None = None
    differences: dict[str, Any] | None = None
    players: list[int] | None = None
    link: str | None = Field(None, description="The form for a room with these rules, on this server.")


class Error(BaseModel):
    """Every refusal."""

    code: str
    message: str
    key: str | None = Field(None, description="Of the sentence in the catalogue, for another language.")
    values: dict[str, Any] | None = Field(None, description="What fills its places.")


class Whose(Body):
    """Somebody in a room."""

    name: Annotated[str, Field(min_length=1, max_length=64)]


class SeatLink(BaseModel):
    """A link to a seat."""

    url: str
    qr: str = Field(description="The same as a picture, for a data: address.")
    expires: int = Field(description="Epoch milliseconds.")


NOT_A_CODE = Sentence("refused.not_a_code", "not a code")


def _no_controls(text: str) -> str:
    if not text.isprintable():
        raise ValueError(NOT_A_CODE())
    return text


Code = Annotated[str, Field(max_length=LONGEST_CODE), AfterValidator(_no_controls)]
RoomCode = Annotated[
    str | None, Query(max_length=12, pattern=r"^[A-Za-z0-9]{1,12}$", description="The code of a room to go on to.")
]

REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": Error}, 401: {"model": Error}, 403: {"model": Error}, 404: {"model": Error}, 409: {"model": Error},
    413: {"model": Error}, 414: {"model": Error}, 422: {"model": Error}, 429: {"model": Error}, 431: {"model": Error},
    503: {"model": Error},
}  # fmt: skip


@router.get("/games")
async def games(request: Request, site: SiteHere) -> Response:
    """Every game with its presets and switches, as forms and rules pages show them, and the kinds of bots."""
    return same_for_all.answer(request.scope, _games(site.templates.texts(request.scope), site.levels))


@functools.lru_cache(maxsize=64)
def _games(texts: Texts, levels: tuple[str, ...]) -> same_for_all.Made:
    signs = {kind: LEVELS[kind].sign for kind in levels}
    return same_for_all.made(as_json({"games": forms.catalogue(texts), "bots": levels, "signs": signs}))


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
        link=rule_links.link(game, options.to_json()),
    )


@router.post("/rooms", status_code=201, responses=REFUSALS)
async def open_room(request: Request, response: Response, site: SiteHere, me: Me, asked: NewRoom) -> RoomOpened:
    """Open a room; whoever opens it is its host. Sets the cookie if there is none."""
    wait = site.openings.wait(client_key(request.scope))
    if wait:
        raise errors.too_fast(wait)
    settings = asked.model_dump(exclude={"name"}, exclude_none=True)
    return _at(request, response, site, await opening.open_room(site, request.scope, me, asked.name, settings))


@router.get("/rooms/{code}", responses=REFUSALS)
async def room(request: Request, site: SiteHere, person: Me, code: Code) -> dict[str, Any]:
    """What a room is about, for somebody who has its code: game, phase, people."""
    runner = await opening.find(site, request.scope, code, person)
    return opening.summary(runner.room)


@router.post("/rooms/{code}/links", status_code=201, responses=REFUSALS)
async def link_to_seat(request: Request, site: SiteHere, known: KnownHere, code: Code, asked: Whose) -> SeatLink:
    """Make a link that gives the seat of an absent player to another browser, once. For the host; everybody is told."""
    if known is None:
        raise errors.Refusal(401, "no_session", NOBODY_KNOWS_YOU())
    runner, token = await opening.link_to_seat(site, request.scope, code, known, asked.name)
    url = f"{shared_origin(request.scope, site.settings)}/r/{runner.code}/seat/{token}"
    return SeatLink(url=url, qr=as_data(url), expires=runner.room.members[asked.name].link_until)


@router.post("/people", status_code=201, responses=REFUSALS)
async def new_person(request: Request, response: Response, site: SiteHere, asked: NewPerson) -> PersonMade:
    """Become somebody: for programs, which keep their token themselves. Browsers get it as a cookie with the room."""
    name = None if asked.name is None else names.chosen(asked.name)
    _, token = await opening.newcomer(site, request.scope, name)
    response.headers["Cache-Control"] = "no-store"
    return PersonMade(token=token)


@router.get("/history", responses=REFUSALS)
async def matches(request: Request, site: SiteHere, person: Me, asked: Annotated[Sought, Query()]) -> dict[str, Any]:
    """One's own matches, or those of a room that one has been in, newest first, a page at a time."""
    return await history.found(site, person, asked.model_dump(by_alias=True), site.templates.texts(request.scope))


@router.get("/matches/{match_id}", responses=REFUSALS)
async def match(request: Request, site: SiteHere, person: Me, match_id: Code) -> Response:
    """A match and the table of its finished hands."""
    async with site.slow_work.turn(client_key(request.scope)) as work:
        body = await work(as_json, await replay.match(site, match_id, person))
    return Response(body, media_type="application/json")


@router.get("/matches/{match_id}/story", responses=REFUSALS)
async def story_of_match(request: Request, site: SiteHere, person: Me, match_id: Code) -> Response:
    """The story of a match that is over, in the language of who asks: who won, who rose and who fell, the best play,
    each with the way to see it again. No scenes while it goes on."""
    async with site.slow_work.turn(client_key(request.scope)) as work:
        whole = await story.whole(site, match_id, person)
        scenes = await work(story.scenes_of, whole, site.templates.texts(request.scope))
    return Response(as_json({"scenes": scenes}), media_type="application/json")


@router.get("/matches/{match_id}/hands/{number}", responses=REFUSALS)
async def hand(
    request: Request,
    site: SiteHere,
    match_id: Code,
    number: Annotated[int, Field(ge=0, le=100_000)],
    seat: Code | None = None,
) -> Response:
    """A finished hand, step by step: the table and everybody's cards after each action. With `seat`, a name, what that
    seat knew then."""
    async with site.slow_work.turn(client_key(request.scope)) as work:
        body = await work(as_json, await replay.frames(site, match_id, number, seat))
    # A finished hand never changes; who has looked at it once needs it no more.
    return Response(body, media_type="application/json", headers={"Cache-Control": "private, max-age=3600"})


@router.get("/matches/{match_id}/hands/{number}/hindsight", responses=REFUSALS)
async def what_hard_would_have_done(
    request: Request,
    site: SiteHere,
    person: Somebody,
    match_id: Code,
    number: Annotated[int, Field(ge=0, le=100_000)],
    move: Annotated[int, Query(ge=0, le=100_000, description="How many actions of the hand were made before.")],
) -> hindsight.HindsightShown:
    """What a hard bot would have done at a turn of one's own in a hand that is over, and why, in the language of who
    asks. It goes by what that seat knew then."""
    wait = site.questions.wait(person.id)
    if wait:
        raise errors.too_fast(wait)
    texts = site.templates.texts(request.scope)
    return await hindsight.asked(site, client_key(request.scope), person, match_id, number, move, texts)


@router.post("/matches/{match_id}/hands/{number}/variations", status_code=201, responses=REFUSALS)
async def go_on(
    request: Request,
    response: Response,
    site: SiteHere,
    me: Me,
    match_id: Code,
    number: Annotated[int, Field(ge=0, le=100_000)],
    asked: VariationAsked,
) -> RoomOpened:
    """Open a room that goes on from a moment of a finished hand: a variation. Whoever opens it is its host, in a chair
    of that hand. It counts for nothing but itself."""
    async with _opens_a_room(request, site):
        opened = await variations.go_on(
            site, request.scope, me, match_id, number, asked.move, asked.chair, friends=asked.friends
        )
    return _at(request, response, site, opened)


@router.post("/matches/{match_id}/again", status_code=201, responses=REFUSALS)
async def again(
    request: Request, response: Response, site: SiteHere, me: Me, match_id: Code, asked: DealsAsked
) -> RoomOpened:
    """Open a room whose first match is dealt the cards of this one, seat by seat. It counts for nothing but itself."""
    async with _opens_a_room(request, site):
        opened = await variations.again(site, request.scope, me, match_id, asked.name)
    return _at(request, response, site, opened)


@asynccontextmanager
async def _opens_a_room(request: Request, site: Site) -> AsyncIterator[None]:
    """Wait for one's turn to look through a match and open a room of it; not too many from one address."""
    client = client_key(request.scope)
    wait = site.openings.wait(client)
    if wait:
        raise errors.too_fast(wait)
    async with site.slow_work.turn(client):
        yield


def _at(request: Request, response: Response, site: Site, opened: opening.OpenedRoom) -> RoomOpened:
    """Where a new room is, for whoever has opened it."""
    if opened.token is not None:
        remember(response, opened.token, secure=is_secure(request.scope))
    link = f"{shared_origin(request.scope, site.settings)}/j/{opened.invite}"
    return RoomOpened(code=opened.code, room=opened.room, invite=opened.invite, url=f"/r/{opened.code}", link=link)


@router.get("/protocol")
async def protocol_schema() -> dict[str, Any]:
    """The JSON schema of every message of `/ws/{code}`."""
    return _protocol()


@functools.cache
def _protocol() -> dict[str, Any]:
    return protocol.schema()
