"""One update of a room as bytes: the public part is encoded once, and the same bytes go to everybody.

Encoding is done when the first connection asks for it, so that a picture nobody gets costs nothing. What a seat alone
may know is spliced in at the end. `msgspec` encodes: with `json` it was a tenth of all that an action costs the server.
"""

from collections.abc import Sequence

import msgspec

from app.engine import views
from app.engine.actions import FORMS
from app.engine.events import Event

from . import pictures
from .room import Room


def _plain(value: object) -> str:
    """Encode a card as the text it is."""
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError


encode = msgspec.json.Encoder(enc_hook=_plain).encode
"""JSON without blanks."""


VERSION = 2
"""Of the protocol, whose page says what may change under the same number. A connection's first update tells it."""
ACTIONS = encode({name: {"main": form.main, "placed": form.placed} for name, form in FORMS.items()})
"""What each action is, for a page that draws its buttons."""
EARLIER = 200
"""Public events of the running hand that a new connection is told."""


class Update:
    """The newest picture of a room, and what happened lately."""

    def __init__(self, room: Room, now: int, watchers: int, recent: Sequence[tuple[int, Sequence[Event]]]) -> None:
        self.room = room
        self.now = now
        self.watchers = watchers
        self._recent = recent
        """(seq, events) of the last changes, oldest first: what a connection has missed is told along."""
        self._public: bytes | None = None
        self._missed: dict[int, tuple[bytes, Sequence[Event]]] = {}
        self._yours: dict[tuple[str | None, int], bytes] = {}

    def frame(self, person: str | None, since: int | None) -> bytes:
        """Encode the whole update for one person, with what happened after `since` (None: all of the hand so far)."""
        after = self.room.seq if since is None else since
        public = self._public
        if public is None:
            public = self._public = self._encode_public()
        missed = self._missed.get(after)
        if missed is None:
            missed = self._missed[after] = self._happened(after)
        events, private = missed
        yours = self._yours.get((person, after))
        if yours is None:
            yours = self._yours[person, after] = self._encode_yours(person, private)
        first = b""
        if since is None:
            first = b',"protocol":%d,"actions":%b,"earlier":%b' % (VERSION, ACTIONS, self._earlier())
        return b"".join((public, b',"events":', events, first, b',"you":', yours, b"}"))

    def _earlier(self) -> bytes:
        """Encode what happened in this hand so far (of a long one, lately), for a page that has just been opened."""
        run = self.room.run
        events = () if run is None else run.hand.events[-EARLIER:]
        return encode([{key: value for key, value in one.items() if key != "n"} for one in events])

    def _happened(self, after: int) -> tuple[bytes, Sequence[Event]]:
        """Give what happened since `after`: what everybody may know, encoded, and the events that are for some only."""
        events = [event for at, happened in self._recent if at > after for event in happened]
        return encode(views.events_for(events, None)), [event for event in events if event.to is not None]

    def _encode_public(self) -> bytes:
        room = self.room
        changing = encode(pictures.changing(room, self.watchers))
        head = b'{"t":"update","seq":%d,"now":%d,"room":{' % (room.seq, self.now)
        return b"".join(
            (head, room.settings.shown_bytes, b",", changing[1:], b',"table":', encode(pictures.table(room)))
        )

    def _encode_yours(self, person: str | None, private: Sequence[Event]) -> bytes:
        yours = pictures.you(self.room, person)
        name = yours["name"]
        if name is not None:
            yours["events"] = [event.to_json() for event in private if event.to is not None and name in event.to]
        return encode(yours)
