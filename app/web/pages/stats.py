"""The pages of books: what a room's hands come to, and a person's over all their rooms. Thin, as `rooms.py`.

Beyond what every template gets:

    book.html   ready (whether the book is all there), code (of the room; None for who came by the book's own link),
                path (of this page), hands, evenings [evening line], more (which evening `?before=` asks for, or None),
                evening (the number of the one shown), at, played [game of evening], games [game of room],
                orders and moments [moment], link (None; or, for the host, {url: None or the book's own link})
                settlement (None, or who pays whom, where something is played for: `settlement_view.py`)
    me.html     games [game played], rooms [room played], moments [moment], kept [house rules, as the API gives them]

Lines are made in `room_page.py`, `person_page.py` and `common.py`.
"""

from datetime import UTC, datetime
from typing import Annotated, Any, Final, TypeAlias

from fastapi import APIRouter, Query
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.rooms.errors import RoomError
from app.rooms.handlers.dispatch import ONLY_THE_HOST
from app.rooms.model.state import Room, milliseconds
from app.stats.tallies import MOMENT
from app.store.history.room_stats import EveningLine, MomentLine, RoomBook
from app.web.api import saved_rules
from app.web.api.dependencies import Code
from app.web.client_address import client_key
from app.web.http import errors
from app.web.pages.page import Here, Pages
from app.web.services import room_access
from app.web.stats import common, settlement_view
from app.web.stats import person_page as of_person
from app.web.stats import room_page as of_room

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

HANDS_DRAWN: Final = 120
"""Of a longer evening every second hand is drawn, every third …"""
EVENINGS_LISTED: Final = 60
MOMENTS_LISTED: Final = 24
OF_A_KIND: Final = 5
"""Moments of one name among them: what happens often leaves room for what is rare."""
ORDERS_LISTED: Final = 24
MOMENTS_LOOKED_AT: Final = 200
"""Of a person, to choose from."""
ROOMS_LISTED: Final = 60

Evening: TypeAlias = Annotated[int | None, Query(ge=0, le=10**9)]
"""Of a room, by its number."""


@router.get("/r/{code}/book")
async def book(here: Here, code: Code, evening: Evening = None, before: Evening = None) -> Response:
    """Show the book of a room to its people."""
    lead = await room_access.been_in(here.site, here.request.scope, code, here.me)
    if lead.code != code:
        return RedirectResponse(f"/r/{lead.code}/book", 303)
    room = await room_access.peek(here.site, lead.room)
    link = None
    if room is not None and _is_host(room, here):
        secret = await here.site.store.shared_books.secret_of(lead.room)
        link = {"url": None if secret is None else f"{here.origin}/book/{secret}"}
    context = await _book(here, lead.room, room, evening, before)
    return here.page("book", code=lead.code, path=f"/r/{lead.code}/book", link=link, **context)


@router.get("/book/{secret}")
async def shared(here: Here, secret: Code, evening: Evening = None, before: Evening = None) -> Response:
    """Show the book of a room to who has its link: all but the way into the room."""
    room = await room_of_link(here, secret)
    context = await _book(here, room, await room_access.peek(here.site, room), evening, before)
    return here.page("book", code=None, path=f"/book/{secret}", link=None, **context)


async def room_of_link(here: Pages, secret: str) -> str:
    """The id of the room whose book a link opens; a refusal if there is no such link."""
    room = await here.site.store.shared_books.room_of(secret)
    if room is None:
        wait = here.site.guesses.wait(client_key(here.request.scope))
        raise errors.too_fast(wait) if wait else errors.not_found(here.site.said("error.no_book"))
    return room


@router.post("/r/{code}/book")
async def share(here: Here, code: Code) -> Response:
    """The host's buttons: make the book's own link, or let it lead nowhere any more."""
    lead = await room_access.been_in(here.site, here.request.scope, code, here.me)
    room = await room_access.peek(here.site, lead.room)
    if room is None or not _is_host(room, here):
        raise RoomError("not_host", ONLY_THE_HOST(host="" if room is None else room.host or ""))
    links = here.site.store.shared_books
    if await here.sent("link") == "revoke":
        await links.revoke(lead.room)
    else:
        await links.share(lead.room, datetime.now(UTC))
    return RedirectResponse(f"/r/{lead.code}/book#link", 303)


@router.get("/me")
async def mine(here: Here) -> Response:
    """Show somebody what their hands come to, over all their rooms."""
    if here.me is None:
        return here.page("me", games=(), rooms=(), moments=(), kept=())
    store = here.site.store
    kept = [saved_rules.told(each, here.texts).model_dump() for each in await store.house_rules.of(here.me.id)]
    found = await store.persons.person(here.me.id, rooms_listed=ROOMS_LISTED)
    evenings = await store.persons.evenings(here.me.id, limit=EVENINGS_LISTED)
    latest = await store.persons.moments(here.me.id, limit=MOMENTS_LOOKED_AT)
    moments = of_person.chosen(latest.moments)
    codes = {line.id: line.code for line in await store.history.rooms_of(here.me.id, limit=ROOMS_LISTED)}
    me = common.myself(here.me.name or "", here.me.bird, here.me.colour)
    return here.page(
        "me",
        games=of_person.games(found, evenings, me, here.texts),
        rooms=of_person.rooms(found.rooms, codes),
        moments=common.moments(moments, here.texts),
        kept=kept,
    )


def _is_host(room: Room, here: Pages) -> bool:
    member = None if here.me is None else room.member_of(here.me.id)
    return member is not None and member.name == room.host


async def _book(here: Pages, room: str, now: Room | None, evening: int | None, before: int | None) -> dict[str, Any]:
    """What a room's hands come to, whoever looks."""
    books = here.site.store.books
    found = await books.room(room)
    if found is None:
        return {"ready": True, "hands": 0}
    nights = await books.evenings(room, limit=EVENINGS_LISTED, before=before)
    shown = evening if evening is not None and 1 <= evening <= found.evenings else found.evenings
    hands = await books.chart(room, shown, most=HANDS_DRAWN)
    people = common.company(found.players, now)
    orders = await books.moments(room, what=of_room.ORDERS, limit=ORDERS_LISTED)
    games = of_room.of_room(found, nights.evenings, here.texts, people)
    return {
        "ready": found.ready,
        "hands": found.hands,
        "evenings": of_room.lines_of(nights.evenings, shown, here.texts),
        "more": nights.next,
        "evening": shown,
        "at": None if not hands else milliseconds(hands[0].at),
        "played": of_room.of_evening(
            hands, await books.sums(room, shown), _first(nights.evenings, shown, hands), people, here.texts
        ),
        "settlement": settlement_view.of_now(now, here.texts)
        if shown == found.evenings
        else settlement_view.of_then(now, await books.matches_of(room, shown), people, here.texts),
        "games": games,
        "orders": common.moments(orders.moments, here.texts),
        "moments": common.moments(await _moments(here, room, found), here.texts),
    }


def _first(nights: tuple[EveningLine, ...], shown: int, hands: Any) -> int:
    """The first hand of an evening, in the room: charts begin with it."""
    return next((night.first for night in nights if night.number == shown), hands[0].nth if hands else 1)


async def _moments(here: Pages, room: str, book: RoomBook) -> list[MomentLine]:
    """The latest of what people speak of, a few of each kind; orders have a list of their own."""
    keys = {key for of_game in book.tallies.values() for counted in of_game.values() for key in counted}
    names = {key.removeprefix(MOMENT) for key in keys if key.startswith(MOMENT)}.difference(of_room.ORDERS)
    pages = [await here.site.store.books.moments(room, what=(name,), limit=OF_A_KIND) for name in sorted(names)]
    found = [moment for page in pages for moment in page.moments]
    return sorted(found, key=lambda each: (each.nth, each.place), reverse=True)[:MOMENTS_LISTED]
