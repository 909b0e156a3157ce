"""All of what people speak of in a book, and all decrees: some at a time, the newest first. Thin, as `rooms.py`.

Beyond what every template gets:

    moments.html   moments [moment], orders (whether they are decrees), book and path (of the book, and of this page),
                   more (what `?before=` asks for, or None)
"""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, Literal, TypeAlias

from fastapi import APIRouter, Query
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.store.history.person_stats import PersonMoments
from app.web.api.dependencies import Code
from app.web.pages import stats
from app.web.pages.page import Here, Pages
from app.web.services import room_access
from app.web.stats import common
from app.web.stats.room_page import ORDERS

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

LISTED: Final = 50
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND: Final = timedelta(microseconds=1)

Kind: TypeAlias = Literal["moments", "decrees"]
InRoom = Annotated[str | None, Query(alias="before", max_length=40, pattern=r"^\d{1,9}-\d{1,9}$")]
"""A hand of the room, and a place in its list: what was before is asked for."""
OfPerson = Annotated[str | None, Query(alias="before", max_length=40, pattern=r"^\d{1,17}-\d{1,9}-\d{1,9}$")]
"""The same with the time before it, in microseconds: somebody's hands are of many rooms."""


@router.get("/r/{code}/book/{kind}")
async def of_room(here: Here, code: Code, kind: Kind, before: InRoom = None) -> Response:
    """List the moments or the decrees of a room, for its people."""
    lead = await room_access.been_in(here.site, here.request.scope, code, here.me)
    if lead.code != code:
        return RedirectResponse(f"/r/{lead.code}/book/{kind}", 303)
    return await _listed(here, lead.room, f"/r/{lead.code}/book", kind, before)


@router.get("/book/{secret}/{kind}")
async def shared(here: Here, secret: Code, kind: Kind, before: InRoom = None) -> Response:
    """List the same for whoever has the book's link."""
    return await _listed(here, await stats.room_of_link(here, secret), f"/book/{secret}", kind, before)


@router.get("/me/moments")
async def mine(here: Here, before: OfPerson = None) -> Response:
    """List somebody's own moments, of all their rooms."""
    found = PersonMoments((), None)
    if here.me is not None:
        key = None if before is None else _time_key(before)
        found = await here.site.store.persons.moments(here.me.id, limit=LISTED, before=key)
    more = None
    if found.next is not None:
        at, nth, place = found.next
        more = f"{(at - EPOCH) // MICROSECOND}-{nth}-{place}"
    moments = common.moments(found.moments, here.texts)
    return here.page("moments", moments=moments, orders=False, book="/me", path="/me/moments", more=more)


async def _listed(here: Pages, room: str, book: str, kind: Kind, before: str | None) -> Response:
    key = None
    if before is not None:
        nth, _, place = before.partition("-")
        key = int(nth), int(place)
    orders = kind == "decrees"
    what, but = (ORDERS, ()) if orders else (None, ORDERS)
    found = await here.site.store.books.moments(room, what=what, but=but, limit=LISTED, before=key)
    return here.page(
        "moments",
        moments=common.moments(found.moments, here.texts),
        orders=orders,
        book=book,
        path=f"{book}/{kind}",
        more=None if found.next is None else "{}-{}".format(*found.next),
    )


def _time_key(before: str) -> tuple[datetime, int, int]:
    at, nth, place = map(int, before.split("-"))
    return EPOCH + at * MICROSECOND, nth, place
