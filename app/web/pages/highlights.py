"""Pages that list all highlights of a room or person, or all decrees of a room: newest first, in parts.

Templates, and the values that they get in addition to the context of `page.py`:

    moments.html   moments [moment], orders (whether they are decrees), book (path of the stats page),
                   path (of this page), more (what `?before=` asks for, or None)
"""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, Literal, TypeAlias

from fastapi import APIRouter, Query
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.store.history.person_stats import PersonHighlights
from app.web.api.dependencies import PathSegment
from app.web.pages import stats
from app.web.pages.page import InjectedPageContext, PageContext
from app.web.services import room_access
from app.web.stats import common
from app.web.stats.room_page import ORDERS

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

LISTED: Final = 50
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND: Final = timedelta(microseconds=1)

Kind: TypeAlias = Literal["moments", "decrees"]
RoomCursor = Annotated[str | None, Query(alias="before", max_length=40, pattern=r"^\d{1,9}-\d{1,9}$")]
"""A cursor of the form `hand-place`; older highlights are listed."""
PersonCursor = Annotated[str | None, Query(alias="before", max_length=40, pattern=r"^\d{1,17}-\d{1,9}-\d{1,9}$")]
"""A cursor of the form `time-hand-place`, with the time in microseconds, as a person's hands are from several rooms."""


@router.get("/r/{code}/book/{kind}")
async def room_highlights_page(
    here: InjectedPageContext, code: PathSegment, kind: Kind, before: RoomCursor = None
) -> Response:
    """List the highlights or the decrees of a room, for people who have been in it; 404 for others.

    A former code redirects to the current one.
    """
    lead = await room_access.find_visited_room_or_raise(here.site, here.request.scope, code, here.me)
    if lead.code != code:
        return RedirectResponse(f"/r/{lead.code}/book/{kind}", 303)
    return await _render_highlights(here, lead.room, f"/r/{lead.code}/book", kind, before)


@router.get("/book/{secret}/{kind}")
async def shared_highlights_page(
    here: InjectedPageContext, secret: PathSegment, kind: Kind, before: RoomCursor = None
) -> Response:
    """List a room's highlights or decrees for visitors with the secret link to its statistics."""
    return await _render_highlights(
        here, await stats.find_room_of_stats_link(here, secret), f"/book/{secret}", kind, before
    )


@router.get("/me/moments")
async def my_highlights_page(here: InjectedPageContext, before: PersonCursor = None) -> Response:
    """List the highlights of the signed-in person in all their rooms; empty for an unknown visitor."""
    found = PersonHighlights((), None)
    if here.me is not None:
        key = None if before is None else _parse_time_cursor(before)
        found = await here.site.store.person_stats.highlights_of_person(here.me.id, limit=LISTED, before=key)
    more = None
    if found.next is not None:
        at, nth, place = found.next
        more = f"{(at - EPOCH) // MICROSECOND}-{nth}-{place}"
    moments = await common.load_highlight_views(here.site.store.room_stats, found.moments, here.texts)
    return here.render("moments", moments=moments, orders=False, book="/me", path="/me/moments", more=more)


async def _render_highlights(here: PageContext, room: str, anchor: str, kind: Kind, before: str | None) -> Response:
    key = None
    if before is not None:
        nth, _, place = before.partition("-")
        key = int(nth), int(place)
    orders = kind == "decrees"
    what, but = (ORDERS, ()) if orders else (None, ORDERS)
    stats_of_rooms = here.site.store.room_stats
    found = await stats_of_rooms.highlights_of_room(
        room, event_names=what, excluded_event_names=but, limit=LISTED, before=key
    )
    return here.render(
        "moments",
        moments=await common.load_highlight_views(stats_of_rooms, found.moments, here.texts),
        orders=orders,
        book=anchor,
        path=f"{anchor}/{kind}",
        more=None if found.next is None else "{}-{}".format(*found.next),
    )


def _parse_time_cursor(before: str) -> tuple[datetime, int, int]:
    at, nth, place = map(int, before.split("-"))
    return EPOCH + at * MICROSECOND, nth, place
