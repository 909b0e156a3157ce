"""Endpoints for uploaded record files: list their matches, show a hand, save them, delete them."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from app.web.api.dependencies import REFUSALS, Code, Me, SiteHere, Somebody
from app.web.client_address import client_key, is_secure
from app.web.context.sessions import remember
from app.web.http import errors
from app.web.http.work_queue import as_json
from app.web.matches import import_files
from app.web.services import room_access

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
    return {"matches": await import_files.kept(site, person)}


@router.post("", responses=REFUSALS, openapi_extra=FILE)
async def look(request: Request, site: SiteHere, first: First = None) -> Response:
    """What is in a file of records, a match or a room, hand by hand, and which deals were fair. Nothing is kept."""
    body = await request.body()
    async with site.imports.turn(client_key(request.scope)) as work:
        found = await work(as_json, await import_files.shown(work, site.settings.limits, body, first))
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
        found = await import_files.frames(work, site.settings.limits, body, match, number, seat)
        shown = await work(as_json, found)
    return Response(shown, media_type="application/json")


@router.post("/kept", status_code=201, responses=REFUSALS, openapi_extra=FILE)
async def keep(request: Request, response: Response, site: SiteHere, me: Me, first: First = None) -> NowKept:
    """Keep what is in a file: its matches are one's own, marked as imported, and count for nothing. Sets the cookie if
    there is none."""
    body = await request.body()
    async with site.imports.turn(client_key(request.scope)) as work:
        found = await import_files.read_all(work, site.settings.limits, body, first)
        await import_files.check_limits(site, me, found, client_key(request.scope))
        person, token = (me, None) if me is not None else await room_access.newcomer(site, request.scope)
        kept = await import_files.keep(site, person, found)
    if token is not None:
        remember(response, token, secure=is_secure(request.scope))
    return NowKept(matches=kept)


@router.delete("/{match_id}", status_code=204, responses=REFUSALS)
async def drop(site: SiteHere, person: Somebody, match_id: Code) -> None:
    """Let go of a match that one has brought."""
    if not await site.store.imports.drop(person.id, match_id):
        raise errors.not_found(site.said("error.no_match"))
