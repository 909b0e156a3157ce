"""Watching a match together, over HTTP: the leader says where they are, the others hear it on a line that stays open.

Thin, as `rooms.py`. The line is one of server-sent events: plain HTTP, so whatever passes pages on passes it on, too.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import ExitStack, suppress
from secrets import token_hex
from typing import Annotated, Final

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import StreamingResponse

from app.engine.base.messages import Sentence
from app.web.api.dependencies import REFUSALS, Body, Code, KnownHere, Me, SiteHere, Somebody
from app.web.client_address import Scope, client_key
from app.web.context.sessions import Known, Person
from app.web.context.site import Site
from app.web.context.watch_parties import Flock, Place, TogetherShown, check_named
from app.web.http import errors
from app.web.http.guards import Receive, Send
from app.web.matches import story

router = APIRouter(prefix="/api/matches/{match_id}/together", tags=["api"])

BEAT_SECONDS: Final = 15
"""How long a line may say nothing: proxies give up on one that is silent for a minute."""

TOO_MANY_LINES = Sentence("together.too_many_lines", "Too many pages are open from here: close some, or look on alone.")


class PlaceAsked(Body):
    """Where somebody looks."""

    hand: Annotated[int, Field(ge=0, le=100_000)] = Field(description="From 0.")
    move: Annotated[int, Field(ge=0, le=100_000)] = Field(description="How many actions of the hand are made.")
    seat: Annotated[Code, Field(min_length=1, max_length=64)] | None = Field(None, description="By whose eyes: a name.")

    def place(self) -> Place:
        """The place that is meant."""
        return Place(self.hand, self.move, self.seat)


class LedTo(PlaceAsked):
    """Where the leader is."""

    offered: bool = Field(False, description="Whether somebody else may take the lead.")


class TogetherBegun(BaseModel):
    """Where the others meet."""

    token: str = Field(description="Opens nothing: the address is /matches/{id}/replay?follow= with it.")


@router.post("", status_code=201, responses=REFUSALS)
async def lead(request: Request, site: SiteHere, person: Somebody, match_id: Code, asked: PlaceAsked) -> TogetherBegun:
    """Lead others through a match, with a link for them. Who has led another match does so no longer."""
    check_named(person)
    hands = await _hands(site, match_id, person)
    flock = site.together.lead(person, match_id, hands, asked.place(), client_key(request.scope))
    return TogetherBegun(token=flock.token)


EVENTS = {"content": {"text/event-stream": {"schema": {"type": "string"}}}, "description": "One picture after another."}


@router.get("/{token}", responses=REFUSALS | {200: EVENTS}, response_class=StreamingResponse)
async def follow(request: Request, site: SiteHere, known: KnownHere, match_id: Code, token: Code) -> StreamingResponse:
    """Hear where the leader is, as long as the line is open: server-sent events, each with a whole picture as JSON:
    `leader`, `hand`, `move`, `seat`, `offered`, `followers` and `you`. The event `over` says that nobody leads any
    more."""
    if site.draining:
        raise errors.Refusal(503, "trouble", site.said("error.unavailable"), {"Retry-After": "5"})
    flock = site.together.at(match_id, token)
    flock.hands = await _hands(site, match_id, None if known is None else known.person)
    line = _Line(flock, known)
    with ExitStack() as held:
        counted_as = client_key(request.scope), token_hex(8) if line.person is None else line.person.id, token
        if not site.admit(*counted_as):
            raise errors.Refusal(409, "not_now", TOO_MANY_LINES())
        held.callback(site.release, *counted_as)
        held.enter_context(flock.joined(line))
        site.opened(line)
        held.callback(site.ended, line)
        return _Held(line, held.pop_all())


@router.put("/{token}", status_code=204, responses=REFUSALS)
async def go(site: SiteHere, person: Somebody, match_id: Code, token: Code, asked: LedTo) -> None:
    """Lead everybody to a move (leader)."""
    flock = site.together.at(match_id, token)
    wait = site.messages.wait(f"{token} {person.id}")
    if wait:
        raise errors.too_fast(wait)
    flock.go(person, asked.place(), offered=asked.offered)


@router.post("/{token}/lead", status_code=204, responses=REFUSALS)
async def take(site: SiteHere, person: Somebody, match_id: Code, token: Code) -> None:
    """Take the lead, where the leader has offered it."""
    site.together.take(person, match_id, token)


@router.delete("/{token}", status_code=204, responses=REFUSALS)
async def end(site: SiteHere, person: Somebody, match_id: Code, token: Code) -> None:
    """Watch together no longer (leader)."""
    site.together.at(match_id, token).end(person)


async def _hands(site: Site, match_id: str, person: Me) -> int:
    """How many hands this match has, for somebody who may see it as the page of the replay shows it."""
    return (await story.found(site, match_id, person, 0, 0)).last + 1


class _Line:
    """An open line to one page."""

    known = None
    room_id = ""

    def __init__(self, flock: Flock, known: Known | None) -> None:
        self._flock = flock
        self.person: Person | None = None if known is None else known.person
        self.person_id = "" if known is None else known.person.id
        self.device_id = "" if known is None else known.device
        self._news = asyncio.Event()
        self._ending = False

    def wake(self) -> None:
        """Look again: something is new."""
        self._news.set()

    def tell(self, notice: bytes | None) -> None:
        """Who looks back needs nothing written down."""

    def leave(self) -> None:
        """End: the server goes."""
        self._ending = True
        self._news.set()

    dismiss = leave
    """End: this browser is nobody any more. It comes back as a stranger, who may follow, too."""

    async def told(self) -> AsyncIterator[str]:
        """What is sent: each picture that is new, the newest only, and now and then that the line still lives."""
        shown: TogetherShown | None = None
        while not self._ending:
            if self._flock.is_over:
                yield "event: over\ndata: {}\n\n"
                return
            before, shown = shown, self._flock.shown_to(self.person)
            yield ":\n\n" if shown == before else f"data: {json.dumps(shown, ensure_ascii=False)}\n\n"
            with suppress(TimeoutError):
                async with asyncio.timeout(BEAT_SECONDS):
                    await self._news.wait()
            self._news.clear()


class _Held(StreamingResponse):
    """A line as an answer. It lets go of what is held for it however it ends, begun or not."""

    def __init__(self, line: _Line, held: ExitStack) -> None:
        # nginx would collect what is said until it is worth a packet.
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(line.told(), media_type="text/event-stream", headers=headers)
        self._held = held

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        with self._held:
            await super().__call__(scope, receive, send)
