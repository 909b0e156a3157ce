"""Bringing files of records, over HTTP: what is in one, a hand of it, keeping it and letting go. Thin, as `api.py`."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from app.web import errors, importing, opening
from app.web.address import client_key, is_secure
from app.web.api import REFUSALS, Code, Me, SiteHere, Somebody
from app.web.people import remember
from app.web.slow_work import as_json

First = Annotated[
    int | None, Query(ge=1, le=100_000, description="The number of its first match, of a part of a room’s file.")
]

router = APIRouter(prefix="/api/imports", tags=["api"])

FILE: dict[str, Any] = {
    "requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}},
}
"""What is sent: the file as it is."""


class NowKept(BaseModel):
    """What was kept."""

    matches: list[str] = Field(description="Ids of the matches: those of /matches/{id}.")


@router.get("", responses=REFUSALS)
async def brought(site: SiteHere, person: Me) -> dict[str, Any]:
    """The matches that one has brought as files, the latest first."""
    return {"matches": await importing.kept(site, person)}


@router.post("", responses=REFUSALS, openapi_extra=FILE)
async def look(request: Request, site: SiteHere, first: First = None) -> Response:
    """What is in a file of records, a match or a room, hand by hand, and which deals were fair. Nothing is kept."""
    body = await request.body()
    async with site.imports.turn(client_key(request.scope)) as work:
        found = await work(as_json, await importing.shown(work, site.settings.limits, body, first))
    return Response(found, media_type="application/json")


@router.post("/hands/{number}", responses=REFUSALS, openapi_extra=FILE)
async def hand(
    request: Request,
    site: SiteHere,
    number: Annotated[int, Field(ge=0, le=100_000)],
    match: Annotated[int, Query(ge=0, le=100_000)] = 0,
    seat: Code | None = None,
) -> Response:
    """A hand of a match (from 0) of a file, step by step, as one that is kept. Nothing is kept."""
    body = await request.body()
    async with site.imports.turn(client_key(request.scope)) as work:
        found = await importing.frames(work, site.settings.limits, body, match, number, seat)
        shown = await work(as_json, found)
    return Response(shown, media_type="application/json")


@router.post("/kept", status_code=201, responses=REFUSALS, openapi_extra=FILE)
async def keep(request: Request, response: Response, site: SiteHere, me: Me, first: First = None) -> NowKept:
    """Keep what is in a file: its matches are one's own, marked as imported, and count for nothing. Sets the cookie if
    there is none."""
    body = await request.body()
    async with site.imports.turn(client_key(request.scope)) as work:
        found = await importing.read_all(work, site.settings.limits, body, first)
        await importing.check_limits(site, me, found, client_key(request.scope))
        person, token = (me, None) if me is not None else await opening.newcomer(site, request.scope)
        kept = await importing.keep(site, person, found)
    if token is not None:
        remember(response, token, secure=is_secure(request.scope))
    return NowKept(matches=kept)


@router.delete("/{match_id}", status_code=204, responses=REFUSALS)
async def drop(site: SiteHere, person: Somebody, match_id: Code) -> None:
    """Let go of a match that one has brought."""
    if not await site.store.imports.drop(person.id, match_id):
        raise errors.not_found(site.said("error.no_match"))
