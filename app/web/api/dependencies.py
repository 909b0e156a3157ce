"""FastAPI dependencies of endpoints and pages: the site, the person who asks, codes, strict bodies."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import Depends, Path, Query, Request
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from app.engine.base.messages import MessageTemplate
from app.web.context.sessions import Person, SignedInDevice
from app.web.context.site import AppContext, site_of
from app.web.http import errors

InjectedAppContext = Annotated[AppContext, Depends(site_of)]


async def _find_session(request: Request, site: InjectedAppContext) -> SignedInDevice | None:
    return await site.people.find_session(request.scope)


async def _find_person(known: Annotated[SignedInDevice | None, Depends(_find_session)]) -> Person | None:
    return None if known is None else known.person


NOBODY_KNOWS_YOU = MessageTemplate(
    "web.nobody_knows_you",
    "You have no profile yet. Open a room first; a program can use POST /api/people.",
)


async def _require_person(person: Annotated[Person | None, Depends(_find_person)]) -> Person:
    if person is None:
        raise errors.HttpError(401, "no_session", NOBODY_KNOWS_YOU())
    return person


OptionalPerson = Annotated[Person | None, Depends(_find_person)]

OptionalSession = Annotated[SignedInDevice | None, Depends(_find_session)]

RequiredPerson = Annotated[Person, Depends(_require_person)]

ONE_EXPORT = MessageTemplate("web.one_export", "Your last download is still running. Wait until it ends.")


async def _hold_export_slot(site: InjectedAppContext, person: RequiredPerson) -> AsyncIterator[Person]:
    if person.id in site.exporting:
        raise errors.HttpError(409, "not_now", ONE_EXPORT())
    site.exporting.add(person.id)
    try:
        yield person  # until the response is sent or its connection is lost
    finally:
        site.exporting.discard(person.id)


ExportingPerson = Annotated[Person, Depends(_hold_export_slot)]
"""The signed-in person, who downloads one file of all matches at a time; 409 for a second one."""


class StrictBody(BaseModel):
    """Base of all request bodies of the API: unknown fields and values of another type are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


LONGEST_CODE = 128
"""Limit for the characters of a path segment: a code, an id, a token, or the name of a seat."""


class Error(BaseModel):
    """The JSON answer to every refused request: an error code, and a sentence that can be translated."""

    code: str = Field(description="The error code, such as `not_found`.")
    message: str = Field(description="The error as a sentence.")
    key: str | None = Field(
        None, description="The key of the sentence in the message catalogue, for translation. Missing for some errors."
    )
    values: dict[str, Any] | None = Field(None, description="Values of the placeholders in that sentence.")


NOT_A_CODE = MessageTemplate("refused.not_a_code", "invalid code")


def _check_printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError(NOT_A_CODE())
    return text


PathSegment = Annotated[str, Field(max_length=LONGEST_CODE), AfterValidator(_check_printable)]

MatchId = Annotated[PathSegment, Path(description="The id of the match.")]

HandNumber = Annotated[int, Path(ge=0, le=100_000, description="The number of the hand in the match, from 0.")]

SeatFilter = Annotated[
    PathSegment | None, Query(description="The name of a player. The answer has only what this player knew.")
]

RoomCode = Annotated[
    str | None,
    Query(max_length=12, pattern=r"^[A-Za-z0-9]{1,12}$", description="The code of the room to open afterwards."),
]

REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": Error}, 401: {"model": Error}, 403: {"model": Error}, 404: {"model": Error}, 409: {"model": Error},
    413: {"model": Error}, 414: {"model": Error}, 422: {"model": Error}, 429: {"model": Error}, 431: {"model": Error},
    503: {"model": Error},
}  # fmt: skip
