"""Endpoints for uploaded record files: list their matches, show a hand, save them, delete them."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from app.web.api.dependencies import (
    REFUSALS,
    HandNumber,
    InjectedAppContext,
    MatchId,
    OptionalPerson,
    RequiredPerson,
    SeatFilter,
)
from app.web.client_address import client_key, is_secure
from app.web.context.sessions import set_session_cookie
from app.web.context.site import AppContext
from app.web.http import errors
from app.web.matches import saved_imports
from app.web.matches.import_worker import SMALL, ImportAnswer, ImportJob
from app.web.services import room_access

First = Annotated[
    int | None,
    Query(ge=1, le=100_000, description="For a part of a room’s file: the number of its first match, from 1."),
]

router = APIRouter(prefix="/api/imports", tags=["api"])

FILE: dict[str, Any] = {
    "requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}},
}
"""The OpenAPI description of the body: the plain file."""


class SavedImports(BaseModel):
    """The answer after saving a file: the ids of its matches."""

    matches: list[str] = Field(description="The ids of the saved matches, for /matches/{id}.")


@router.get("", responses=REFUSALS)
async def list_imported_matches(site: InjectedAppContext, person: OptionalPerson) -> dict[str, Any]:
    """Return the matches that the signed-in person has imported from files, the latest first."""
    return {"matches": await saved_imports.list_imported(site, person)}


@router.post("", responses=REFUSALS, openapi_extra=FILE)
async def preview_file(request: Request, site: InjectedAppContext, first: First = None) -> Response:
    """Return what a match or room file contains, hand by hand, and which deals were fair.

    Nothing is saved.
    """
    answer = await _read_file(request, site, "preview", first=first)
    return Response(answer.body, answer.status, media_type="application/json")


@router.post("/hands/{number}", responses=REFUSALS, openapi_extra=FILE)
async def preview_hand(
    request: Request,
    site: InjectedAppContext,
    number: HandNumber,
    match: Annotated[int, Query(ge=0, le=100_000, description="The number of the match in the file, from 0.")] = 0,
    seat: SeatFilter = None,
) -> Response:
    """Return one hand of a match in the sent file, step by step, like a saved hand. Nothing is saved.

    `match` and `number`: the match in the file and its hand, from 0. `seat`: only what this player knew.
    """
    answer = await _read_file(request, site, "hand", match=match, hand=number, seat=seat)
    return Response(answer.body, answer.status, media_type="application/json")


@router.post("/kept", status_code=201, response_model=SavedImports, responses=REFUSALS, openapi_extra=FILE)
async def save_file(
    request: Request, response: Response, site: InjectedAppContext, me: OptionalPerson, first: First = None
) -> Response | SavedImports:
    """Save all matches in a file for the signed-in person, marked as imported and left out of all statistics.

    A visitor who is not known yet becomes a new person and gets the cookie. Refused if a limit is reached or a match
    can't be replayed.
    """
    answer = await _read_file(request, site, "save", first=first)
    if answer.body:
        return Response(answer.body, answer.status, media_type="application/json")
    await saved_imports.check_import_limits(site, me, answer.matches, client_key(request.scope))
    person, token = (me, None) if me is not None else await room_access.register_person(site, request.scope)
    saved = await saved_imports.save_matches(site, person, answer.matches)
    if token is not None:
        set_session_cookie(response, token, secure=is_secure(request.scope))
    return SavedImports(matches=saved)


async def _read_file(
    request: Request, site: AppContext, task: Literal["preview", "hand", "save"], **arguments: Any
) -> ImportAnswer:
    """Read the file of a request in a worker process, and return the answer: one file of an address at a time.

    `arguments`: fields of the `ImportJob`.
    """
    body = await request.body()
    job = ImportJob(task, saved_imports.file_limits(site.settings.limits), body, **arguments)
    async with site.import_queue.worker_slot(client_key(request.scope), is_large=len(body) > SMALL):
        return await saved_imports.run_import_job(site.import_workers, job)


@router.delete("/{match_id}", status_code=204, responses=REFUSALS)
async def delete_imported_match(site: InjectedAppContext, person: RequiredPerson, match_id: MatchId) -> None:
    """Delete a match that the signed-in person has imported; 404 if they have no such import."""
    if not await site.store.imported_matches.delete_match(person.id, match_id):
        raise errors.not_found_error(site.message("error.no_match"))
