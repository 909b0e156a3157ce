"""Stats pages: of a room, of a shared stats link, and of the signed-in person over all rooms.

Templates, and the values that they get in addition to the context of `page.py`:

    book.html   code (of the room; None on a shared page), path (of this page),
                hands (of the room), since (evening, month or all: which hands are shown), hands_shown,
                evenings [evening line], more (the value of `?before=` for older evenings, or None),
                evening (the number of the evening shown), at, played [game of evening], games [game of room],
                orders and moments [moment], link (None; or, for the host, {url: None or the stats link}),
                settlement (None, or the payments of the evening: `settlement_view.py`)
    me.html     picture (or None), games [game played], rooms [room played], moments [moment],
                kept [house rules, as the API gives them]

Lines are made in `room_page.py`, `person_page.py` and `common.py`.
"""

from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal, TypeAlias

from fastapi import APIRouter, Query
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.rooms.errors import RoomError
from app.rooms.handlers.dispatch import ONLY_THE_HOST
from app.rooms.model.state import Room, to_milliseconds
from app.stats.tallies import HIGHLIGHT
from app.store.history.room_stats import ALL_HANDS, EveningLine, HandRange, HighlightLine, RoomStats, start_of_month
from app.web.api import saved_rules
from app.web.api.dependencies import PathSegment
from app.web.client_address import client_key
from app.web.http import errors
from app.web.pages.page import InjectedPageContext, PageContext
from app.web.services import room_access
from app.web.stats import common, person_page as of_person, room_page as of_room, settlement_view

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

HANDS_DRAWN: Final = 120
"""Limit for the hands in a chart: of longer evenings only every second hand, every third and so on is drawn."""
OWN_HANDS_DRAWN: Final = 30
EVENINGS_LISTED: Final = 60
MOMENTS_LISTED: Final = 24
OF_A_KIND: Final = 5
"""Limit for highlights of one kind, so that frequent kinds leave room for rare ones."""
ORDERS_LISTED: Final = 24
MOMENTS_LOOKED_AT: Final = 200
"""The person's latest highlights from which the listed ones are chosen."""
ROOMS_LISTED: Final = 60

Evening: TypeAlias = Annotated[int | None, Query(ge=0, le=10**9)]
"""The number of an evening in a room."""
Since: TypeAlias = Annotated[Literal["evening", "month", "all"], Query()]
"""Which hands of a room are shown: one evening (the latest unless another one is named), this month (UTC), or all."""


@router.get("/r/{code}/book")
async def room_stats_page(
    here: InjectedPageContext,
    code: PathSegment,
    evening: Evening = None,
    before: Evening = None,
    since: Since = "evening",
) -> Response:
    """Show a room's stats to people who visited the room; its host can also manage the stats link. 404 for others.

    `evening` selects the session shown, else the latest; `before` pages through older ones.
    """
    lead = await room_access.find_visited_room_or_raise(here.site, here.request.scope, code, here.me)
    if lead.code != code:
        return RedirectResponse(f"/r/{lead.code}/book", 303)
    room = await room_access.load_room_readonly(here.site, lead.room)
    link = None
    if room is not None and _is_host(room, here):
        secret = await here.site.store.stats_links.link_secret(lead.room)
        link = {"url": None if secret is None else f"{here.origin}/book/{secret}"}
    context = await _room_stats_context(here, lead.room, room, evening, before, since)
    return here.render("book", code=lead.code, path=f"/r/{lead.code}/book", link=link, **context)


@router.get("/book/{secret}")
async def shared_stats_page(
    here: InjectedPageContext,
    secret: PathSegment,
    evening: Evening = None,
    before: Evening = None,
    since: Since = "evening",
) -> Response:
    """Show a room's stats to anybody with the secret stats link, without a link into the room. 404 for a wrong link.

    `evening` selects the session shown, else the latest; `before` pages through older ones.
    """
    room = await find_room_of_stats_link(here, secret)
    context = await _room_stats_context(
        here, room, await room_access.load_room_readonly(here.site, room), evening, before, since
    )
    return here.render("book", code=None, path=f"/book/{secret}", link=None, **context)


async def find_room_of_stats_link(here: PageContext, secret: str) -> str:
    """Return the id of the room that a secret stats link belongs to, or raise 404.

    A wrong link counts as a guess by this address; too many raise 429.
    """
    room = await here.site.store.stats_links.find_room(secret)
    if room is None:
        wait = here.site.guess_limiter.seconds_until_allowed(client_key(here.request.scope))
        raise errors.rate_limit_error(wait) if wait else errors.not_found_error(here.site.message("error.no_book"))
    return room


@router.post("/r/{code}/book")
async def change_stats_link(here: InjectedPageContext, code: PathSegment) -> Response:
    """Handle the host's buttons on the stats page: create the secret stats link, or delete it (`link=revoke`).

    Raises `RoomError` if the visitor is not the host.
    """
    lead = await room_access.find_visited_room_or_raise(here.site, here.request.scope, code, here.me)
    room = await room_access.load_room_readonly(here.site, lead.room)
    if room is None or not _is_host(room, here):
        raise RoomError("not_host", ONLY_THE_HOST(host="" if room is None else room.host or ""))
    links = here.site.store.stats_links
    if await here.read_form_field("link") == "revoke":
        await links.delete_link(lead.room)
    else:
        await links.create_link(lead.room, datetime.now(UTC))
    return RedirectResponse(f"/r/{lead.code}/book#link", 303)


@router.get("/me")
async def my_stats_page(here: InjectedPageContext) -> Response:
    """Show the signed-in person's stats over all their rooms, and their saved house rules.

    Empty for strangers.
    """
    if here.me is None:
        return here.render("me", picture=None, games=(), rooms=(), moments=(), kept=())
    store = here.site.store
    highlights = [
        saved_rules.saved_rules_view(each, here.texts).model_dump()
        for each in await store.saved_rules.rules_of_person(here.me.id)
    ]
    found = await store.person_stats.stats_of_person(here.me.id, rooms_listed=ROOMS_LISTED)
    evenings = await store.person_stats.evenings_of_person(here.me.id, limit=EVENINGS_LISTED)
    hands = (
        await store.person_stats.latest_hands(here.me.id, evenings[0].room, limit=OWN_HANDS_DRAWN) if evenings else ()
    )
    latest = await store.person_stats.highlights_of_person(here.me.id, limit=MOMENTS_LOOKED_AT)
    moments = of_person.latest_of_each_kind(latest.moments)
    codes = {line.id: line.code for line in await store.history.rooms_of_person(here.me.id, limit=ROOMS_LISTED)}
    me = common.current_person(here.me.name or here.texts.t("play.you"), here.me.bird, here.me.colour)
    return here.render(
        "me",
        picture=of_person.picture_view(found, evenings, hands, me, here.texts),
        games=of_person.game_views(found, evenings, me, here.texts),
        rooms=of_person.room_views(found.rooms, codes),
        moments=await common.load_highlight_views(store.room_stats, moments, here.texts),
        kept=highlights,
    )


def _is_host(room: Room, here: PageContext) -> bool:
    member = None if here.me is None else room.find_member(here.me.id)
    return member is not None and member.name == room.host


async def _room_stats_context(
    here: PageContext, room: str, now: Room | None, evening: int | None, before: int | None, since: str
) -> dict[str, Any]:
    """Return the template values of a room's stats, which are the same for every viewer.

    `evening` is the number of the session shown (None or invalid: the latest). `before` limits the list to older ones.
    """
    stats = here.site.store.room_stats
    found_evening = await stats.hands_of_evening(room, evening)
    if found_evening is None:
        return {"hands": 0}
    shown, hands_shown = found_evening
    if since != "evening":
        hands_shown = await stats.hands_since(room, start_of_month()) if since == "month" else ALL_HANDS
    found = await stats.stats_of_room(room, hands_shown)
    assert found is not None
    nights = await stats.evenings_of_room(room, limit=EVENINGS_LISTED, before=before)
    here.texts = here.texts.with_bots((player.name, player.bot) for player in found.players)
    people = common.named_players(found.players, now, here.texts)
    charted = [night for night in nights.evenings if night.first + night.hands > hands_shown[0]]
    played: tuple[of_room.GameOfEvening, ...] = ()
    at = None
    if since == "evening" or len(charted) == 1:
        hands = await stats.evening_chart(room, shown, max_hands=HANDS_DRAWN)
        reasons = await stats.evening_sums_by_reason(room, shown)
        first = _first_hand_of_session(nights.evenings, shown, hands)
        played = of_room.session_views(hands, reasons, first, people, here.texts)
        at = to_milliseconds(hands[0].at)
    settlement = None
    if since == "evening" and shown == found.evenings:
        settlement = settlement_view.current_settlement(now, here.texts)
    elif since == "evening":
        sums = await stats.evening_sums_by_match(room, shown)
        settlement = settlement_view.past_settlement(now, sums, people, here.texts)
    orders = await stats.highlights_of_room(room, event_names=of_room.ORDERS, limit=ORDERS_LISTED, hands=hands_shown)
    return {
        "hands": found.hands,
        "since": since,
        "hands_shown": bool(found.players),
        "evenings": of_room.session_links(nights.evenings, shown if since == "evening" else None, here.texts),
        "more": nights.next,
        "evening": shown,
        "at": at,
        "played": played if since == "evening" else (),
        "settlement": settlement,
        "games": of_room.room_game_views(found, () if since == "evening" else charted, here.texts, people, played),
        "orders": await common.load_highlight_views(stats, orders.moments, here.texts),
        "moments": await common.load_highlight_views(
            stats, await _latest_highlights(here, room, found, hands_shown), here.texts
        ),
    }


def _first_hand_of_session(nights: tuple[EveningLine, ...], shown: int, hands: Any) -> int:
    """Return the number, counted over the whole room, of the first hand of session `shown`.

    If the session is not among the listed `nights`, the number of its first drawn hand, or 1.
    """
    return next((night.first for night in nights if night.number == shown), hands[0].nth if hands else 1)


async def _latest_highlights(here: PageContext, room: str, stats: RoomStats, hands: HandRange) -> list[HighlightLine]:
    """Return a room's latest highlights in these hands, newest first, at most a few of each kind.

    Decrees are left out, as they have their own list.
    """
    keys = {key for of_game in stats.tallies.values() for counted in of_game.values() for key in counted}
    names = {key.removeprefix(HIGHLIGHT) for key in keys if key.startswith(HIGHLIGHT)}.difference(of_room.ORDERS)
    pages = [
        await here.site.store.room_stats.highlights_of_room(room, event_names=(name,), limit=OF_A_KIND, hands=hands)
        for name in sorted(names)
    ]
    found = [highlight for page in pages for highlight in page.moments]
    return sorted(found, key=lambda each: (each.nth, each.place), reverse=True)[:MOMENTS_LISTED]
