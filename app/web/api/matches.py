"""Endpoints for matches: search, story, replay frames, hindsight, and new rooms from old deals."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from app.web.api.dependencies import LONGEST_CODE, REFUSALS, Body, Code, Me, SiteHere, Somebody
from app.web.api.rooms import RoomOpened, opened_at, opens_a_room
from app.web.client_address import client_key
from app.web.http import errors
from app.web.http.work_queue import as_json
from app.web.matches import analysis, frames, new_room, search, story

router = APIRouter(prefix="/api", tags=["api"])

Typed = Annotated[str, Field(max_length=LONGEST_CODE)]
"""A field of the search for matches, as it was typed."""


class VariationAsked(Body):
    """Where a variation begins, and who sits where."""

    move: Annotated[int, Field(ge=0, le=100_000)] = Field(description="How many actions of the hand are made already.")
    chair: Annotated[str, Field(min_length=1, max_length=64)] = Field(description="Of whoever opens it: a name.")
    friends: bool = Field(False, description="Whether the other chairs wait a while for people before bots play.")


class DealsAsked(Body):
    """Who plays the deals of a match again."""

    name: Annotated[str, Field(min_length=1, max_length=64)] = Field(description="Of whoever opens the room: the host.")


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


@router.get("/history", responses=REFUSALS)
async def matches(request: Request, site: SiteHere, person: Me, asked: Annotated[Sought, Query()]) -> dict[str, Any]:
    """One's own matches, or those of a room that one has been in, newest first, a page at a time."""
    return await search.found(site, person, asked.model_dump(by_alias=True), site.templates.texts(request.scope))


@router.get("/matches/{match_id}", responses=REFUSALS)
async def match(request: Request, site: SiteHere, person: Me, match_id: Code) -> Response:
    """A match and the table of its finished hands."""
    async with site.slow_work.turn(client_key(request.scope)) as work:
        body = await work(as_json, await frames.match(site, match_id, person))
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
        body = await work(as_json, await frames.frames(site, match_id, number, seat))
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
) -> analysis.HindsightShown:
    """What a hard bot would have done at a turn of one's own in a hand that is over, and why, in the language of who
    asks. It goes by what that seat knew then."""
    wait = site.questions.wait(person.id)
    if wait:
        raise errors.too_fast(wait)
    texts = site.templates.texts(request.scope)
    return await analysis.asked(site, client_key(request.scope), person, match_id, number, move, texts)


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
    async with opens_a_room(request, site):
        opened = await new_room.go_on(
            site, request.scope, me, match_id, number, asked.move, asked.chair, friends=asked.friends
        )
    return opened_at(request, response, site, opened)


@router.post("/matches/{match_id}/again", status_code=201, responses=REFUSALS)
async def again(
    request: Request, response: Response, site: SiteHere, me: Me, match_id: Code, asked: DealsAsked
) -> RoomOpened:
    """Open a room whose first match is dealt the cards of this one, seat by seat. It counts for nothing but itself."""
    async with opens_a_room(request, site):
        opened = await new_room.again(site, request.scope, me, match_id, asked.name)
    return opened_at(request, response, site, opened)
