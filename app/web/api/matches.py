"""Endpoints for matches: search, story, replay frames, hindsight, and new rooms from old deals."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from app.web.api.dependencies import (
    LONGEST_CODE,
    REFUSALS,
    HandNumber,
    InjectedAppContext,
    MatchId,
    OptionalPerson,
    RequiredPerson,
    SeatFilter,
    StrictBody,
)
from app.web.api.rooms import RoomOpened, room_opened_response, room_opening_slot
from app.web.client_address import client_key
from app.web.http import errors
from app.web.http.work_queue import encode_json_in_parts
from app.web.matches import analysis, frames, new_room, search, story

router = APIRouter(prefix="/api", tags=["api"])

Typed = Annotated[str, Field(max_length=LONGEST_CODE)]
"""A filter of the match search, as typed."""


class VariationRequest(StrictBody):
    """Request to continue a hand from a position in a new room: where, and in which seat its host sits."""

    move: Annotated[int, Field(ge=0, le=100_000)] = Field(
        description="Number of actions of the hand before the variation begins."
    )
    seat: Annotated[str, Field(min_length=1, max_length=64)] = Field(
        description="The name of the player whose seat the host takes."
    )
    friends: bool = Field(False, description="Whether other seats wait for people for some time before bots play.")


class SameDealsRequest(StrictBody):
    """Request to play the deals of a match again in a new room."""

    name: Annotated[str, Field(min_length=1, max_length=64)] = Field(
        description="The name of the host, who opens the room."
    )


class MatchSearchQuery(BaseModel):
    """The conditions of a match search. All that are given must hold."""

    room: Typed = Field(
        "", description="The code of a room that you have been in. All its matches are searched, not only yours."
    )
    person: Typed = Field("", description="The name of a player, as in the match or as today.")
    game: Typed = Field("", description="The key of a game.")
    bots: Typed = Field("", description="with: a bot played in at least one hand. without: in none.")
    first: Typed = Field(
        "", alias="from", description="A day, such as 2026-11-22. Only matches that began on it or later."
    )
    last: Typed = Field("", alias="to", description="A day. Only matches that began on it or earlier.")
    q: Typed = Field(
        "",
        description="Words from names, the game, the code of your room or decrees. All of them must occur.",
    )
    before: Typed = Field("", description="The `next` of the previous page, for one page of older matches.")
    zone: Typed = Field("", description="The time zone of the days, such as Europe/Berlin.")
    offset: Typed = Field("", description="Minutes that your days are ahead of UTC, if `zone` is missing or unknown.")


@router.get("/history", responses=REFUSALS)
async def search_matches(
    request: Request, site: InjectedAppContext, person: OptionalPerson, query: Annotated[MatchSearchQuery, Query()]
) -> dict[str, Any]:
    """Return a page of the signed-in person's matches, newest first, that fulfil the search.

    With `room`: all matches of a room that they have been in. 422 for a condition that can't be read.
    """
    return await search.find_matches_or_raise(
        site, person, query.model_dump(by_alias=True), site.templates.texts_for_request(request.scope)
    )


class AlbumQuery(BaseModel):
    """Whose album, and which page of it."""

    room: Typed = Field("", description="The code of a room that you have been in: all its evenings, not only yours.")
    before: Typed = Field("", description="The `next` of the previous page, for one page of older evenings.")


@router.get("/history/evenings", responses=REFUSALS)
async def list_evenings(
    request: Request, site: InjectedAppContext, person: OptionalPerson, query: Annotated[AlbumQuery, Query()]
) -> dict[str, Any]:
    """Return a page of the signed-in person's evenings by month, newest first, in the language of the request.

    An evening has the matches of one room until a pause of six hours. 422 for an unknown room.
    """
    match_query = search.MatchQuery.from_query(query.model_dump())
    return {**await search.find_album(site, person, match_query, site.templates.texts_for_request(request.scope))}


@router.get("/matches/{match_id}", responses=REFUSALS)
async def get_match(request: Request, site: InjectedAppContext, person: OptionalPerson, match_id: MatchId) -> Response:
    """Return a match, played or imported, with the table of its hands; 404 if it does not exist."""
    async with site.work_queue.worker_slot(client_key(request.scope)) as work:
        body = await work(encode_json_in_parts, await frames.load_match_with_hands(site, match_id, person))
    return Response(body, media_type="application/json")


@router.get("/matches/{match_id}/story", responses=REFUSALS)
async def get_match_story(
    request: Request, site: InjectedAppContext, person: OptionalPerson, match_id: MatchId
) -> Response:
    """Return the story of a finished match in scenes: who won, who rose and fell, the best play.

    In the language of the request. Each scene has a link to the replay. Empty while the match runs.
    """
    async with site.work_queue.worker_slot(client_key(request.scope)) as work:
        whole = await story.load_whole_story(site, match_id, person)
        texts = frames.with_bots(site.templates.texts_for_request(request.scope), whole.match)
        scenes = await work(story.scene_views, whole, texts)
    return Response(encode_json_in_parts({"scenes": scenes}), media_type="application/json")


@router.get("/matches/{match_id}/hands/{number}", responses=REFUSALS)
async def get_hand(
    request: Request,
    site: InjectedAppContext,
    match_id: MatchId,
    number: HandNumber,
    seat: SeatFilter = None,
) -> Response:
    """Return a finished hand step by step: the table and all cards after each action.

    With `seat`, a name: only what this player knew then.
    """
    async with site.work_queue.worker_slot(client_key(request.scope)) as work:
        body = await work(encode_json_in_parts, await frames.load_hand_frames(site, match_id, number, seat))
    # A finished hand never changes, so browsers may cache it.
    return Response(body, media_type="application/json", headers={"Cache-Control": "private, max-age=3600"})


@router.get("/matches/{match_id}/hands/{number}/hindsight", responses=REFUSALS)
async def analyse_turn(
    request: Request,
    site: InjectedAppContext,
    person: RequiredPerson,
    match_id: MatchId,
    number: HandNumber,
    move: Annotated[int, Query(ge=0, le=100_000, description="Number of actions of the hand before this turn.")],
) -> analysis.HindsightView:
    """Return what a hard bot would have done at a turn that the signed-in person played, and why.

    The hand must be over. The bot uses only what the player knew then. In the language of the request.
    """
    wait = site.analysis_limiter.seconds_until_allowed(person.id)
    if wait:
        raise errors.rate_limit_error(wait)
    texts = site.templates.texts_for_request(request.scope)
    return await analysis.analyse_turn(site, client_key(request.scope), person, match_id, number, move, texts)


@router.post("/matches/{match_id}/hands/{number}/variations", status_code=201, responses=REFUSALS)
async def open_variation(
    request: Request,
    response: Response,
    site: InjectedAppContext,
    me: OptionalPerson,
    match_id: MatchId,
    number: HandNumber,
    body: VariationRequest,
) -> RoomOpened:
    """Open a room that continues from a position of a finished hand (a variation), with the visitor as host.

    The host plays a seat of that hand. The match is left out of all statistics.
    """
    async with room_opening_slot(request, site):
        opened = await new_room.open_room_from_position(
            site, request.scope, me, match_id, number, body.move, body.seat, friends=body.friends
        )
    return room_opened_response(request, response, site, opened)


@router.post("/matches/{match_id}/again", status_code=201, responses=REFUSALS)
async def open_room_with_same_deals(
    request: Request,
    response: Response,
    site: InjectedAppContext,
    me: OptionalPerson,
    match_id: MatchId,
    body: SameDealsRequest,
) -> RoomOpened:
    """Open a room whose first match is dealt the cards of this match, seat by seat, with the visitor as host.

    The new room's match is left out of all statistics.
    """
    async with room_opening_slot(request, site):
        opened = await new_room.open_room_with_same_deals(site, request.scope, me, match_id, body.name)
    return room_opened_response(request, response, site, opened)
