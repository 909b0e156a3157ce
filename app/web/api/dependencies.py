"""What endpoints and pages ask FastAPI for: the site, the person who asks, codes, strict bodies."""

from typing import Annotated, Any

from fastapi import Depends, Query, Request
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from app.engine.base.messages import Sentence
from app.web.context.sessions import Known, Person
from app.web.context.site import Site, of
from app.web.http import errors

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


LONGEST_CODE = 128
"""Characters in a part of an address: a code, an id, a token, or the name of a seat."""


class Error(BaseModel):
    """Every refusal."""

    code: str
    message: str
    key: str | None = Field(None, description="Of the sentence in the catalogue, for another language.")
    values: dict[str, Any] | None = Field(None, description="What fills its places.")


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
