"""Endpoints for watch parties: the leader sends positions, and followers receive them on an open connection.

The open connection uses server-sent events: plain HTTP, which every proxy passes on.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import ExitStack, suppress
from secrets import token_hex
from typing import Annotated, Final

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, Field
from starlette.responses import StreamingResponse

from app.engine.base.messages import MessageTemplate
from app.web.api.dependencies import (
    REFUSALS,
    InjectedAppContext,
    MatchId,
    OptionalPerson,
    OptionalSession,
    PathSegment,
    RequiredPerson,
    StrictBody,
)
from app.web.client_address import Scope, client_key
from app.web.context.sessions import Person, SignedInDevice
from app.web.context.site import AppContext
from app.web.context.watch_parties import ReplayPosition, WatchParty, WatchPartyView, check_has_name
from app.web.http import errors
from app.web.http.guards import Receive, Send
from app.web.matches import story

router = APIRouter(prefix="/api/matches/{match_id}/together", tags=["api"])

PartyToken = Annotated[PathSegment, Path(description="The token of the watch party.")]

BEAT_SECONDS: Final = 15
"""Seconds after which a silent connection gets a keep-alive: proxies close connections that are silent for a minute."""

TOO_MANY_LINES = MessageTemplate("together.too_many_lines", "Too many pages are open. Close some, or watch alone.")


class PositionRequest(StrictBody):
    """The position in a match that the leader of a watch party shows."""

    hand: Annotated[int, Field(ge=0, le=100_000)] = Field(description="The hand, from 0.")
    move: Annotated[int, Field(ge=0, le=100_000)] = Field(
        description="Number of actions of the hand before this position."
    )
    seat: Annotated[PathSegment, Field(min_length=1, max_length=64)] | None = Field(
        None, description="The player whose cards are visible, by name; null: all cards are open."
    )

    def to_position(self) -> ReplayPosition:
        """Return the requested position of a watch party in the form that the party stores."""
        return ReplayPosition(self.hand, self.move, self.seat)


class LeaderPosition(PositionRequest):
    """The leader's new position in a watch party, and whether others may take the lead."""

    offered: bool = Field(False, description="Whether another person may take the lead.")


class WatchPartyStarted(BaseModel):
    """The answer after starting a watch party: the token for its link."""

    token: str = Field(
        description="The token for the link: /matches/{id}/replay?follow={token}. It gives no other access."
    )


@router.post("", status_code=201, responses=REFUSALS)
async def start_watch_party(
    request: Request, site: InjectedAppContext, person: RequiredPerson, match_id: MatchId, body: PositionRequest
) -> WatchPartyStarted:
    """Start a watch party: lead others through the replay of a match.

    The token is for the link that they open. A party that the person led before ends. Refused without a name.
    """
    check_has_name(person)
    hands = await _count_hands(site, match_id, person)
    flock = site.watch_parties.start_party(person, match_id, hands, body.to_position(), client_key(request.scope))
    return WatchPartyStarted(token=flock.token)


EVENTS = {
    "content": {"text/event-stream": {"schema": {"type": "string"}}},
    "description": "The state of the watch party after each change.",
}


@router.get("/{token}", responses=REFUSALS | {200: EVENTS}, response_class=StreamingResponse)
async def follow_watch_party(
    request: Request, site: InjectedAppContext, known: OptionalSession, match_id: MatchId, token: PartyToken
) -> StreamingResponse:
    """Receive the leader's position in a watch party as server-sent events, until the connection ends.

    Each event is complete JSON: `leader`, `hand`, `move`, `seat`, `offered`, `followers` and `you`. The event `over`
    says that the party has ended.
    """
    if site.draining:
        raise errors.HttpError(503, "trouble", site.message("error.unavailable"), {"Retry-After": "5"})
    flock = site.watch_parties.find_party(match_id, token)
    flock.hands = await _count_hands(site, match_id, None if known is None else known.person)
    line = _EventStream(flock, known, client_key(request.scope))
    with ExitStack() as held:
        counted_as = line.client, token_hex(8) if line.person is None else line.person.id, token
        if not site.try_count_socket(*counted_as):
            raise errors.HttpError(409, "not_now", TOO_MANY_LINES())
        held.callback(site.uncount_socket, *counted_as)
        held.enter_context(flock.connected_page(line))
        site.register_socket(line)
        held.callback(site.unregister_socket, line)
        return _EventStreamResponse(line, held.pop_all())


@router.put("/{token}", status_code=204, responses=REFUSALS)
async def move_watch_party(
    site: InjectedAppContext, person: RequiredPerson, match_id: MatchId, token: PartyToken, body: LeaderPosition
) -> None:
    """Move everybody in the watch party to a position of the match. Only for the leader."""
    flock = site.watch_parties.find_party(match_id, token)
    wait = site.message_limiter.seconds_until_allowed(f"{token} {person.id}")
    if wait:
        raise errors.rate_limit_error(wait)
    flock.move_to(person, body.to_position(), offered=body.offered)


@router.post("/{token}/lead", status_code=204, responses=REFUSALS)
async def take_lead(site: InjectedAppContext, person: RequiredPerson, match_id: MatchId, token: PartyToken) -> None:
    """Take the lead of a watch party, if its leader has offered it."""
    site.watch_parties.take_lead(person, match_id, token)


@router.delete("/{token}", status_code=204, responses=REFUSALS)
async def end_watch_party(
    site: InjectedAppContext, person: RequiredPerson, match_id: MatchId, token: PartyToken
) -> None:
    """End the watch party for everybody. Only for its leader."""
    site.watch_parties.find_party(match_id, token).end_by_leader(person)


async def _count_hands(site: AppContext, match_id: str, person: OptionalPerson) -> int:
    """Return the number of hands of a match; raise 404 for an unknown match.

    `person`: the visitor who wants to watch its replay.
    """
    return (await story.load_story_page(site, match_id, person, 0, 0)).last + 1


class _EventStream:
    """The open connection of one page to a watch party, over which it gets server-sent events."""

    known = None
    room_id = ""

    def __init__(self, flock: WatchParty, known: SignedInDevice | None, client: str) -> None:
        self._flock = flock
        self.client = client
        self.person: Person | None = None if known is None else known.person
        self.person_id = "" if known is None else known.person.id
        self.device_id = "" if known is None else known.device
        self._news = asyncio.Event()
        self._ending = False

    def notify(self) -> None:
        """Have the watch party's view sent to this page again, because it has changed."""
        self._news.set()

    def send_notice(self, notice: bytes | None) -> None:
        """Do nothing: notices that the server can't save don't concern replays."""

    def close_for_restart(self) -> None:
        """End this page's event stream, because the server stops."""
        self._ending = True
        self._news.set()

    close_signed_out = close_for_restart
    """End the stream: this device is signed out. Its page reconnects as an unknown visitor, who may follow too."""

    async def stream_events(self) -> AsyncIterator[str]:
        """Yield the watch party's view as a server-sent event at first and after each change, for one page.

        Every 15 seconds without a change it yields a comment, which keeps the connection open. Ends with the event
        `over` when the party is over, and without it when the server stops or the device is signed out.
        """
        shown: WatchPartyView | None = None
        while not self._ending:
            if self._flock.is_over:
                yield "event: over\ndata: {}\n\n"
                return
            before, shown = shown, self._flock.view_for(self.person)
            yield ":\n\n" if shown == before else f"data: {json.dumps(shown, ensure_ascii=False)}\n\n"
            with suppress(TimeoutError):
                async with asyncio.timeout(BEAT_SECONDS):
                    await self._news.wait()
            self._news.clear()


class _EventStreamResponse(StreamingResponse):
    """A streaming response that always releases its resources, whether the stream has begun or not."""

    def __init__(self, line: _EventStream, held: ExitStack) -> None:
        # Without this header nginx would buffer the events.
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(line.stream_events(), media_type="text/event-stream", headers=headers)
        self._held = held

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        with self._held:
            await super().__call__(scope, receive, send)
